import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { type Pet, petToJson } from '../../../core/index.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { NoSettings } from '../cli/settings.ts'
import { CommandError, explain } from '../errors.ts'
import type { Work } from '../storage/open-storage.ts'
import { formatAnimalCount } from './import.ts'

/** Number of animals in one write. */
const chunkLength = 1000

/**
 * Writes a consistent snapshot of all animals with their ids, as lines of JSON, to a file, or to stdout for `-`. Rejects
 * with `CommandError`, also after SIGINT or SIGTERM: then a file of that name is unchanged.
 */
export function exportAnimals(_settings: NoSettings, path: string, { stdout, events }: ProcessContext): Work {
  return async ({ store }) => {
    let count = 0
    const interruption = rejectOnInterrupt(events)
    // A pipeline that is aborted waits for a query that runs, so it races.
    const write = (output: Writable): Promise<void> => {
      const lines = Readable.from(linesOf(store.exportPets(), () => count++))
      return Promise.race([pipeline(lines, output, { end: output !== stdout }), interruption])
    }
    try {
      if (path === '-') await write(stdout)
      else await writeFile(path, write)
    } catch (cause) {
      const problem =
        path === '-' ? 'the export to stdout is not complete' : `nothing was exported to ${path}`
      throw new CommandError(`${problem}: ${explainFailure(cause)}`, { cause })
    }
    return path === '-' ? '' : `exported ${formatAnimalCount(count)} to ${path}\n`
  }
}

/**
 * Writes a file that only its owner may read. It replaces one of the same name once it is complete and on disk; if
 * `write` rejects, that one stays. A symbolic link is followed. A pipe or a device is written to as it is.
 */
async function writeFile(path: string, write: (output: Writable) => Promise<void>): Promise<void> {
  const existing = await stat(path).catch(() => undefined)
  if (existing && !existing.isFile()) return write(createWriteStream(path))
  const target = existing ? await realpath(path) : path
  const partPath = `${target}.${randomBytes(4).toString('hex')}.part`
  const file = await open(partPath, 'wx', 0o600)
  try {
    await write(file.createWriteStream({ flush: true }))
    await file.close()
    await renameOver(partPath, target)
  } finally {
    await file.close()
    await rm(partPath, { force: true })
  }
}

/** Maximum number of attempts to replace a file that another program of Windows, such as a virus scanner, has open. */
const attemptsOnWindows = 100
/** Pause between two attempts, in milliseconds. */
const retryMs = 50

/** Gives a file the name of another one, which it replaces. Tests pass another function and number of attempts. */
export async function renameOver(
  from: string,
  to: string,
  renameOnce: typeof rename = rename,
  attempts: number = process.platform === 'win32' ? attemptsOnWindows : 1,
): Promise<void> {
  for (let attempt = 1; ; attempt++, await setTimeout(retryMs)) {
    try {
      return await renameOnce(from, to)
    } catch (cause) {
      if (attempts === 1 || !/EPERM|EACCES|EBUSY/.test(String(cause))) throw cause
      if (attempt === attempts)
        throw new Error(`another program has ${to} open: close it there, and try again`, { cause })
    }
  }
}

/** Returns a promise that the first SIGINT or SIGTERM rejects. A second one ends the process. */
function rejectOnInterrupt(events: EventEmitter): Promise<never> {
  const interruption = new Promise<never>((_resolve, reject) => {
    for (const name of ['SIGINT', 'SIGTERM'])
      events.once(name, () => reject(new Error(`it was interrupted by ${name}`)))
  })
  interruption.catch(() => {}) // a signal before or after the writing
  return interruption
}

function explainFailure(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && cause.code === 'EPIPE'
    ? 'its reader has closed it'
    : explain(cause, false)
}

/** Yields the lines of animals, many at once. */
async function* linesOf(pets: AsyncIterable<Pet>, onPet: () => void): AsyncGenerator<Buffer> {
  let lines: string[] = []
  for await (const pet of pets) {
    onPet()
    if (lines.push(`${petToJson(pet)}\n`) < chunkLength) continue
    yield Buffer.from(lines.join(''))
    lines = []
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''))
}
