/** The time of day of one world: the deployment and the suite that judges it read the same. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Lets so many milliseconds pass at once. */
  sleep(ms: number): Promise<void>
}

/** A clock that moves only when somebody sleeps; it starts at an ISO time. */
export function createClock(start: string): Clock {
  let time = Date.parse(start)
  return {
    now: () => time,
    sleep: async (ms) => {
      time += ms
    },
  }
}
