/** A value, or the promise of one: parts that answer at once cost no promise. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on with a value, at once where it is there. A part may promise by any thenable: what comes out is a real promise. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value)
}

/** As `settle`, with nothing to go on to. */
export function rescue<C, T>(
  context: C,
  work: (context: C) => MaybePromise<T>,
  mend: (cause: unknown, context: C) => T,
): MaybePromise<T> {
  return settle(context, work, mend, same)
}

const same = <T>(_context: unknown, value: T): T => value

/**
 * Does the work, turns whatever it throws, or rejects with, into a value, and goes on with that. All are handed the
 * context: where nothing is waited for, no closure is made either.
 */
export function settle<C, T, R>(
  context: C,
  work: (context: C) => MaybePromise<T>,
  mend: (cause: unknown, context: C) => T,
  next: (context: C, value: T) => MaybePromise<R>,
): MaybePromise<R> {
  let value: MaybePromise<T>
  try {
    value = work(context)
  } catch (cause) {
    value = mend(cause, context)
  }
  if (!isThenable(value)) return next(context, value)
  return Promise.resolve(value).then(
    (late) => next(context, late),
    (cause) => next(context, mend(cause, context)),
  )
}

function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function' // whatever it is, asking is safe
}
