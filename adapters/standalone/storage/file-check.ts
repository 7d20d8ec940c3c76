import { statSync } from 'node:fs'
import { StoreUnavailable } from '../../../core/index.ts'

/** How often the file system is asked before a call, in milliseconds. */
const checkMs = 1_000

/**
 * Checks that a database file is the one that was opened: `now`, or `recently` where that was less than a second ago.
 * Throws `StoreUnavailable` while it is not.
 */
export type FileCheck = (when: 'now' | 'recently') => void

/**
 * Creates a check of the file at `path` and of its write-ahead log. Create it after the file is opened. A program
 * writes to a removed file without an error, and everything is lost with the process. `clock` returns milliseconds.
 */
export function createFileCheck(path: string, clock: () => number = () => performance.now()): FileCheck {
  const files = [path, `${path}-wal`]
  const opened = files
    .map((file) => ({ file, identity: identityOf(file) }))
    .filter(({ identity }) => identity)
  let checkedAt = clock()
  let problem: StoreUnavailable | undefined

  function look(): void {
    checkedAt = clock()
    problem = undefined
    for (const { file, identity } of opened) {
      const found = identityOf(file)
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

/** Returns what distinguishes a file from another one at the same path; undefined where there is no file. */
function identityOf(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false })
  return status && `${status.dev} ${status.ino}`
}
