import { StoreUnavailable } from '../../core/index.ts'

const locked = 'is locked by another program: end it, or wait for it'

/**
 * What is wrong and what to do, which follows the file's name, by a part of the message of SQLite: the only thing that
 * all drivers pass on alike. These failures may pass while the server runs.
 */
const passing: Readonly<Record<string, string>> = {
  'is locked': locked,
  'locking protocol': locked,
  'is full': 'has no room left: free some disk space',
  'readonly database': 'cannot be written: check the permissions of the file and of its folder',
  'unable to open': 'cannot be opened: check that its folder is there, and the permissions of both',
  'disk I/O error': 'cannot be read or written: check the disk',
}

const lasting: Readonly<Record<string, string>> = {
  malformed: 'is damaged: restore a backup, or save what is left with the .recover command of sqlite3',
  'not a database': 'is no SQLite database: name another file',
}

function adviceFor(error: unknown, failures: Readonly<Record<string, string>>): string | undefined {
  const message = error instanceof Error && !(error instanceof StoreUnavailable) ? error.message : ''
  return Object.entries(failures).find(([part]) => message.includes(part))?.[1]
}

/** Whether another connection holds the lock that was required. */
export function isLocked(error: unknown): boolean {
  return adviceFor(error, passing) === locked
}

/** What to throw for an error at work: `StoreUnavailable` for a failure that may pass, else the error itself. */
export function failureAtWork(error: unknown): unknown {
  const advice = adviceFor(error, passing)
  return advice ? new StoreUnavailable(`the SQLite database ${advice}`, { cause: error }) : error
}

/** Runs statements. Throws what `failureAtWork` returns where they fail. */
export function atWork<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw failureAtWork(error)
  }
}

/** What to throw for an error at the start: an error that names the file and what to do, else the error itself. */
export function failureAtStart(file: string, error: unknown): unknown {
  const advice = adviceFor(error, { ...passing, ...lasting })
  return advice ? new Error(`${file} ${advice}`, { cause: error }) : error
}
