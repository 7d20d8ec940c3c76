import { statSync } from 'node:fs'
import { type MaybePromise, type PetStore, StoreUnavailable } from '../../../core/index.ts'
import { chain } from '../../../core/internal.ts'

/** How often the file system is asked before a call, in milliseconds. */
const checkMs = 1_000

/** Checks that a database file is the one that was opened. Both methods throw `StoreUnavailable` while it is not. */
export interface FileCheck {
  /** Asks the file system, unless it did so less than a second ago. */
  recent(): void
  /** Asks the file system. */
  now(): void
}

/**
 * Creates a check of the file at `path` and of its write-ahead log. Create it after the file is opened. A program writes to a
 * removed file without an error, and everything is lost with the process. `clock` returns milliseconds.
 */
export function createFileCheck(path: string, clock: () => number = () => performance.now()): FileCheck {
  const files = [path, `${path}-wal`].filter((file) => identityOf(file) !== undefined)
  const opened = files.map(identityOf)
  let checkedAt = clock()
  let problem: string | undefined

  function problemNow(): string | undefined {
    const found = files.map(identityOf)
    const index = found.findIndex((identity, i) => identity !== opened[i])
    if (index < 0) return undefined
    const change = found[index] === undefined ? 'was removed' : 'was replaced by another file'
    return `${files[index]} ${change} while it was in use: bring it back, or restart the server`
  }

  function now(): void {
    checkedAt = clock()
    problem = problemNow()
    if (problem !== undefined) throw new StoreUnavailable(problem)
  }

  return {
    now,
    recent() {
      if (clock() - checkedAt >= checkMs) now()
      else if (problem !== undefined) throw new StoreUnavailable(problem)
    },
  }
}

/** Wraps a store of a database file: reads are checked at most once a second, and each change again when it is committed. */
export function withFileCheck(store: PetStore, check: FileCheck): PetStore {
  const checked =
    <Parameters extends unknown[], Result>(method: (...parameters: Parameters) => Result) =>
    (...parameters: Parameters): Result => {
      check.recent()
      return method.apply(store, parameters)
    }
  /** A change that was committed to a file that is gone must not be acknowledged. */
  const checkedTwice =
    <Parameters extends unknown[], Result>(method: (...parameters: Parameters) => MaybePromise<Result>) =>
    (...parameters: Parameters): MaybePromise<Result> => {
      check.recent()
      return chain(method.apply(store, parameters), (result) => {
        check.now()
        return result
      })
    }
  const { create, get, list, page, createOnce, findCreated, update, remove } = store
  return {
    create: checkedTwice(create),
    get: checked(get),
    list: checked(list),
    ...(page && { page: checked(page) }),
    ...(createOnce && { createOnce: checkedTwice(createOnce) }),
    ...(findCreated && { findCreated: checked(findCreated) }),
    ...(update && { update: checkedTwice(update) }),
    ...(remove && { remove: checkedTwice(remove) }),
  }
}

/** Returns what distinguishes a file from another one at the same path; undefined where there is no file. */
function identityOf(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false })
  return status && `${status.dev} ${status.ino}`
}
