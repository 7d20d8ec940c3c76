/** A value or a promise of it. A part that returns its value without a promise is faster. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` with a value: immediately, or once the promise of the value is fulfilled. A part may return any thenable; the
 * result is a real promise.
 */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value)
}

/** Calls `work`, with an argument if it takes one; if it throws or rejects, calls `recover` with the cause and the argument. */
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

/** Whether a value is a promise or another object with a `then`. */
export function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function' // whatever the value is, reading is safe
}
