/** A value, or the promise of one. A part that returns its value at once costs no promise. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` with a value and a context, at once where the value is there. A part may return any thenable: the result
 * is a real promise. The context saves a closure for each call.
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

/** Calls `work`, and `recover` with whatever `work` throws or rejects with. Both get the context. */
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

/** Whether a value is a promise, or anything else with a `then`. */
export function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function' // whatever it is, asking is safe
}
