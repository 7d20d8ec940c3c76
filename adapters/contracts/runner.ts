import type { MaybePromise } from '../../core/index.ts'

/** The `test` of a test runner: node:test, bun:test, vitest or Deno. */
export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  /** Skips a test, in node:test, bun:test and vitest. */
  readonly skip?: (name: string, body: () => Promise<void>) => unknown
  /** Skips a test, in Deno. */
  readonly ignore?: (name: string, body: () => Promise<void>) => unknown
}

/** One rule of a contract, which a subject must follow. */
export interface ContractCase<Subject, Need extends string> {
  readonly name: string
  /** What the case requires. */
  readonly needs?: readonly Need[]
  run(subject: Subject): Promise<void>
}

/** Declares a test for each case. One that requires what is missing is skipped, with the reason in its name. */
export function declareCases<
  Subject,
  Need extends string,
  Case extends ContractCase<Subject, Need>,
>(contract: {
  readonly test: TestFunction
  readonly cases: readonly Case[]
  /** Returns the reason, where something that a case requires is missing. */
  readonly missing: (need: Need) => string | false
  readonly open: (one: Case) => MaybePromise<Subject>
  /** Called after each case, also where it has failed. */
  readonly close: (subject: Subject) => MaybePromise<void>
}): void {
  const { test, cases, missing, open, close } = contract
  for (const one of cases) {
    const reason = one.needs?.map(missing).find(Boolean)
    // The bodies have no parameter: bun:test would treat it as a callback and wait for it.
    if (reason) (test.skip ?? test.ignore ?? test)(`${one.name} (skipped: ${reason})`, async () => {})
    else
      test(one.name, async () => {
        const subject = await open(one)
        try {
          await one.run(subject)
        } finally {
          await close(subject)
        }
      })
  }
}
