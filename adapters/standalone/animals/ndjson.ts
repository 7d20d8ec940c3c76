import { ApiError, type NewPet, type Pet, type PetStatus } from '../../../core/index.ts'
import {
  defaultMaxNameLength,
  isApiError,
  type JsonDocument,
  parseJson,
  parseJsonInt64,
  readNewPet,
} from '../../../core/internal.ts'

const newlineByte = 0x0a
/** JSON whitespace, except the newline. */
const blankBytes = [0x20, 0x09, 0x0d]

/** Maximum line length in bytes. A request body has the same limit. */
const maxLineBytes = 65_536

/** Smallest and largest id that a store assigns. */
const [minId, maxId] = [1n, 2n ** 53n - 1n]

/** How many bad lines an error lists at most. */
const maxProblems = 100

/** Status of an animal whose line has none. The service has the same default. */
const defaultStatus: PetStatus = 'available'

/** How to read animals. */
export interface AnimalReadOptions {
  /** Keep the ids, and leave an absent status absent. */
  readonly keepsIds: boolean
  /** Maximum name length in characters, 1,000 by default. `null` allows any length. */
  readonly maxNameLength?: number | null
}

/** An animal and its line number. Line numbers begin at 1 and include blank lines. */
export interface AnimalLine {
  readonly number: number
  readonly pet: NewPet | Pet
}

/**
 * Reads animals from JSON lines, and validates them as the service validates a request body. Blank lines are skipped.
 * After the first bad line, no animal is yielded, but the remaining lines are still checked.
 *
 * @throws {Error} If a line is invalid. The message lists up to 100 bad lines.
 */
export async function* readAnimals(
  chunks: AsyncIterable<Uint8Array>,
  options: AnimalReadOptions,
): AsyncGenerator<AnimalLine> {
  const problems: string[] = []
  for await (const { number, bytes } of splitLines(chunks, maxLineBytes)) {
    if (problems.length === 0) rejectUnsupportedEncoding(bytes)
    const pet = readLine(bytes, options)
    if (!isApiError(pet)) {
      if (problems.length === 0) yield { number, pet }
    } else if (problems.push(`line ${number}: ${pet.message}`) === maxProblems) {
      problems.push(`… stopped at line ${number} after ${maxProblems} bad lines`)
      break
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** Rejects UTF-16 and byte order marks, which editors and PowerShell write. */
function rejectUnsupportedEncoding([first, second, third]: Uint8Array): void {
  const isUtf16 =
    first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isUtf16)
    throw new Error(
      'the file is UTF-16: convert it with iconv -f UTF-16 -t UTF-8 FILE > NEW-FILE, and import NEW-FILE',
    )
  if (first === 0xef && second === 0xbb && third === 0xbf)
    throw new Error(
      'the file begins with a byte order mark: remove it with tail -c +4 FILE > NEW-FILE, and import NEW-FILE',
    )
}

function readLine(
  bytes: Uint8Array,
  { keepsIds, maxNameLength = defaultMaxNameLength }: AnimalReadOptions,
): NewPet | Pet | ApiError {
  if (bytes.length > maxLineBytes)
    return new ApiError('body_too_large', `The line must be at most ${maxLineBytes} bytes long.`)
  const document = parseJson(bytes)
  if (!document) return new ApiError('invalid_json', 'The line must be a JSON document in UTF-8.')
  const pet = readNewPet(document, maxNameLength, keepsIds ? null : defaultStatus)
  return isApiError(pet) || !keepsIds ? pet : addId(pet, document)
}

function addId(pet: NewPet, { value, getNumberText }: JsonDocument): NewPet | Pet | ApiError {
  const { id } = value as { id?: unknown } // readNewPet accepted the object
  if (id === undefined) return pet
  const exact = parseJsonInt64(getNumberText('id') ?? '')
  return typeof id === 'number' && typeof exact === 'bigint' && exact >= minId && exact <= maxId
    ? { id: exact, ...pet }
    : new ApiError('invalid_pet', `"id" must be an integer from ${minId} to ${maxId}, as a JSON number.`)
}

/**
 * Splits chunks into numbered lines and skips blank ones. Long lines are cut to `maxBytes` + 1 bytes. Memory stays
 * below two chunks and one line.
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
    for (let end = bytes.indexOf(newlineByte); end >= 0; end = bytes.indexOf(newlineByte, start)) {
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
  return bytes.every((byte) => blankBytes.includes(byte))
}
