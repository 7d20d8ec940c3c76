import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'

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
    await rename(partPath, target)
    await syncFolder(dirname(target))
  } finally {
    await file.close()
    await rm(partPath, { force: true })
  }
}

/** Writes the names of new files in a folder to disk, where the system supports it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
