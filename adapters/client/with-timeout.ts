/** Maximum time of `setTimeout`, in milliseconds. A longer time is split. */
const maxTimerMs = 2 ** 31 - 1

/** The controllers that follow each signal. It has one listener for all of them, since Node warns of more than ten. */
const followers = new WeakMap<AbortSignal, Set<AbortController>>()

function getFollowers(signal: AbortSignal): Set<AbortController> {
  const found = followers.get(signal) ?? new Set()
  if (!followers.has(signal))
    signal.addEventListener('abort', () => {
      for (const controller of found) controller.abort(signal.reason)
    })
  followers.set(signal, found)
  return found
}

export const createTimeoutError = (ms: number): DOMException =>
  new DOMException(`it took more than ${ms} ms`, 'TimeoutError')

type Work<T> = (signal: AbortSignal) => Promise<T>

/**
 * Runs work with a signal. Rejects with the reason of `outer` if that aborts, or with a `TimeoutError` after `ms`
 * milliseconds, which may be infinite, even if the work ignores its signal. On Node 20, `AbortSignal.any` over
 * `AbortSignal.timeout` can lose its timeout to the garbage collector.
 */
export async function withTimeout<T>(ms: number, outer: AbortSignal | undefined, work: Work<T>): Promise<T> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const { signal } = controller
  const aborted = new Promise<never>((_, reject) => {
    signal.onabort = () => reject(signal.reason)
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = (leftMs: number) => {
    const next = () =>
      leftMs > maxTimerMs ? start(leftMs - maxTimerMs) : controller.abort(createTimeoutError(ms))
    timer = setTimeout(next, Math.min(leftMs, maxTimerMs))
  }
  start(ms)
  const siblings = outer && getFollowers(outer)
  siblings?.add(controller)
  try {
    return await Promise.race([work(signal), aborted])
  } finally {
    clearTimeout(timer)
    siblings?.delete(controller)
  }
}
