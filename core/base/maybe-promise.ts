/** A value or a promise of it. A part that returns its value without a promise is faster. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` with a value, and with an argument if it takes one: immediately, or once the promise of the value is
 * fulfilled. A part may return any thenable; the result is a real promise.
 */
export function chain<T, R, A = undefined>(
  value: MaybePromise<T>,
  next: (value: T, argument: A) => MaybePromise<R>,
  argument: A = undefined as A, // for a function that takes none
): MaybePromise<R> {
  return isThenable(value)
    ? Promise.resolve(value).then((late) => next(late, argument))
    : next(value, argument)
}

/** Calls `work`, with an argument if it takes one; if it fails, calls `recover` with the cause and the argument. */
export function attempt<T, R, A = undefined>(
  work: (argument: A) => MaybePromise<T>,
  recover: (cause: unknown, argument: A) => MaybePromise<R>,
  argument: A = undefined as A, // for work that takes none
): MaybePromise<T | R> {
  try {
    const value = work(argument)
    return isThenable(value) ? Promise.resolve(value).catch((cause) => recover(cause, argument)) : value
  } catch (cause) {
    return recover(cause, argument)
  }
}

/** Returns whether a value is a promise or another thenable. Bun is slow if texts are asked for a `then`. */
export function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}
