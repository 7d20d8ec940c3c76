import { closeSync, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** The messages of SQLite for a disk that is full or read-only, among other causes. */
const vague = /disk I\/O error|unable to open|readonly database/

/** Minimum space that SQLite needs to open a file, in bytes. Its shared memory has 32 KiB. */
const minBytes = 64 * 1024

/** Returns the problem of the disk when SQLite could not open a file; undefined if it is unknown. */
export function findDiskProblem(file: string, message: string): string | undefined {
  if (!vague.test(message)) return undefined
  try {
    closeSync(openSync(file, 'a', 0o600))
    const { bavail, bsize } = statfsSync(dirname(file))
    return bavail * bsize < minBytes ? 'is on a full disk: free some disk space' : undefined
  } catch (cause) {
    const isReadOnly = cause instanceof Error && 'code' in cause && cause.code === 'EROFS'
    return isReadOnly ? 'is on a read-only file system: name a file on another one' : undefined
  }
}
