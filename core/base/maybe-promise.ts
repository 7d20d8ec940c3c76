/** A value or a promise of it. A part that returns its value without a promise is faster. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` with a value: immediately, or once the promise of the value is fulfilled. A part may return any thenable; the
 * result is a real promise.
 */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value)
}

/** Calls `work`; if it throws or rejects, calls `recover` with the cause. */
export function attempt<T, R>(
  work: () => MaybePromise<T>,
  recover: (cause: unknown) => MaybePromise<R>,
): MaybePromise<T | R> {
  try {
    const value = work()
    return isThenable(value) ? Promise.resolve(value).catch(recover) : value
  } catch (cause) {
    return recover(cause)
  }
}

/** Whether a value is a promise or another object with a `then`. */
export function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function' // whatever the value is, reading is safe
}
