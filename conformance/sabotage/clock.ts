/** The time of day of one world: the deployment and the suite that judges it read the same. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Lets time pass, in milliseconds. */
  advance(ms: number): void
}

/** A clock that moves only when told; it starts at an ISO time. */
export function createClock(start: string): Clock {
  let time = Date.parse(start)
  return {
    now: () => time,
    advance: (ms) => {
      time += ms
    },
  }
}
