import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/**
 * Writes a file that only its owner may read. It replaces one of the same name once it is complete and on disk; if
 * `write` rejects, that one stays. A symbolic link is followed. A pipe or a device is written to as it is.
 */
export async function writeNewFile(path: string, write: (output: Writable) => Promise<void>): Promise<void> {
  const existing = await stat(path).catch(() => undefined)
  if (existing && !existing.isFile()) return write(createWriteStream(path))
  const target = existing ? await realpath(path) : path
  const partPath = `${target}.${randomBytes(4).toString('hex')}.part`
  const file = await open(partPath, 'wx', 0o600)
  try {
    await write(file.createWriteStream({ flush: true }))
    await file.close()
    await renameOver(partPath, target)
    await syncFolder(dirname(target))
  } finally {
    await file.close()
    await rm(partPath, { force: true })
  }
}

/** How often Windows is asked to replace a file that another program has open, such as a scanner for viruses. */
const attemptsOnWindows = 100
/** How long it waits between two attempts, in milliseconds. */
const retryMs = 50
const openElsewhere = /^(?:EPERM|EACCES|EBUSY)$/

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
      const { code = '' } = cause as NodeJS.ErrnoException // all that it rejects with
      if (attempts === 1 || !openElsewhere.test(code)) throw cause
      if (attempt === attempts)
        throw new Error(`another program has ${to} open: close it there, and try again`, { cause })
    }
  }
}

/** Writes the names of new files in a folder to disk, where the system supports it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
