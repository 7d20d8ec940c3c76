import { StoreUnavailable } from '../../core/index.ts'

interface ApiError {
  /** SQLite's own words, the one thing that all drivers hand on alike. */
  readonly words: RegExp
  /** What a person makes of it; follows the file's name. */
  readonly meaning: string
  /** Whether it may pass while the server runs. */
  readonly passing: boolean
}

const locked: ApiError = {
  words: /is locked|locking protocol/,
  meaning: 'is locked by another program: end it, or wait for it',
  passing: true,
}

const faults: readonly ApiError[] = [
  locked,
  { words: /is full/, meaning: 'has no room left: free some disk space', passing: true },
  {
    words: /readonly database/,
    meaning: 'cannot be written: check the permissions of the file and of its folder',
    passing: true,
  },
  {
    words: /unable to open/,
    meaning: 'cannot be opened: check that its folder is there, and the permissions of both',
    passing: true,
  },
  { words: /disk I\/O error/, meaning: 'cannot be read or written: check the disk', passing: true },
  {
    words: /malformed/,
    meaning: 'is damaged: bring back a backup, or save what is left with the .recover command of sqlite3',
    passing: false,
  },
  { words: /not a database/, meaning: 'is no SQLite database: name another file', passing: false },
]

function faultOf(error: unknown): ApiError | undefined {
  const words = error instanceof Error ? error.message : ''
  return faults.find((fault) => fault.words.test(words))
}

/** Whether another connection holds the lock that was needed. */
export function isLocked(error: unknown): boolean {
  return faultOf(error) === locked
}

/** What to throw for an error at work: `StoreUnavailable` for a fault that may pass, else the error itself. */
export function failureAtWork(error: unknown): unknown {
  const fault = faultOf(error)
  return fault?.passing
    ? new StoreUnavailable(`the SQLite database ${fault.meaning}`, { cause: error })
    : error
}

/** What to throw for an error at the start: in any case one that says what is wrong with the file. */
export function failureAtStart(file: string, error: unknown): unknown {
  const fault = faultOf(error)
  return fault ? new Error(`${file} ${fault.meaning}`, { cause: error }) : error
}
