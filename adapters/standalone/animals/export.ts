import type { EventEmitter } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Pet, petToJson } from '../../../core/index.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { CommandError, explain } from '../errors.ts'
import { lastingStorage } from '../storage/storage.ts'
import { readStorage } from '../storage/storage-settings.ts'
import { animalCount } from './import.ts'
import { writeNewFile } from './replace-file.ts'

/** How many animals are written at once. */
const chunkLength = 1000

/**
 * Writes all animals of a storage with their ids, one in JSON a line, to a file, or to stdout for `-`. They are those of one
 * moment, also while servers use the storage. Resolves with the exit code 0. Rejects with `UsageError`, `StartError` or
 * `CommandError`, also after SIGINT or SIGTERM: then a file of that name is as it was.
 */
export async function exportAnimals(
  path: string,
  settings: Settings,
  context: ProcessContext,
): Promise<number> {
  const { stdout, events } = context
  const storage = lastingStorage(readStorage(settings), 'export')
  const { store, close } = await storage.openForCommand({ ...context, creates: false })
  let count = 0
  const interruption = interruptionOf(events)
  // A pipeline that is aborted waits for a query that runs, so it races.
  const write = (output: Writable): Promise<void> =>
    Promise.race([
      pipeline(Readable.from(linesOf(store.exportPets(), (more) => (count += more))), output, {
        end: output !== stdout,
      }),
      interruption,
    ])
  try {
    if (path === '-') await write(stdout)
    else await writeNewFile(path, write)
    if (path !== '-') stdout.write(`exported ${animalCount(count)} to ${path}\n`)
    return 0
  } catch (cause) {
    const problem = path === '-' ? 'the export to stdout is not complete' : `nothing was exported to ${path}`
    throw new CommandError(`${problem}: ${reasonOf(cause)}`, { cause })
  } finally {
    await close()
  }
}

/** Returns a promise that the first SIGINT or SIGTERM rejects. A second one ends the process, as it does without a listener. */
function interruptionOf(events: EventEmitter): Promise<never> {
  const interruption = new Promise<never>((_resolve, reject) => {
    for (const name of ['SIGINT', 'SIGTERM'])
      events.once(name, () => reject(new Error(`it was interrupted by ${name}`)))
  })
  interruption.catch(() => {}) // a signal before or after the writing
  return interruption
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && cause.code === 'EPIPE'
    ? 'its reader has closed it'
    : explain(cause, false)
}

/** Yields the lines of animals, many at once. */
async function* linesOf(pets: AsyncIterable<Pet>, add: (count: number) => void): AsyncGenerator<Buffer> {
  let lines: string[] = []
  for await (const pet of pets) {
    lines.push(`${petToJson(pet)}\n`)
    if (lines.length < chunkLength) continue
    yield Buffer.from(lines.join(''))
    add(lines.length)
    lines = []
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''))
  add(lines.length)
}
