import { constants, createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { NewPet, Pet } from '../../../core/index.ts'
import { ExistingId } from '../../sql/store.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import { readMaxNameLength, type Settings } from '../cli/settings.ts'
import { explain, toStartError, UsageError } from '../errors.ts'
import type { Work } from '../storage/open-storage.ts'
import { type AnimalLine, readAnimals } from './ndjson.ts'

/** More animals than one INSERT of a store has. Each of them may be the one that fails. */
const maxRecent = 1_000

/**
 * Adds the animals of a file, or of stdin for `-`, to a storage, all of them or none. Rejects with `UsageError` for a
 * file that cannot be read, and the work with `StartError`: then nothing is stored.
 */
export async function importAnimals(
  settings: Pick<Settings, 'keep-ids'>,
  path: string,
  { stdin }: ProcessContext,
): Promise<Work> {
  const name = path === '-' ? 'stdin' : path
  const chunks = path === '-' ? stdin : await openFile(path)
  const options = { keepsIds: settings['keep-ids'] !== undefined, maxNameLength: readMaxNameLength(settings) }
  return async ({ store }) => {
    const recent: AnimalLine[] = []
    async function* animals(): AsyncGenerator<NewPet | Pet> {
      for await (const line of readAnimals(chunks, options)) {
        if (recent.push(line) > 2 * maxRecent) recent.splice(0, maxRecent)
        yield line.pet
      }
    }
    try {
      return `imported ${formatAnimalCount(await store.importPets(animals()))} from ${name}\n`
    } catch (cause) {
      const existing = (pet: NewPet | Pet) =>
        cause instanceof ExistingId && 'id' in pet && pet.id === cause.id
      const place = recent.findLast(({ pet }) => existing(pet))?.number
      throw toStartError(`nothing was imported from ${name}${place ? `: line ${place}` : ''}`, cause)
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
export function formatAnimalCount(count: number): string {
  return count === 1 ? '1 animal' : `${count} animals`
}
