import { ApiError, type NewPet, type Pet } from '../../../core/index.ts'
import {
  defaultMaxNameLength,
  int64OfJsonNumber,
  isApiError,
  type JsonDocument,
  parseJson,
  readNewPet,
} from '../../../core/internal.ts'
import { splitLines } from './lines.ts'

/** The longest body of createPet, in bytes. */
const maxLineBytes = 65_536

/** The ids that a store assigns. */
const [minId, maxId] = [1n, 2n ** 53n - 1n]

/** How many bad lines are reported before reading stops. */
const maxProblems = 100

/** Lines of a file that are not animals. */
export class BadLines extends Error {
  override readonly name = 'BadLines'
}

/**
 * Reads animals from chunks of a file, one in JSON a line, validated as createPet validates a body. Blank lines are
 * skipped. With `keepsIds`, an animal has the id of its line, if there is one. After the first bad line it yields no more animals, but looks for further bad lines until the end of the
 * file or the hundredth of them. Then it throws `BadLines`, whose message has the number and the problem of each.
 */
export async function* readAnimals(
  chunks: AsyncIterable<Uint8Array>,
  { keepsIds }: { keepsIds: boolean },
): AsyncGenerator<NewPet | Pet> {
  const problems: string[] = []
  for await (const { number, bytes } of splitLines(chunks, maxLineBytes)) {
    const pet = readLine(bytes, keepsIds)
    if (isApiError(pet)) {
      problems.push(`line ${number}: ${pet.message}`)
      if (problems.length === maxProblems) {
        problems.push(`… and stopped at line ${number} after ${maxProblems} bad lines`)
        break
      }
    } else if (problems.length === 0) yield pet
  }
  if (problems.length > 0) throw new BadLines(problems.join('\n'))
}

function readLine(bytes: Uint8Array, keepsIds: boolean): NewPet | Pet | ApiError {
  if (bytes.length > maxLineBytes) {
    return new ApiError('body_too_large', `The line must be at most ${maxLineBytes} bytes long.`)
  }
  const document = parseJson(bytes)
  if (!document) return new ApiError('invalid_json', 'The line must be a JSON document in UTF-8.')
  const pet = readNewPet(document, defaultMaxNameLength)
  return isApiError(pet) || !keepsIds ? pet : withId(pet, document)
}

function withId(pet: NewPet, { value, numberText }: JsonDocument): NewPet | Pet | ApiError {
  const { id } = value as { id?: unknown } // readNewPet has accepted the object
  if (id === undefined) return pet
  const exact = int64OfJsonNumber(numberText('id') ?? '')
  return typeof id === 'number' && typeof exact === 'bigint' && exact >= minId && exact <= maxId
    ? { id: exact, ...pet }
    : new ApiError('invalid_pet', `"id" must be an integer from ${minId} to ${maxId}, as a JSON number.`)
}
