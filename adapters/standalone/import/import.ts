import { constants, createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { NewPet, PetStatus } from '../../../core/index.ts'
import { animalCount, type Counter, createCounter } from '../animals/counter.ts'
import type { CommandContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { explain, StartError, UsageError } from '../errors.ts'
import { lastingStorage } from '../storage/storage.ts'
import { readStorage } from '../storage/storage-settings.ts'
import { BadLines, readAnimals } from './ndjson.ts'

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
  const storage = lastingStorage(readStorage(settings), 'import')
  const { chunks, name } = path === '-' ? { chunks: stdin, name: 'stdin' } : await fromFile(path)
  const { store, close } = await storage.openForCommand({ ...context, creates: true })
  const counter = createCounter(stderr, 'read')
  const keepsIds = settings['keep-ids'] !== undefined
  try {
    const animals = readAnimals(chunks, { keepsIds })
    const count = await store.importPets(prepared(animals, keepsIds, counter))
    counter.end()
    stdout.write(`imported ${animalCount(count)} from ${name}\n`)
    return 0
  } catch (cause) {
    counter.end()
    const reason = cause instanceof BadLines ? `\n${cause.message}` : ` ${explain(cause, false)}`
    throw new StartError(`nothing was imported from ${name}:${reason}`, { cause })
  } finally {
    await close()
  }
}

/** What is imported. */
interface Source {
  readonly chunks: AsyncIterable<Uint8Array>
  readonly name: string
}

async function fromFile(path: string): Promise<Source> {
  try {
    await access(path, constants.R_OK)
    return { chunks: createReadStream(path, { highWaterMark: 1 << 20 }), name: path }
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${explain(cause, false)}`, { cause })
  }
}

/** Counts animals, and gives those without a status the default one, unless they keep what they have. */
async function* prepared(
  pets: AsyncIterable<NewPet>,
  keeps: boolean,
  { add }: Counter,
): AsyncGenerator<NewPet> {
  for await (const pet of pets) {
    add(1)
    yield keeps || pet.status ? pet : { ...pet, status: defaultStatus }
  }
}
