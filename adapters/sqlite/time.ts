/** The clock and the pauses of a store, in milliseconds. Tests replace them. */
export interface Time {
  now(): number
  sleep(ms: number): Promise<void>
}

/** The time of this process. Its clock never steps back. */
export const processTime: Time = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** Runs a task in the next turn of the event loop. Not every platform has `setImmediate`. */
export function runNextTurn(task: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(task)
  else setTimeout(task, 0)
}

/** How long to wait before a lock is tried again, in milliseconds. */
export const retryMs = 10
