/** The `test` of a test runner: node:test, bun:test, vitest or Deno. */
export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  /** Skips a test, in node:test, bun:test and vitest. */
  readonly skip?: (name: string, body: () => Promise<void>) => unknown
  /** Skips a test, in Deno. */
  readonly ignore?: (name: string, body: () => Promise<void>) => unknown
}

/** One rule that every `Subject` must follow. */
export interface ContractCase<Subject> {
  readonly name: string
  /** Why the case is skipped; undefined or false where it is not. */
  readonly skipped?: string | false | undefined
  run(subject: Subject): Promise<void>
}

/** Declares a test for each case. A skipped case has the reason in its name. */
export function declareCases<Subject>(
  test: TestFunction,
  cases: readonly ContractCase<Subject>[],
  use: (work: (subject: Subject) => Promise<void>) => Promise<void>,
): void {
  for (const { name, skipped, run } of cases) {
    // The bodies have no parameter: bun:test would treat it as a callback and wait for it.
    if (skipped) (test.skip ?? test.ignore ?? test)(`${name} (skipped: ${skipped})`, async () => {})
    else test(name, () => use(run))
  }
}
