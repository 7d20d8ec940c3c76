import { type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CommandError } from '../errors.ts'
import { syncFolder } from '../sync-folder.ts'

/** How long a change waits for one that is under way, in milliseconds. */
const defaultWaitMs = 5_000
/** How often it tries, in milliseconds. */
const retryMs = 50

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
  const file = await openLock(lockPath, waitMs)
  let isRenamed = false
  try {
    const exists = (await stat(target).catch(() => undefined)) !== undefined
    const text = change(exists ? target : undefined)
    if (text === undefined) return
    await file.writeFile(text)
    if (exists) await copyOwnerAndMode(target, file)
    await file.sync()
    await file.close()
    await rename(lockPath, target)
    isRenamed = true
    await syncFolder(dirname(target))
  } finally {
    await file.close()
    if (!isRenamed) await rm(lockPath, { force: true })
  }
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
