import { constants, createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { CommandContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { explain, StartError, UsageError } from '../errors.ts'
import { lastingStorage } from '../storage/storage.ts'
import { readStorage } from '../storage/storage-settings.ts'
import { animalCount, type Counter, createCounter } from './counter.ts'
import { BadLines, readAnimals } from './ndjson.ts'

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
  try {
    const animals = readAnimals(chunks, { keepsIds: settings['keep-ids'] !== undefined })
    const count = await store.importPets(counted(animals, counter))
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

async function fromFile(path: string): Promise<{ chunks: AsyncIterable<Uint8Array>; name: string }> {
  try {
    await access(path, constants.R_OK)
    return { chunks: createReadStream(path, { highWaterMark: 1 << 20 }), name: path }
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${explain(cause, false)}`, { cause })
  }
}

/** Counts animals as they are read. */
async function* counted<T>(pets: AsyncIterable<T>, { add }: Counter): AsyncGenerator<T> {
  for await (const pet of pets) {
    add(1)
    yield pet
  }
}
