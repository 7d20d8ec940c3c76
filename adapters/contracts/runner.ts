/** The `test` of a test runner: that of node:test, bun:test, vitest or Deno, as it is. */
export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  /** How node:test, bun:test and vitest leave a test out. */
  readonly skip?: (name: string, body: () => Promise<void>) => unknown
  /** How Deno does. */
  readonly ignore?: (name: string, body: () => Promise<void>) => unknown
}

/** One thing that must hold of every `Subject`. */
export interface ContractCase<Subject> {
  readonly name: string
  /** Why it is not run, where it is not. */
  readonly skipped?: string | false
  run(subject: Subject): Promise<void>
}

/** Hands the cases to the runner. A skipped one has its reason in its name. */
export function declareCases<Subject>(
  test: TestFunction,
  cases: readonly ContractCase<Subject>[],
  use: (work: (subject: Subject) => Promise<void>) => Promise<void>,
): void {
  for (const { name, skipped, run } of cases) {
    // The bodies take no parameter: bun:test would take it for a callback and wait for it.
    if (skipped) (test.skip ?? test.ignore ?? test)(`${name} (skipped: ${skipped})`, async () => {})
    else test(name, () => use(run))
  }
}
