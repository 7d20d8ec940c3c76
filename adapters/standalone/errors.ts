/** The program's exit codes; 0 where all went well. */
export const exitCodes = {
  /** A start that failed, or a shutdown that was cut short. */
  failed: 1,
  /** A misuse of the command line or of the environment. */
  usage: 2,
  /** A defect of ours (EX_SOFTWARE of sysexits.h). */
  defect: 70,
} as const

/** A mistake on the command line or in the environment: one line that says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly event = 'usage'
  readonly exitCode: number = exitCodes.usage
}

/** A start that failed for a reason outside of us, such as a port in use: one line that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly event = 'start-failed'
  readonly exitCode: number = exitCodes.failed
}

/** Does a step of the start; what it throws becomes a `StartError` that says so. */
export function startWith<T>(complaint: string, step: () => T): T {
  try {
    return step()
  } catch (cause) {
    throw new StartError(`${complaint}: ${explain(cause, false)}`, { cause })
  }
}

/** What went wrong and why, down to the first cause; with the stack where only a developer can act on it. */
export function explain(cause: unknown, withStack: boolean): string {
  if (!(cause instanceof Error)) return String(cause)
  // An error of several addresses, as of a host by name, has no words but its code.
  const own = (withStack && cause.stack) || cause.message || String('code' in cause ? cause.code : cause.name)
  return cause.cause === undefined ? own : `${own}: ${explain(cause.cause, withStack)}`
}
