export const testStartMs: number = Date.UTC(2026, 10, 20, 12)

/** A clock that only `advance` moves. */
export interface TestClock {
  readonly clock: () => number
  readonly advance: (ms: number) => void
}

export function createTestClock(start: number = testStartMs): TestClock {
  let now = start
  return {
    clock: () => now,
    advance(ms) {
      now += ms
    },
  }
}
