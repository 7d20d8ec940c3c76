/** The clock that a deployment and the suite that judges it share. */
export interface Clock {
  /** The current time in Unix milliseconds. */
  now(): number
  /** Advances the clock by so many milliseconds, without waiting. */
  sleep(ms: number): Promise<void>
}

/** A clock that only `sleep` advances. It starts at a time in ISO 8601. */
export function createClock(start: string): Clock {
  let time = Date.parse(start)
  return {
    now: () => time,
    sleep: async (ms) => {
      time += ms
    },
  }
}
