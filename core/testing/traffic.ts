/** A moment that no test depends on. */
export const epoch: number = Date.UTC(2026, 10, 20, 12)

/** A clock that moves as a test says. */
export interface HeldClock {
  readonly clock: () => number
  readonly pass: (ms: number) => void
}

export function heldClock(start: number = epoch): HeldClock {
  let now = start
  return {
    clock: () => now,
    pass(ms) {
      now += ms
    },
  }
}
