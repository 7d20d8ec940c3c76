import { Fault, type NewPet, parseNewPet } from '../../core/index.ts'

/** As long as the body of createPet may be, in bytes. */
const maxLineBytes = 65_536

/** How many bad lines are told. */
const maxProblems = 100

const newline = 0x0a

/** The lines of a file that are no animals. */
export class BadLines extends Error {
  override readonly name = 'BadLines'
}

/**
 * Reads animals, one NewPet in JSON a line, checked as createPet checks a body. Blank lines are passed over. From the
 * first bad line on it yields no more, but reads on for others: at the end it throws `BadLines`, which tells the first
 * hundred with their numbers. It holds no more than a chunk and a line.
 */
export async function* readAnimals(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NewPet> {
  const problems: string[] = []
  let number = 0
  let bad = 0
  for await (const line of splitLines(chunks)) {
    number++
    const pet = readLine(line)
    if (pet instanceof Fault) {
      bad++
      if (problems.length < maxProblems) problems.push(`line ${number}: ${pet.message}`)
    } else if (pet && bad === 0) yield pet
  }
  if (bad === 0) return
  const more = bad > problems.length ? `\nand ${bad - problems.length} more` : ''
  throw new BadLines(`${problems.join('\n')}${more}`)
}

function readLine(line: Uint8Array): NewPet | Fault | undefined {
  if (line.length > maxLineBytes) {
    return new Fault('body_too_large', `The line must be at most ${maxLineBytes} bytes long.`)
  }
  if (line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) return undefined
  return parseNewPet(line)
}

/** Splits at each newline. Of a line that is too long to be an animal only so much is kept as shows that. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const tail = chunk.subarray(start, end)
      yield rest.length > 0 ? concat(rest, tail) : tail
      rest = new Uint8Array()
      start = end + 1
    }
    rest = concat(rest, chunk.subarray(start))
  }
  if (rest.length > 0) yield rest
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array {
  return Buffer.concat([head, tail]).subarray(0, maxLineBytes + 1)
}
