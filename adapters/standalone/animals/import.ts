import { constants, createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { NewPet, Pet } from '../../../core/index.ts'
import { ExistingId } from '../../sql/existing-id.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { explain, StartError, UsageError } from '../errors.ts'
import { lastingStorage } from '../storage/storage.ts'
import { readStorage } from '../storage/storage-settings.ts'
import { BadLines, readAnimals } from './ndjson.ts'

/** More animals than a storage holds back before it stores them. */
const maxRecent = 2_000

/**
 * Adds the animals of a file, or of stdin for `-`, to a storage, all of them or none. Resolves with the exit code 0. Rejects
 * with `UsageError`, or with `StartError` where the file or the storage cannot be used: then nothing is stored.
 */
export async function importAnimals(
  path: string,
  settings: Settings,
  context: ProcessContext,
): Promise<number> {
  const { stdin, stdout } = context
  const storage = lastingStorage(readStorage(settings), 'import')
  const { chunks, name } = path === '-' ? { chunks: stdin, name: 'stdin' } : await fromFile(path)
  const { store, close } = await storage.openForCommand({ ...context, creates: true })
  /** The lines of the ids that were read last. */
  const recent = new Map<bigint, number>()
  async function* animals(): AsyncGenerator<NewPet | Pet> {
    for await (const { pet, line } of readAnimals(chunks, { keepsIds: settings['keep-ids'] !== undefined })) {
      if ('id' in pet) {
        recent.delete(pet.id)
        recent.set(pet.id, line)
        const [oldest] = recent.keys()
        if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest)
      }
      yield pet
    }
  }
  try {
    const count = await store.importPets(animals())
    stdout.write(`imported ${animalCount(count)} from ${name}\n`)
    return 0
  } catch (cause) {
    const line = cause instanceof ExistingId && recent.get(cause.id)
    let reason = ` ${explain(cause, false)}`
    if (cause instanceof BadLines) reason = `\n${cause.message}`
    else if (line) reason = `\nline ${line}: ${cause.message}`
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

/** Returns a number of animals in words, such as `1 animal` or `2 animals`. */
export function animalCount(count: number): string {
  return count === 1 ? '1 animal' : `${count} animals`
}
