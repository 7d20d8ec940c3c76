import { constants, createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { NewPet, Pet } from '../../../core/index.ts'
import { ExistingIdError } from '../../backend/index.ts'
import type { StoreTask } from '../backends/open-store.ts'
import { formatCount } from '../cli/print.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import { readMaxNameLength, type Settings } from '../cli/settings.ts'
import { explain, toStartError, UsageError } from '../errors.ts'
import { type AnimalLine, readAnimals } from './ndjson.ts'

/**
 * How many recent lines are remembered, so that an error can name its line. A store inserts fewer animals per
 * statement, and each insert may fail.
 */
const maxRecentLines = 1_000

/**
 * Runs `import`: stores all animals from a file or from stdin (`-`), or none.
 *
 * @returns A task that rejects with a `StartError` if an animal cannot be stored.
 * @throws {UsageError} If the file cannot be read.
 */
export async function importAnimals(
  settings: Pick<Settings, 'keep-ids'>,
  path: string,
  { stdin }: ProcessContext,
): Promise<StoreTask> {
  const name = path === '-' ? 'stdin' : path
  const chunks = path === '-' ? stdin : await openFile(path)
  const options = { keepsIds: settings['keep-ids'] !== undefined, maxNameLength: readMaxNameLength(settings) }
  return async ({ store }) => {
    const recent: AnimalLine[] = []
    async function* animals(): AsyncGenerator<NewPet | Pet> {
      for await (const line of readAnimals(chunks, options)) {
        if (recent.push(line) > 2 * maxRecentLines) recent.splice(0, maxRecentLines)
        yield line.pet
      }
    }
    try {
      return `imported ${formatCount(await store.importPets(animals()), 'animal')} from ${name}\n`
    } catch (cause) {
      const existing = (pet: NewPet | Pet) =>
        cause instanceof ExistingIdError && 'id' in pet && pet.id === cause.id
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
    throw new UsageError(`cannot read ${path}: ${explain(cause, false)}`, { cause })
  }
}
