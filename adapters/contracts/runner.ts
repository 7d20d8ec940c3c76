import type { MaybePromise } from '../../core/index.ts'

/** The `test` of a test runner: node:test, bun:test, vitest or Deno. */
export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  /** Skips a test, in node:test, bun:test and vitest. */
  readonly skip?: (name: string, body: () => Promise<void>) => unknown
  /** Skips a test, in Deno. */
  readonly ignore?: (name: string, body: () => Promise<void>) => unknown
}

/** One rule of a contract. */
export interface ContractCase<Need extends string> {
  readonly name: string
  /** What the case requires. */
  readonly needs?: readonly Need[]
}

/**
 * Declares a test for each case. One that requires what is missing is skipped, with the reason in its name.
 *
 * @param missing - Returns the reason, where something that a case requires is missing.
 */
export function declareCases<Need extends string, Case>(
  test: TestFunction,
  cases: readonly (ContractCase<Need> & Case)[],
  missing: (need: Need) => string | false,
  run: (one: Case) => Promise<void>,
): void {
  for (const one of cases) {
    const reason = one.needs?.map(missing).find(Boolean)
    // The bodies have no parameter: bun:test would treat it as a callback and wait for it.
    if (reason) (test.skip ?? test.ignore ?? test)(`${one.name} (skipped: ${reason})`, async () => {})
    else test(one.name, () => run(one))
  }
}

/** Opens something for some work, and closes it afterwards, also where the work fails. */
export async function using<Subject>(
  open: () => MaybePromise<Subject>,
  close: ((subject: Subject) => MaybePromise<void>) | undefined,
  work: (subject: Subject) => Promise<void>,
): Promise<void> {
  const subject = await open()
  try {
    await work(subject)
  } finally {
    await close?.(subject)
  }
}
