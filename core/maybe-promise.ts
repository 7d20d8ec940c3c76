/** A value or a promise of it. A part that returns its value without a promise is faster. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` with a value and a context: immediately, or once the promise of the value is fulfilled. A part may return any
 * thenable; the result is a real promise. The context saves a closure for each call.
 */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R>
export function chain<T, C, R>(
  value: MaybePromise<T>,
  next: (value: T, context: C) => MaybePromise<R>,
  context: C,
): MaybePromise<R>
export function chain<T, C, R>(
  value: MaybePromise<T>,
  next: (value: T, context: C) => MaybePromise<R>,
  context?: C,
): MaybePromise<R> {
  if (!isThenable(value)) return next(value, context as C) // the overloads pair a context with a `next` that reads it
  return Promise.resolve(value).then((late) => next(late, context as C))
}

/** Calls `work`; if it throws or rejects, calls `recover` with the cause. Both receive the context. */
export function attempt<C, T, R>(
  work: (context: C) => MaybePromise<T>,
  recover: (cause: unknown, context: C) => MaybePromise<R>,
  context: C,
): MaybePromise<T | R> {
  try {
    const value = work(context)
    return isThenable(value) ? Promise.resolve(value).catch((cause) => recover(cause, context)) : value
  } catch (cause) {
    return recover(cause, context)
  }
}

/** Whether a value is a promise or another object with a `then`. */
export function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function' // whatever the value is, reading is safe
}
