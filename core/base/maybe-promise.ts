/** A value, or a promise for it. The service is faster with parts that return values without promises. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` with a value, or with the value that a promise resolves to. Without a promise, `next` runs
 * synchronously, so that SQLite stays in its caller's transaction.
 */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
