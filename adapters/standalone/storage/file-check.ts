import { statSync } from 'node:fs'
import { type PetStore, StoreUnavailable } from '../../../core/index.ts'

/** How often the file system is asked, in milliseconds. */
const checkMs = 1_000

/**
 * Wraps a store of a database file: while the file at `path` is not the one that was opened, every method throws
 * `StoreUnavailable`. A program writes to a removed file without an error, and everything is lost with the process.
 * Create it after the file is opened. The file is checked at most once a second; `clock` returns milliseconds.
 */
export function withFileCheck(
  store: PetStore,
  path: string,
  clock: () => number = () => performance.now(),
): PetStore {
  const opened = identityOf(path)
  let checkedAt = clock()
  let found = opened

  function check(): void {
    const now = clock()
    if (now - checkedAt >= checkMs) {
      checkedAt = now
      found = identityOf(path)
    }
    if (found === opened) return
    const change = found === undefined ? 'was removed' : 'was replaced by another file'
    throw new StoreUnavailable(`${path} ${change} while it was in use: bring it back, or restart the server`)
  }

  return {
    create(pet) {
      check()
      return store.create(pet)
    },
    get(id) {
      check()
      return store.get(id)
    },
    list(query) {
      check()
      return store.list(query)
    },
  }
}

/** Returns what distinguishes a file from another one at the same path; undefined where there is no file. */
function identityOf(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false })
  return status && `${status.dev} ${status.ino}`
}
