/** A value, or the promise of one: parts that answer at once cost no promise. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on with a value, at once where it is there. A part may promise by any thenable: what comes out is a real promise. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value)
}

/** Does the work and turns whatever it throws, or rejects with, into a value. */
export function rescue<T>(work: () => MaybePromise<T>, mend: (cause: unknown) => T): MaybePromise<T> {
  return settle(work, mend, (value) => value)
}

/** Does the work, turns whatever it throws, or rejects with, into a value, and goes on: with one promise where `rescue` and `chain` make two. */
export function settle<T, R>(
  work: () => MaybePromise<T>,
  mend: (cause: unknown) => T,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  let value: MaybePromise<T>
  try {
    value = work()
  } catch (cause) {
    value = mend(cause)
  }
  return isThenable(value) ? Promise.resolve(value).then(next, (cause) => next(mend(cause))) : next(value)
}

function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function' // whatever it is, asking is safe
}
