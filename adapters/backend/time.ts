import { runInNextTurn } from '../event-loop/index.ts'

/** A clock with timers. */
export interface Time {
  /** Returns a time in milliseconds, counted from an arbitrary moment. */
  now(): number
  /** Calls `callback` after `ms` milliseconds. Returns a function that cancels the call. */
  wait(ms: number, callback: () => void): () => void
}

// The timer functions are saved when the module loads, so that a test's fake timers do not affect stores.
const { setTimeout, clearTimeout } = globalThis

function startTimer(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(callback, ms)
  timer.unref?.() // in Deno, `setTimeout` returns a number
  return timer
}

/**
 * The process clock. Its timers do not keep the process alive.
 *
 * A callback runs after the process has read from its sockets. Responses that arrived while the event loop was blocked
 * are therefore not late. A timer that fires more than 10 % late starts once more, because queued requests could not be
 * sent in the meantime.
 */
export const processTime: Time = {
  now: () => performance.now(),
  wait(ms, callback) {
    const dueAt = performance.now() + ms
    const runCallback = () => runInNextTurn(callback)
    let timer = startTimer(() => {
      if (performance.now() - dueAt > ms / 10) timer = startTimer(runCallback, ms)
      else runCallback()
    }, ms)
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms` milliseconds. Does not keep the process alive. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void processTime.wait(ms, resolve))
}
