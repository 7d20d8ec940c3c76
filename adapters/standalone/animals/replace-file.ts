import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/**
 * Writes a file that only its owner may read. It replaces one of the same name once it is complete and on disk; if `write`
 * rejects, that one stays. A symbolic link is followed. A pipe or a device is written to as it is.
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

/** How long Windows is asked again to replace a file that is open, and how often, in milliseconds. */
const [waitMs, retryMs] = [5_000, 50]

/** The codes with which Windows refuses to replace a file that another program has open, such as one that searches it for viruses. */
const openElsewhere = /^(?:EPERM|EACCES|EBUSY)$/

/**
 * Gives a file the name of another one, which it replaces.
 *
 * @param system - The platform and its functions, but in tests those of this process.
 */
export async function renameOver(
  from: string,
  to: string,
  system: { platform: string; rename: typeof rename; now(): number } = {
    platform: process.platform,
    rename,
    now: () => performance.now(),
  },
): Promise<void> {
  for (const deadline = system.now() + waitMs; ; await setTimeout(retryMs)) {
    try {
      return await system.rename(from, to)
    } catch (cause) {
      const isOpen = cause instanceof Error && 'code' in cause && openElsewhere.test(String(cause.code)) // its type is unknown
      if (system.platform !== 'win32' || !isOpen) throw cause
      if (system.now() >= deadline)
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
