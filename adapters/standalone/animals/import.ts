import { constants, createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { CommandLine } from '../cli/command-line.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import { explain, startErrorOf, UsageError } from '../errors.ts'
import type { Work } from '../storage/open-storage.ts'
import { readAnimals } from './ndjson.ts'

/**
 * Adds the animals of a file, or of stdin for `-`, to a storage, all of them or none. Rejects with `UsageError` for a
 * file that cannot be read, and the work with `StartError`: then nothing is stored.
 */
export async function importAnimals(
  { operand: path, settings }: CommandLine,
  { stdin }: ProcessContext,
): Promise<Work> {
  const name = path === '-' ? 'stdin' : path
  const chunks = path === '-' ? stdin : await openFile(path)
  return async ({ store }) => {
    try {
      const animals = readAnimals(chunks, { keepsIds: settings['keep-ids'] !== undefined })
      return `imported ${animalCount(await store.importPets(animals))} from ${name}\n`
    } catch (cause) {
      throw startErrorOf(`nothing was imported from ${name}`, cause)
    }
  }
}

async function openFile(path: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    await access(path, constants.R_OK)
    return createReadStream(path, { highWaterMark: 1 << 20 })
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${explain(cause, false)}`, { cause })
  }
}

/** Returns a number of animals in words, such as `1 animal` or `2 animals`. */
export function animalCount(count: number): string {
  return count === 1 ? '1 animal' : `${count} animals`
}
