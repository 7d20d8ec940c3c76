/** A value or a promise of it. A part that returns its value without a promise is faster. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` with a value: immediately, or once the promise of the value is fulfilled. So SQL that SQLite runs without
 * a promise stays in the transaction of its caller.
 */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
