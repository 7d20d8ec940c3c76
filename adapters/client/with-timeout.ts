/** The longest delay that `setTimeout` supports, 24 days. Longer timeouts are shortened to this. */
const maxTimerMs = 2 ** 31 - 1

/**
 * The controllers to abort with each signal. Node.js 20 warns when a signal has more than 10 listeners, so each signal
 * gets only one.
 */
const dependentControllers = new WeakMap<AbortSignal, Set<AbortController>>()

function abortDependents(this: AbortSignal): void {
  for (const controller of dependentControllers.get(this) ?? []) controller.abort(this.reason)
}

export const createTimeoutError = (message: string): DOMException => new DOMException(message, 'TimeoutError')

type Work<T> = (signal: AbortSignal) => Promise<T>

/**
 * Runs work with a signal that aborts after `ms`, or when the outer signal aborts. Rejects immediately then, even if
 * the work ignores the signal. `ms` may be `Infinity`.
 *
 * On Node.js 20, garbage collection may remove an `AbortSignal.timeout()` inside an `AbortSignal.any()`, so neither is
 * used.
 */
export async function withTimeout<T>(
  ms: number,
  outer: AbortSignal = new AbortController().signal,
  work: Work<T>,
): Promise<T> {
  outer.throwIfAborted()
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(
    () => controller.abort(createTimeoutError(`timed out after ${ms} ms`)),
    Math.min(ms, maxTimerMs),
  )
  const siblingControllers = dependentControllers.get(outer) ?? new Set()
  dependentControllers.set(outer, siblingControllers.add(controller))
  outer.addEventListener('abort', abortDependents)
  try {
    return await new Promise<T>((resolve, reject) => {
      signal.onabort = () => reject(signal.reason)
      work(signal).then(resolve, reject)
    })
  } finally {
    clearTimeout(timer)
    siblingControllers.delete(controller)
    // An `AbortSignal.timeout()` with a listener would keep Deno running.
    if (siblingControllers.size === 0) outer.removeEventListener('abort', abortDependents)
  }
}
