import { ApiError, type NewPet, parseNewPet } from '../../../core/index.ts'
import { splitLines } from './lines.ts'

/** The longest body of createPet, in bytes. */
const maxLineBytes = 65_536

/** How many bad lines are reported before reading stops. */
const maxProblems = 100

/** Lines of a file that are not animals. */
export class BadLines extends Error {
  override readonly name = 'BadLines'
}

/**
 * Reads animals from chunks of a file, one NewPet in JSON a line, validated as createPet validates a body. Blank lines
 * are skipped. After the first bad line it yields no more animals, but looks for further bad lines until the end of the
 * file or the hundredth of them. Then it throws `BadLines`, whose message has the number and the problem of each.
 */
export async function* readAnimals(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NewPet> {
  const problems: string[] = []
  for await (const { number, bytes } of splitLines(chunks, maxLineBytes)) {
    const pet = readLine(bytes)
    if (pet instanceof ApiError) {
      problems.push(`line ${number}: ${pet.message}`)
      if (problems.length === maxProblems) {
        problems.push(`… and stopped at line ${number} after ${maxProblems} bad lines`)
        break
      }
    } else if (problems.length === 0) yield pet
  }
  if (problems.length > 0) throw new BadLines(problems.join('\n'))
}

function readLine(bytes: Uint8Array): NewPet | ApiError {
  if (bytes.length > maxLineBytes) {
    return new ApiError('body_too_large', `The line must be at most ${maxLineBytes} bytes long.`)
  }
  return parseNewPet(bytes)
}
