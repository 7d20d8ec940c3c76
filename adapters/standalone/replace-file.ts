import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { CommandError } from './errors.ts'

/** How long a change waits for one that is under way, in milliseconds. */
const defaultWaitMs = 5_000
/** How often it tries, in milliseconds. */
const retryMs = 50

/**
 * Writes a file that only its owner may read. It replaces one of the same name once it is complete and on disk; if `write`
 * rejects, that one stays. A symbolic link is followed. A pipe or a device is written to as it is.
 */
export async function writeNewFile(path: string, write: (output: Writable) => Promise<void>): Promise<void> {
  const existing = await stat(path).catch(() => undefined)
  if (existing && !existing.isFile()) return write(createWriteStream(path))
  const target = existing ? await realpath(path) : path
  const partPath = `${target}.${randomBytes(4).toString('hex')}.part`
  await replace(target, partPath, await open(partPath, 'wx', 0o600), async (file) => {
    await write(file.createWriteStream({ flush: true }))
    return true
  })
}

/**
 * Replaces a file with what `change` returns, so that a reader finds either the old file or the new one, and no other change
 * comes in between. The new content is in a file of the same folder, `NAME.lock`, until it is on disk; that file is also the
 * lock. A new file has the mode 0600; a file that exists retains its mode and owner. A symbolic link is followed.
 *
 * @param change Receives the path of the file, absent if there is none, and returns the new content, or undefined for no change.
 * @throws {CommandError} The lock is not released, or the file cannot retain its owner.
 */
export async function changeFile(
  path: string,
  change: (existing: string | undefined) => string | undefined,
  { waitMs = defaultWaitMs }: { waitMs?: number } = {},
): Promise<void> {
  const target = await findTarget(path)
  const lockPath = `${target}.lock`
  await replace(target, lockPath, await openLock(lockPath, waitMs), async (file) => {
    const exists = (await stat(target).catch(() => undefined)) !== undefined
    const text = change(exists ? target : undefined)
    if (text === undefined) return false
    await file.writeFile(text)
    if (exists) await copyOwnerAndMode(target, file)
    await file.sync()
    return true
  })
}

/** Writes a file to disk, and gives it the name `target` then. Removes it if `write` rejects, or resolves with false. */
async function replace(
  target: string,
  partPath: string,
  file: FileHandle,
  write: (file: FileHandle) => Promise<boolean>,
): Promise<void> {
  let isRenamed = false
  try {
    if (!(await write(file))) return
    await file.close()
    await rename(partPath, target)
    isRenamed = true
    await syncFolder(dirname(target))
  } finally {
    await file.close()
    if (!isRenamed) await rm(partPath, { force: true })
  }
}

/** Writes the names of new files in a folder to disk, where the system supports it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/** Returns the file that a path leads to, which need not exist. */
async function findTarget(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (cause) {
    if (!isError(cause, 'ENOENT')) throw cause
    if ((await lstat(path).catch(() => undefined))?.isSymbolicLink())
      throw new CommandError(
        `${path} is a link to a file that does not exist: create that file, or remove the link`,
      )
    return resolve(path)
  }
}

async function openLock(path: string, waitMs: number): Promise<FileHandle> {
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      return await open(path, 'wx', 0o600)
    } catch (cause) {
      if (!isError(cause, 'EEXIST')) throw cause
      if (performance.now() >= deadline)
        throw new CommandError(
          `${path} exists, so another command is changing the file: wait for it, or remove ${path} if none is running`,
        )
    }
    await setTimeout(retryMs)
  }
}

/** A server that runs as the owner or the group of the file can then read the new one, and no one else. */
async function copyOwnerAndMode(path: string, file: FileHandle): Promise<void> {
  const [old, own] = [await stat(path), await file.stat()]
  if (old.uid !== own.uid || old.gid !== own.gid) {
    await file.chown(old.uid, old.gid).catch((cause: unknown) => {
      const problem = 'belongs to another user or group, who could not read the new file'
      throw new CommandError(`${path} ${problem}: run the command as that user or as root`, { cause })
    })
  }
  await file.chmod(old.mode & 0o777)
}

function isError(cause: unknown, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code
}
