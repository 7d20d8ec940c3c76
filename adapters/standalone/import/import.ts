import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { NewPet } from '../../../core/index.ts'
import { readStorage } from '../cli/configuration.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { explain, StartError, UsageError } from '../errors.ts'
import { openPostgresForImport } from '../storage/postgres.ts'
import { openSqlite } from '../storage/sqlite.ts'
import { BadLines, readAnimals } from './ndjson.ts'
import { createProgress } from './progress.ts'

/**
 * Adds the animals of a file, all of them or none. Resolves with 0; rejects with `UsageError`, or with `StartError`
 * where the file or the storage cannot be used: then nothing of it is kept.
 */
export async function importAnimals(
  path: string,
  settings: Settings,
  program: ProcessContext,
): Promise<number> {
  const choice = readStorage(settings)
  if (!choice || choice.kind === 'memory') {
    throw new UsageError('import needs a place to put the animals: --data FILE or --postgres URL')
  }
  const size = await sizeOf(path)
  const { store, close } =
    choice.kind === 'data'
      ? openSqlite(choice.value, choice.source)
      : await openPostgresForImport(choice.value, choice.source)
  const progress = createProgress(program.stderr, size)
  try {
    const chunks = createReadStream(path, { highWaterMark: 1 << 20 })
    const count = await store.importPets(withStatus(readAnimals(progress.watch(chunks))))
    progress.end()
    program.stdout.write(`imported ${count} animals from ${path}\n`)
    return 0
  } catch (cause) {
    progress.end()
    const why = cause instanceof BadLines ? `\n${cause.message}` : ` ${explain(cause, false)}`
    throw new StartError(`nothing was imported from ${path}:${why}`, { cause })
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

/** The same default as the service's. */
async function* withStatus(pets: AsyncIterable<NewPet>): AsyncGenerator<NewPet> {
  for await (const pet of pets) yield pet.status ? pet : { ...pet, status: 'available' }
}
