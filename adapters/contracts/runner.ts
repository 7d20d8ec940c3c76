import type { MaybePromise } from '../../core/index.ts'

/** The `test` of a test runner: node:test, bun:test, vitest or Deno. */
export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  /** Skips a test, in node:test, bun:test and vitest. */
  readonly skip?: (name: string, body: () => Promise<void>) => unknown
  /** Skips a test, in Deno. */
  readonly ignore?: (name: string, body: () => Promise<void>) => unknown
}

/** The options that every contract has. */
export interface ContractOptions<Subject, Setup = undefined> {
  /** The `test` of the test runner. */
  readonly test: TestFunction
  /** Creates an empty part to test. Called once for each case. */
  readonly create: (setup: Setup) => MaybePromise<Subject>
  /** Called when a case is over, whether it passed or failed. */
  readonly close?: (subject: Subject) => MaybePromise<void>
}

/** The time of a case, in milliseconds since the epoch. It stands still until the case advances it. */
export interface CaseClock {
  readonly now: () => number
  advance(ms: number): void
}

/** Creates a clock that starts between two whole seconds. */
export function createCaseClock(): CaseClock {
  let time = 1_800_000_000_123
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}

/** Returns a function that declares cases. If something is `missing`, a case is skipped, with that in its name. */
export function createDeclarer<Subject, Setup>(
  { test, create, close }: ContractOptions<Subject, Setup>,
  setupAt: (clock: () => number) => Setup,
): (
  name: string,
  run: (subject: Subject, clock: CaseClock) => Promise<void>,
  missing?: string | false,
) => void {
  return (name, run, missing) => {
    // The bodies have no parameter: bun:test would treat it as a callback and wait for it.
    if (missing) (test.skip ?? test.ignore ?? test)(`${name} (skipped: ${missing})`, async () => {})
    else
      test(name, async () => {
        const clock = createCaseClock()
        const subject = await create(setupAt(clock.now))
        try {
          await run(subject, clock)
        } finally {
          await close?.(subject)
        }
      })
  }
}
