import type { MaybePromise } from '../../core/index.ts'

/** A test runner's `test` function, such as in `node:test`, `bun:test`, Vitest or Deno. */
export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  /** Skips a test, in `node:test`, `bun:test` and Vitest. */
  readonly skip?: (name: string, body: () => Promise<void>) => unknown
  /** Skips a test, in Deno. */
  readonly ignore?: (name: string, body: () => Promise<void>) => unknown
}

/** Options for every contract. */
export interface ContractOptions<Subject, Setup = undefined> {
  /** The test runner's `test` function. */
  readonly test: TestFunction
  /** Creates an empty object to test. Called once per test. */
  readonly create: (setup: Setup) => MaybePromise<Subject>
  /** Called after each test, also if it failed. */
  readonly close?: (subject: Subject) => MaybePromise<void>
}

/** A test's clock, in milliseconds since the epoch. */
export interface CaseClock {
  readonly now: () => number
  advance(ms: number): void
}

/** Creates a clock that starts between two full seconds, and moves only when it is advanced. */
export function createCaseClock(): CaseClock {
  let time = 1_800_000_000_123
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}

/**
 * Returns a function that declares tests. Each test creates its object and closes it at the end. A test with a reason
 * to skip is declared as skipped.
 */
export function createCaseDeclarer<Subject, Setup>(
  { test, create, close }: ContractOptions<Subject, Setup>,
  createSetup: (clock: () => number) => Setup,
): (
  name: string,
  run: (subject: Subject, clock: CaseClock) => Promise<void>,
  skipReason?: string | false,
) => void {
  return (name, run, skipReason) => {
    // The function has no parameter, because `bun:test` would pass a callback.
    if (skipReason) (test.skip ?? test.ignore ?? test)(`${name} (skipped: ${skipReason})`, async () => {})
    else
      test(name, async () => {
        const clock = createCaseClock()
        const testedObject = await create(createSetup(clock.now))
        try {
          await run(testedObject, clock)
        } finally {
          await close?.(testedObject)
        }
      })
  }
}
