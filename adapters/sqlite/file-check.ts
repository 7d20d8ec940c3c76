import { statSync } from 'node:fs'
import { StoreUnavailableError } from '../../core/index.ts'

const checkIntervalMs = 1_000

/**
 * Throws a `StoreUnavailableError` if the open database file was removed or replaced. With `recently`, a result from
 * the last second is enough.
 */
export type FileCheck = (when: 'now' | 'recently') => void

/**
 * Creates a check for a database file and its write-ahead log. Call this function after the file is opened. Without the
 * check, a program could write to a removed file without an error, and everything would be lost when it exits.
 *
 * @param clock - Returns milliseconds.
 */
export function createFileCheck(path: string, clock: () => number = () => performance.now()): FileCheck {
  const files = [path, `${path}-wal`]
  const watchedFiles = files
    .map((file) => ({ file, identity: readIdentity(file) }))
    .filter(({ identity }) => identity)
  let checkedAt = clock()
  let problem: StoreUnavailableError | undefined

  function checkFiles(): void {
    checkedAt = clock()
    problem = undefined
    for (const { file, identity } of watchedFiles) {
      const found = readIdentity(file)
      if (found === identity) continue
      const change = found === undefined ? 'was removed' : 'was replaced by another file'
      problem ??= new StoreUnavailableError(
        `${file} ${change} while it was in use: restore it, or restart the server`,
      )
    }
  }

  return (when) => {
    if (when === 'now' || clock() - checkedAt >= checkIntervalMs) checkFiles()
    if (problem) throw problem
  }
}

/** Returns a file's device and inode, or `undefined` if the file does not exist. */
function readIdentity(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false })
  return status && `${status.dev} ${status.ino}`
}
