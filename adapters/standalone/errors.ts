/** The program's exit codes, except 0 for success. */
export const exitCodes = {
  /** A failed start, a shutdown that was cut short, or a command that failed. */
  failed: 1,
  /** A mistake on the command line or in the environment. */
  usage: 2,
  /** A defect of the program (EX_SOFTWARE of sysexits.h). */
  defect: 70,
} as const

/** An error whose message is for the user, in one line: what is wrong, and what to do. */
export abstract class ExpectedError extends Error {
  abstract readonly event: string
  readonly exitCode: number = exitCodes.failed
}

/** A mistake on the command line or in the environment, such as a malformed address, or a driver that is missing. */
export class UsageError extends ExpectedError {
  override readonly name = 'UsageError'
  readonly event = 'usage'
  override readonly exitCode: number = exitCodes.usage
}

/** A start that failed for a reason outside the program, such as a port in use. */
export class StartError extends ExpectedError {
  override readonly name = 'StartError'
  readonly event = 'start-failed'
}

/** A failure of a command, for example because its key does not exist. */
export class CommandError extends ExpectedError {
  override readonly name = 'CommandError'
  readonly event = 'command-failed'
}

/**
 * Returns a `StartError` for an error of a step of the start. It begins with `problem`, unless the error was a
 * `StartError` already.
 */
export function toStartError(problem: string, cause: unknown): StartError {
  return cause instanceof StartError
    ? cause
    : new StartError(`${problem}: ${explain(cause, false)}`, { cause })
}

/** Resolves with the error that a call throws or rejects with; undefined if it succeeds. */
export async function catchError(call: () => unknown): Promise<unknown> {
  try {
    await call()
    return undefined
  } catch (cause) {
    return cause
  }
}

/** Returns the messages of an error and of its causes. A stack is for a failure that only a developer can act on. */
export function explain(cause: unknown, withStack: boolean): string {
  if (!(cause instanceof Error)) return String(cause)
  // An AggregateError of several addresses, as of a host name, has an empty message and a code.
  const own = (withStack && cause.stack) || cause.message || String('code' in cause ? cause.code : cause.name)
  return cause.cause === undefined ? own : `${own}: ${explain(cause.cause, withStack)}`
}
