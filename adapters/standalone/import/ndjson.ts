import { ApiError, type NewPet, parseNewPet } from '../../../core/index.ts'
import { isApiError } from '../../../core/internal.ts'
import { splitLines } from './lines.ts'

/** As long as the body of createPet may be, in bytes. */
const maxLineBytes = 65_536

/** How many bad lines are reported before reading stops. */
const maxProblems = 100

/** The lines of a file that are no animals. */
export class BadLines extends Error {
  override readonly name = 'BadLines'
}

/**
 * Reads animals, one NewPet in JSON a line, checked as createPet checks a body. Blank lines are passed over. After the
 * first bad line it yields no more animals, but reads on for other bad lines. At the end, or at the hundredth of them,
 * where it stops reading, it throws `BadLines`, whose message has the number and the problem of each.
 */
export async function* readAnimals(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NewPet> {
  const problems: string[] = []
  let number = 0
  for await (const line of splitLines(chunks, maxLineBytes)) {
    number++
    const pet = readLine(line)
    if (isApiError(pet)) {
      problems.push(`line ${number}: ${pet.message}`)
      if (problems.length === maxProblems) {
        problems.push(`… and stopped at line ${number} after ${maxProblems} bad lines`)
        break
      }
    } else if (pet && problems.length === 0) yield pet
  }
  if (problems.length > 0) throw new BadLines(problems.join('\n'))
}

function readLine(line: Uint8Array): NewPet | ApiError | undefined {
  if (line.length > maxLineBytes) {
    return new ApiError('body_too_large', `The line must be at most ${maxLineBytes} bytes long.`)
  }
  if (line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) return undefined
  return parseNewPet(line)
}
