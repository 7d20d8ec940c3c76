import { ApiError, type NewPet, type Pet, type PetStatus } from '../../../core/index.ts'
import {
  defaultMaxNameLength,
  isApiError,
  type JsonDocument,
  parseJson,
  parseJsonInt64,
  readNewPet,
} from '../../../core/internal.ts'

const newline = 0x0a
/** A space, a tab and a carriage return. */
const blanks = [0x20, 0x09, 0x0d]

/** Maximum length of the body of createPet, in bytes. */
const maxLineBytes = 65_536

/** The ids that a store assigns. */
const [minId, maxId] = [1n, 2n ** 53n - 1n]

/** Maximum number of bad lines that are reported. */
const maxProblems = 100

/** The status of an animal whose line has none, the same as the service's default. */
const defaultStatus: PetStatus = 'available'

/** Options of reading a file. */
export interface ReadOptions {
  /** An animal has the id and the status of its line. */
  readonly keepsIds: boolean
  /** Maximum length of a name, in characters; 1,000 by default, `null` for none. */
  readonly maxNameLength?: number | null
}

/** An animal of a file, with the number of its line from 1; blank lines count. */
export interface AnimalLine {
  readonly number: number
  readonly pet: NewPet | Pet
}

/**
 * Reads animals from chunks of a file, one in JSON a line, validated as createPet validates a body. Blank lines are
 * skipped. With `keepsIds`, an animal has the id of its line, if there is one, and the status of its line; without, it
 * has a status. After the first bad line it yields no more animals, but looks for further bad lines until the end of
 * the file or the hundredth of them. Then it throws an `Error` whose message has the number and the problem of each.
 */
export async function* readAnimals(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<AnimalLine> {
  const problems: string[] = []
  for await (const { number, bytes } of splitLines(chunks, maxLineBytes)) {
    if (problems.length === 0) rejectEncoding(bytes)
    const pet = readLine(bytes, options)
    if (!isApiError(pet)) {
      if (problems.length === 0) yield { number, pet }
    } else if (problems.push(`line ${number}: ${pet.message}`) === maxProblems) {
      problems.push(`… and stopped at line ${number} after ${maxProblems} bad lines`)
      break
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** Throws an `Error` for a line that is not UTF-8 without a byte order mark, as an editor or PowerShell writes it. */
function rejectEncoding([first, second, third]: Uint8Array): void {
  const isUtf16 =
    first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isUtf16)
    throw new Error(
      'the file is UTF-16: convert it with iconv -f UTF-16 -t UTF-8 FILE > NEW-FILE, and import that',
    )
  if (first === 0xef && second === 0xbb && third === 0xbf)
    throw new Error(
      'the file begins with a byte order mark: remove it with tail -c +4 FILE > NEW-FILE, and import that',
    )
}

function readLine(
  bytes: Uint8Array,
  { keepsIds, maxNameLength = defaultMaxNameLength }: ReadOptions,
): NewPet | Pet | ApiError {
  if (bytes.length > maxLineBytes)
    return new ApiError('body_too_large', `The line must be at most ${maxLineBytes} bytes long.`)
  const document = parseJson(bytes)
  if (!document) return new ApiError('invalid_json', 'The line must be a JSON document in UTF-8.')
  const pet = readNewPet(document, maxNameLength, keepsIds ? null : defaultStatus)
  return isApiError(pet) || !keepsIds ? pet : addId(pet, document)
}

function addId(pet: NewPet, { value, numberText }: JsonDocument): NewPet | Pet | ApiError {
  const { id } = value as { id?: unknown } // readNewPet has accepted the object
  if (id === undefined) return pet
  const exact = parseJsonInt64(numberText('id') ?? '')
  return typeof id === 'number' && typeof exact === 'bigint' && exact >= minId && exact <= maxId
    ? { id: exact, ...pet }
    : new ApiError('invalid_pet', `"id" must be an integer from ${minId} to ${maxId}, as a JSON number.`)
}

/**
 * Splits chunks of a file into lines without their newlines, numbered from 1, and skips blank lines. A line longer than
 * `maxBytes` is cut to `maxBytes` + 1 bytes. Memory is at most two chunks and a line.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<{ readonly number: number; readonly bytes: Uint8Array }> {
  let rest: Uint8Array = new Uint8Array()
  let number = 1
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let start = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      const line = bytes.subarray(start, Math.min(end, start + maxBytes + 1))
      if (!isBlank(line)) yield { number, bytes: line }
      start = end + 1
      number++
    }
    rest = bytes.subarray(start, start + maxBytes + 1)
  }
  if (!isBlank(rest)) yield { number, bytes: rest }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => blanks.includes(byte))
}
