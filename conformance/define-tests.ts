import { exitCode } from './report/outcome.ts'
import type { Report, RuleResult } from './report/report.ts'
import { catalogue } from './rules/catalogue.ts'
import { statementLink } from './rules/statements.ts'
import type { RunOptions } from './run/options.ts'
import { runConformance } from './run-conformance.ts'
import { printable } from './transcript/printable.ts'

/** The function of a test runner that registers a test: `test` of node:test, vitest or bun:test, or `Deno.test`. */
export type TestRegistrar = (name: string, body: (context?: unknown) => Promise<void>) => unknown

/** The options of a run, and which results its tests ignore. */
export interface TestOptions extends RunOptions {
  /** Skips the test of a MUST without evidence, which fails by default. */
  readonly allowInconclusive?: boolean
}

/**
 * Registers one test for each rule with a test runner. The first test that runs sends all requests, and the others
 * share its report. The test of a MUST fails if the rule is broken or could not be judged. A test is skipped if its
 * rule does not apply or was not selected. Where a running test cannot be skipped (Bun, Deno, Jest), it passes instead.
 *
 * @param test The function of the runner that registers a test.
 * @param options Where to send the requests, which, and what to judge. An invalid option rejects in the first test.
 *
 * @example
 * import { test } from 'node:test'
 * import { defineTests } from 'pet-adoption-service/conformance'
 *
 * defineTests(test, { baseUrl: 'http://127.0.0.1:8080/v1', key: process.env.PET_ADOPTION_API_KEY ?? '' })
 */
export function defineTests(test: TestRegistrar, options: TestOptions): void {
  let run: Promise<Report> | undefined
  for (const { id, title } of catalogue) {
    // without parameters: Bun and Jest pass a callback to a function that has one, and wait for its call
    test(`${id}: ${title}`, async (...[context]) => {
      run ??= runConformance(options)
      reportTest(await run, id, context, options)
    })
  }
}

function reportTest(report: Report, id: string, context: unknown, options: TestOptions): void {
  const rule = report.rules.find((result) => result.id === id)
  if (rule === undefined) return
  if (exitCode({ ...report, rules: [rule] }, options) !== 0) throw new Error(explain(rule))
  if (rule.verdict !== 'pass' && canSkip(context)) context.skip(`${rule.verdict}: ${rule.reason}`)
}

function explain({ verdict, known, reason, curl, statement }: RuleResult): string {
  const although = known === undefined ? '' : ', although it is a known failure'
  const again = curl === undefined ? '' : `\nrepeat the request: ${curl}`
  return `${verdict}${although} (${statementLink(statement)}): ${printable(reason)}${again}`
}

function canSkip(context: unknown): context is { skip(reason: string): void } {
  // the context of Vitest is a function
  const isObject = typeof context === 'object' || typeof context === 'function'
  return isObject && context !== null && 'skip' in context && typeof context.skip === 'function'
}
