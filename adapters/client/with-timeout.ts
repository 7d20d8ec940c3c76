/** Maximum time of `setTimeout`, in milliseconds. A longer time is split. */
const maxTimerMs = 2 ** 31 - 1

/** The callbacks of each signal. A signal has one listener for all of them, since Node warns of more than ten. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>()

function getCallbacks(signal: AbortSignal): Set<() => void> {
  const found = callbacks.get(signal) ?? new Set()
  const callAll = () => {
    for (const callback of found) callback()
  }
  if (!callbacks.has(signal)) signal.addEventListener('abort', callAll)
  callbacks.set(signal, found)
  return found
}

export const createTimeoutError = (ms: number): DOMException =>
  new DOMException(`it took more than ${ms} ms`, 'TimeoutError')

type Work<T> = (signal: AbortSignal) => Promise<T>

/**
 * Runs work with a signal. Rejects with the reason of `outer` if that aborts, or with a `TimeoutError` after `ms`
 * milliseconds, which may be infinite, even if the work ignores its signal. On Node 20 `AbortSignal.any` over `AbortSignal.timeout` can lose its
 * timeout to the garbage collector.
 */
export async function withTimeout<T>(ms: number, outer: AbortSignal | undefined, work: Work<T>): Promise<T> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let abort = () => {}
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown) => {
      controller.abort(reason)
      reject(reason)
    }
    abort = () => end(outer?.reason)
    const start = (leftMs: number) => {
      const next = () => (leftMs > maxTimerMs ? start(leftMs - maxTimerMs) : end(createTimeoutError(ms)))
      timer = setTimeout(next, Math.min(leftMs, maxTimerMs))
    }
    start(ms)
  })
  if (outer) getCallbacks(outer).add(abort)
  try {
    return await Promise.race([work(controller.signal), ended])
  } finally {
    clearTimeout(timer)
    if (outer) getCallbacks(outer).delete(abort)
  }
}
