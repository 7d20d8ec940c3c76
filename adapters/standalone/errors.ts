/** The program's exit codes, except 0 for success. */
export const exitCodes = {
  /** The start or a command failed, or a shutdown ran out of time. */
  failed: 1,
  /** The command line or the environment is invalid. */
  usage: 2,
  /** A bug in the program (`EX_SOFTWARE` in sysexits.h). */
  defect: 70,
} as const

/** An error with a message for the user, which says in one line what is wrong and what to do. */
export abstract class ExpectedError extends Error {
  abstract readonly event: string
  readonly exitCode: number = exitCodes.failed
}

/** Invalid command line or environment, or a missing driver. */
export class UsageError extends ExpectedError {
  override readonly name = 'UsageError'
  readonly event = 'usage'
  override readonly exitCode: number = exitCodes.usage
}

/** The server cannot start for a reason outside the program, such as a port in use. */
export class StartError extends ExpectedError {
  override readonly name = 'StartError'
  readonly event = 'start-failed'
}

/** A command failed, for example because a key does not exist. */
export class CommandError extends ExpectedError {
  override readonly name = 'CommandError'
  readonly event = 'command-failed'
}

/**
 * Converts an error during startup to a `StartError`, whose message begins with `problem`. A `StartError` is
 * returned unchanged.
 */
export function toStartError(problem: string, cause: unknown): StartError {
  return cause instanceof StartError
    ? cause
    : new StartError(`${problem}: ${explain(cause, false)}`, { cause })
}

/**
 * Returns a `StartError` if the runtime denied a permission (Node with `--permission`, or Deno), otherwise `undefined`.
 */
export function toPermissionError(cause: unknown): StartError | undefined {
  if (!(cause instanceof Error)) return undefined
  const { code, name, message, resource }: NodeJS.ErrnoException & { resource?: unknown } = cause
  if (code !== 'ERR_ACCESS_DENIED' && name !== 'NotCapable') return undefined
  const place = resource ? ` (${resource})` : '' // Deno names the resource in the message
  return new StartError(`the runtime denied a permission: ${message}${place}`, { cause })
}

/** Formats an error and its causes, joined by colons. The stack is for failures that only a developer can fix. */
export function explain(cause: unknown, withStack: boolean): string {
  if (!(cause instanceof Error)) return String(cause)
  // An `AggregateError` for a host with several addresses has an empty message and only a code.
  const own = (withStack && cause.stack) || cause.message || String('code' in cause ? cause.code : cause.name)
  return cause.cause === undefined ? own : `${own}: ${explain(cause.cause, withStack)}`
}
