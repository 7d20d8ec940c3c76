/** The time that a run goes by. */
export interface Clock {
  /** Unix milliseconds; never runs backwards within a run. */
  now(): number
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>
}

/** The real clock, steady even where the system's is set back during a run. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
