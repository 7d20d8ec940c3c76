/** The program's exit codes besides 0, success. */
export const exitCodes = {
  /** A failed start, or a shutdown that was cut short. */
  failed: 1,
  /** A mistake on the command line or in the environment. */
  usage: 2,
  /** A defect of the program (EX_SOFTWARE of sysexits.h). */
  defect: 70,
} as const

/** A mistake on the command line or in the environment. The message is one line: what is wrong, and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly event = 'usage'
  readonly exitCode: number = exitCodes.usage
}

/** A start that failed for a reason outside the program, such as a port in use. The message is one line. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly event = 'start-failed'
  readonly exitCode: number = exitCodes.failed
}

/** Runs a step of the start. What it throws becomes a `StartError`, whose message begins with `problem`. */
export function startWith<T>(problem: string, step: () => T): T {
  try {
    return step()
  } catch (cause) {
    throw new StartError(`${problem}: ${explain(cause, false)}`, { cause })
  }
}

/** Returns the messages of an error and of its causes. A stack is for a failure that only a developer can act on. */
export function explain(cause: unknown, withStack: boolean): string {
  if (!(cause instanceof Error)) return String(cause)
  // An AggregateError of several addresses, as of a host name, has an empty message and a code.
  const own = (withStack && cause.stack) || cause.message || String('code' in cause ? cause.code : cause.name)
  return cause.cause === undefined ? own : `${own}: ${explain(cause.cause, withStack)}`
}
