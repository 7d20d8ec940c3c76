import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { type Pet, petToJson } from '../../../core/index.ts'
import type { StoreTask } from '../backends/open-store.ts'
import { formatCount } from '../cli/print.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { NoSettings } from '../cli/settings.ts'
import { CommandError, explain } from '../errors.ts'

/** Animals per chunk. */
const linesPerChunk = 1000

/**
 * Runs `export`: writes a consistent snapshot with one JSON line per animal, to a file or to stdout (`-`).
 *
 * The command rejects with a `CommandError` if the export fails or is interrupted. An existing file is then unchanged.
 */
export function exportAnimals(
  _settings: NoSettings,
  path: string,
  { stdout, events }: ProcessContext,
): StoreTask {
  return async ({ store }) => {
    let count = 0
    const interruption = rejectOnInterrupt(events)
    // An aborted pipeline waits for its running query. The race does not.
    const write = (output: Writable): Promise<void> => {
      const lines = Readable.from(generateChunks(store.exportPets(), () => count++))
      return Promise.race([pipeline(lines, output, { end: output !== stdout }), interruption])
    }
    try {
      if (path === '-') await write(stdout)
      else await writeFile(path, write)
    } catch (cause) {
      const problem = path === '-' ? 'the export to stdout is incomplete' : `nothing was exported to ${path}`
      throw new CommandError(`${problem}: ${explainFailure(cause)}`, { cause })
    }
    return path === '-' ? '' : `exported ${formatCount(count, 'animal')} to ${path}\n`
  }
}

/**
 * Writes a file that only its owner may read. The file replaces an existing one only when it is complete and on disk.
 * Symbolic links are followed. Devices and pipes are written directly.
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

/**
 * Maximum attempts to rename a file. On Windows, renaming fails while another program, such as a virus scanner, has the
 * file open.
 */
const attemptsOnWindows = 100
/** Pause between attempts, in milliseconds. */
const retryMs = 50

/**
 * Renames a file over another. On Windows, renaming is retried for 5 seconds while another program has the target open.
 *
 * @throws {Error} If the last attempt fails.
 */
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
        throw new Error(`another program has ${to} open: close it and try again`, { cause })
    }
  }
}

/** Returns a promise that rejects on the first SIGINT or SIGTERM. */
function rejectOnInterrupt(events: EventEmitter): Promise<never> {
  const interruption = new Promise<never>((_resolve, reject) => {
    for (const name of ['SIGINT', 'SIGTERM'])
      events.once(name, () => reject(new Error(`interrupted by ${name}`)))
  })
  interruption.catch(() => {}) // a signal may arrive before or after writing
  return interruption
}

function explainFailure(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && cause.code === 'EPIPE'
    ? 'the reader closed the pipe'
    : explain(cause, false)
}

/** Yields JSON lines in chunks, and calls `onPet` for each animal. */
async function* generateChunks(pets: AsyncIterable<Pet>, onPet: () => void): AsyncGenerator<Buffer> {
  let lines: string[] = []
  for await (const pet of pets) {
    onPet()
    if (lines.push(`${petToJson(pet)}\n`) < linesPerChunk) continue
    yield Buffer.from(lines.join(''))
    lines = []
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''))
}
