/** The longest time of `setTimeout`, in milliseconds. A longer one is split. */
const maxTimerMs = 2 ** 31 - 1
/** Longer than any process runs, in milliseconds. */
export const foreverMs: number = 2 ** 53

/** What each signal ends. It has one listener for all, since Node warns of more than ten. */
const ends = new WeakMap<AbortSignal, Set<() => void>>()

function endsOf(signal: AbortSignal): Set<() => void> {
  const found = ends.get(signal) ?? new Set()
  const endAll = () => {
    for (const end of found) end()
  }
  if (!ends.has(signal)) signal.addEventListener('abort', endAll)
  ends.set(signal, found)
  return found
}

type Work<T> = (signal: AbortSignal) => Promise<T>

/**
 * Runs work with a signal, and rejects with its reason, even if the work ignores it: the reason of `outer`, or a
 * `TimeoutError` after `ms` milliseconds. `AbortSignal.any` can lose its timeout to the garbage collector on Node 20.
 */
export async function withTimeout<T>(ms: number, outer: AbortSignal | undefined, work: Work<T>): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const end = () => controller.abort(outer?.reason)
  const late = () => controller.abort(new DOMException(`it took more than ${ms} ms`, 'TimeoutError'))
  outer?.throwIfAborted()
  if (outer) endsOf(outer).add(end)
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = (leftMs: number) => {
    const go = leftMs > maxTimerMs ? () => start(leftMs - maxTimerMs) : late
    timer = setTimeout(go, Math.min(leftMs, maxTimerMs))
  }
  start(ms)
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  try {
    return await Promise.race([work(signal), ended])
  } finally {
    clearTimeout(timer)
    if (outer) endsOf(outer).delete(end)
  }
}
