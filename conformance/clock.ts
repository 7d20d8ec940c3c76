/** The clock of a run: measures and waits. */
export interface Clock {
  /** Returns Unix milliseconds, which never decrease within a run. */
  now(): number
  /** Resolves after a delay in milliseconds. */
  sleep(ms: number): Promise<void>
}

/** The real clock. It does not go back when the system's clock is set back. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
