import { StoreUnavailable } from '../../core/index.ts'

/** A kind of failure of SQLite. */
interface Failure {
  /** Matches the message of SQLite, the only thing that all drivers pass on alike. */
  readonly message: RegExp
  /** What is wrong and what to do; follows the file's name. */
  readonly advice: string
  /** Whether it may pass while the server runs. */
  readonly isPassing: boolean
}

const passing = (message: RegExp, advice: string): Failure => ({ message, advice, isPassing: true })
const lasting = (message: RegExp, advice: string): Failure => ({ message, advice, isPassing: false })

const locked = passing(/is locked|locking protocol/, 'is locked by another program: end it, or wait for it')

const failures: readonly Failure[] = [
  locked,
  passing(/is full/, 'has no room left: free some disk space'),
  passing(/readonly database/, 'cannot be written: check the permissions of the file and of its folder'),
  passing(/unable to open/, 'cannot be opened: check that its folder is there, and the permissions of both'),
  passing(/disk I\/O error/, 'cannot be read or written: check the disk'),
  lasting(
    /malformed/,
    'is damaged: restore a backup, or save what is left with the .recover command of sqlite3',
  ),
  lasting(/not a database/, 'is no SQLite database: name another file'),
]

function failureOf(error: unknown): Failure | undefined {
  const message = error instanceof Error ? error.message : ''
  return failures.find((failure) => failure.message.test(message))
}

/** Whether another connection holds the lock that was required. */
export function isLocked(error: unknown): boolean {
  return failureOf(error) === locked
}

/** What to throw for an error at work: `StoreUnavailable` for a failure that may pass, else the error itself. */
export function failureAtWork(error: unknown): unknown {
  const failure = failureOf(error)
  return failure?.isPassing
    ? new StoreUnavailable(`the SQLite database ${failure.advice}`, { cause: error })
    : error
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
  const failure = failureOf(error)
  return failure ? new Error(`${file} ${failure.advice}`, { cause: error }) : error
}
