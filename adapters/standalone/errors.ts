/** The program's exit codes besides 0, success. */
export const exitCodes = {
  /** A failed start, a shutdown that was cut short, or a command that failed. */
  failed: 1,
  /** A mistake on the command line or in the environment. */
  usage: 2,
  /** A defect of the program (EX_SOFTWARE of sysexits.h). */
  defect: 70,
} as const

/** An error whose message is for the user, in one line: what is wrong, and what to do. */
abstract class ExpectedError extends Error {
  abstract readonly event: string
  readonly exitCode: number = exitCodes.failed
}

/** A mistake on the command line or in the environment. */
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

/** A command that cannot do what it was asked for, such as one for a key that does not exist. */
export class CommandError extends ExpectedError {
  override readonly name = 'CommandError'
  readonly event = 'command-failed'
}

/** Whether an error is one of those above. */
export function isExpected(cause: unknown): cause is ExpectedError {
  return cause instanceof ExpectedError
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

/** What can be closed. */
interface Closable {
  close(): void | Promise<void>
}

/** Opens something, and closes it after the work. What fails there becomes a `CommandError`, whose message begins with `prefix`. */
export async function withOpen<Opened extends Closable, T>(
  open: () => Opened | Promise<Opened>,
  work: (opened: Opened) => T | Promise<T>,
  prefix = '',
): Promise<T> {
  const opened = await open()
  try {
    return await work(opened)
  } catch (cause) {
    throw isExpected(cause) ? cause : new CommandError(`${prefix}${explain(cause, false)}`, { cause })
  } finally {
    await opened.close()
  }
}
