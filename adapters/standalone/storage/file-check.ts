import { statSync } from 'node:fs'
import { StoreUnavailable } from '../../../core/index.ts'

/** Minimum time between two checks before a call, in milliseconds. */
const checkMs = 1_000

/**
 * Checks that the path still leads to the database file that was opened. `recently` repeats a result of the last second.
 * Throws `StoreUnavailable` if it does not.
 */
export type FileCheck = (when: 'now' | 'recently') => void

/**
 * Creates a check of the file at `path` and of its write-ahead log. Create it after the file is opened. A program
 * writes to a removed file without an error, and everything is lost with the process. `clock` returns milliseconds.
 */
export function createFileCheck(path: string, clock: () => number = () => performance.now()): FileCheck {
  const files = [path, `${path}-wal`]
  const opened = files
    .map((file) => ({ file, identity: readIdentity(file) }))
    .filter(({ identity }) => identity)
  let checkedAt = clock()
  let problem: StoreUnavailable | undefined

  function look(): void {
    checkedAt = clock()
    problem = undefined
    for (const { file, identity } of opened) {
      const found = readIdentity(file)
      if (found === identity) continue
      const change = found === undefined ? 'was removed' : 'was replaced by another file'
      problem ??= new StoreUnavailable(
        `${file} ${change} while it was in use: bring it back, or restart the server`,
      )
    }
  }

  return (when) => {
    if (when === 'now' || clock() - checkedAt >= checkMs) look()
    if (problem) throw problem
  }
}

/** Returns an identity that another file at the same path does not have; undefined if the file does not exist. */
function readIdentity(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false })
  return status && `${status.dev} ${status.ino}`
}
