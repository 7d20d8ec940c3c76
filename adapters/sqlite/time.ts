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

/** How long to wait before a lock is tried again, in milliseconds. */
export const retryMs = 10
