/** The time of a case, in milliseconds since the epoch. It stands still until the case advances it. */
export interface CaseClock {
  readonly now: () => number
  advance(ms: number): void
}

/** Creates a clock that starts at a time which is no whole second. */
export function createCaseClock(): CaseClock {
  let time = 1_800_000_000_123
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}
