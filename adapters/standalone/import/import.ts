import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { NewPet, PetStatus } from '../../../core/index.ts'
import { animalCount } from '../animals/animal-count.ts'
import type { CommandContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { readStorage } from '../cli/storage-settings.ts'
import { explain, StartError, UsageError } from '../errors.ts'
import { animalsOpener } from '../storage/storage.ts'
import { BadLines, readAnimals } from './ndjson.ts'
import { createProgress } from './progress.ts'

/** The status of an animal whose line has none, the same as the service's default. */
const defaultStatus: PetStatus = 'available'

/**
 * Adds the animals of a file, or of stdin for `-`, to a storage, all of them or none. Resolves with the exit code 0. Rejects
 * with `UsageError`, or with `StartError` where the file or the storage cannot be used: then nothing is stored.
 */
export async function importAnimals(
  path: string,
  settings: Settings,
  context: CommandContext,
): Promise<number> {
  const { stdin, stdout, stderr } = context
  const open = animalsOpener(readStorage(settings), 'import', { ...context, creates: true })
  const { chunks, size, name } = path === '-' ? fromStdin(stdin) : await fromFile(path)
  const { store, close } = await open()
  const progress = createProgress(stderr, size)
  const keepsIds = settings['keep-ids'] !== undefined
  try {
    const animals = readAnimals(progress.watch(chunks), { keepsIds })
    const count = await store.importPets(keepsIds ? animals : withStatus(animals))
    progress.end()
    stdout.write(`imported ${animalCount(count)} from ${name}\n`)
    return 0
  } catch (cause) {
    progress.end()
    const reason = cause instanceof BadLines ? `\n${cause.message}` : ` ${explain(cause, false)}`
    throw new StartError(`nothing was imported from ${name}:${reason}`, { cause })
  } finally {
    await close()
  }
}

/** What is imported. */
interface Source {
  readonly chunks: AsyncIterable<Uint8Array>
  /** In bytes; undefined if it is not known. */
  readonly size: number | undefined
  readonly name: string
}

function fromStdin(stdin: AsyncIterable<Uint8Array>): Source {
  return { chunks: stdin, size: undefined, name: 'stdin' }
}

async function fromFile(path: string): Promise<Source> {
  try {
    const { size } = await stat(path)
    return { chunks: createReadStream(path, { highWaterMark: 1 << 20 }), size, name: path }
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${explain(cause, false)}`, { cause })
  }
}

async function* withStatus(pets: AsyncIterable<NewPet>): AsyncGenerator<NewPet> {
  for await (const pet of pets) yield pet.status ? pet : { ...pet, status: defaultStatus }
}
