import { exitCode } from './report/outcome.ts'
import type { Report, RuleResult } from './report/report.ts'
import { catalogue } from './rules/catalogue.ts'
import { formatStatementLink } from './rules/statements.ts'
import { type RunOptions, readOptions } from './run/options.ts'
import { maxTimerMs, mostWaited } from './run/pace.ts'
import { plan } from './run/plan.ts'
import { runConformance } from './run-conformance.ts'
import { printable } from './transcript/printable.ts'
import { longestWait } from './transcript/waits.ts'

/**
 * The function of a test runner that registers a test: `test` of node:test, vitest, jest or bun:test, or `Deno.test`.
 * Runners with a time limit for each test take it, in milliseconds, as the third argument; the others ignore it.
 */
export type TestRegistrar = (
  name: string,
  body: (context?: unknown) => Promise<void>,
  timeoutMs: number,
) => unknown

/** The options of a run, and which results its tests ignore. */
export interface TestOptions extends RunOptions {
  /** Skips the test of a MUST without evidence, which fails by default. */
  readonly allowInconclusive?: boolean
}

/**
 * Registers one test for each rule with a test runner. The first test that runs sends all requests, and the others
 * share its report. The test of a MUST fails if the rule is broken or could not be judged. A test is skipped if its
 * rule does not apply or was not selected. If a runner cannot skip a running test (Bun, Deno, Jest), it passes instead.
 * If the deployment is unreachable, one test fails and the others are skipped. A warning is a diagnostic of its test.
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
  let isUnreachableReported = false
  const timeoutMs = readTimeout(options)
  for (const { id, title } of catalogue) {
    const body = async (context: unknown): Promise<void> => {
      run ??= runConformance(options)
      const report = await run
      if (!isUnreachable(report)) return reportTest(report, id, context, options)
      const reason = `the deployment is unreachable: ${report.endedEarly}`
      if (isUnreachableReported) return skip(context, reason)
      isUnreachableReported = true
      throw new Error(printable(reason))
    }
    // without parameters: Bun and Jest pass a callback to a function that has one, and wait for its call
    test(`${id}: ${title}`, (...[context]) => body(context), timeoutMs)
  }
}

/** The time that a run waits for limits at most, in milliseconds: outside the burn, and after it. */
const waitedMs = mostWaited + 2 * longestWait * 1000

/** Returns the time that all exchanges of a run may take. An invalid option is reported by the first test. */
function readTimeout(options: TestOptions): number {
  try {
    const { requests, repeats, pace } = plan(options)
    const { timeoutMs } = readOptions(options)
    const each = timeoutMs + (pace === undefined ? 0 : 1000 / pace)
    return Math.min(maxTimerMs, Math.ceil((requests + repeats) * each + waitedMs))
  } catch {
    return waitedMs
  }
}

function isUnreachable({ exchanges }: Report): boolean {
  return exchanges.length > 0 && exchanges.every(({ response }) => response === undefined)
}

function reportTest(report: Report, id: string, context: unknown, options: TestOptions): void {
  const rule = report.rules.find((result) => result.id === id)
  if (rule === undefined) return
  if (exitCode({ ...report, rules: [rule] }, options) !== 0) throw new Error(explain(rule))
  if (rule.verdict === 'warn') warn(context, explain(rule))
  else if (rule.verdict !== 'pass') skip(context, `${rule.verdict}: ${rule.reason}`)
}

/** Shows a warning with the means of the runner: `diagnostic` of node:test, `annotate` of Vitest, or the console. */
function warn(context: unknown, message: string): void {
  if (hasMethod(context, 'diagnostic')) context.diagnostic(message)
  else if (hasMethod(context, 'annotate')) context.annotate(message, 'warning')
  else console.warn(message)
}

function skip(context: unknown, reason: string): void {
  if (hasMethod(context, 'skip')) context.skip(printable(reason))
}

function explain({ verdict, known, reason, curl, statement }: RuleResult): string {
  const although = known === undefined ? '' : ', although it is a known failure'
  const again = curl === undefined ? '' : `\nrepeat the request: ${curl}`
  return `${verdict}${although} (${formatStatementLink(statement)}): ${printable(reason)}${again}`
}

function hasMethod<Name extends string>(
  context: unknown,
  name: Name,
): context is Readonly<Record<Name, (...args: readonly string[]) => unknown>> {
  // the context of Vitest is a function
  const isObject = typeof context === 'object' || typeof context === 'function'
  return isObject && context !== null && typeof Reflect.get(context, name) === 'function'
}
