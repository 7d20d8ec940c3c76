import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { NewPet, PetStatus } from '../../../core/index.ts'
import { readStorage } from '../cli/configuration.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { explain, StartError, UsageError } from '../errors.ts'
import { importOpener } from '../storage/storage.ts'
import { BadLines, readAnimals } from './ndjson.ts'
import { createProgress } from './progress.ts'

/** The status of an animal whose line has none, the same as the service's default. */
const defaultStatus: PetStatus = 'available'

/**
 * Adds the animals of a file to a storage, all of them or none. Resolves with the exit code 0. Rejects with
 * `UsageError`, or with `StartError` where the file or the storage cannot be used: then nothing is stored.
 */
export async function importAnimals(
  path: string,
  settings: Settings,
  { stdout, stderr }: Pick<ProcessContext, 'stdout' | 'stderr'>,
): Promise<number> {
  const open = importOpener(readStorage(settings))
  const size = await sizeOf(path)
  const { store, close } = await open()
  const progress = createProgress(stderr, size)
  try {
    const chunks = createReadStream(path, { highWaterMark: 1 << 20 })
    const count = await store.importPets(withStatus(readAnimals(progress.watch(chunks))))
    progress.end()
    stdout.write(`imported ${count} animals from ${path}\n`)
    return 0
  } catch (cause) {
    progress.end()
    const reason = cause instanceof BadLines ? `\n${cause.message}` : ` ${explain(cause, false)}`
    throw new StartError(`nothing was imported from ${path}:${reason}`, { cause })
  } finally {
    await close()
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${explain(cause, false)}`, { cause })
  }
}

async function* withStatus(pets: AsyncIterable<NewPet>): AsyncGenerator<NewPet> {
  for await (const pet of pets) yield pet.status ? pet : { ...pet, status: defaultStatus }
}
