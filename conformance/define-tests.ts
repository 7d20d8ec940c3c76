import { exitCode } from './report/outcome.ts'
import type { Report, RuleResult } from './report/report.ts'
import { catalogue } from './rules/catalogue.ts'
import { formatStatementLink } from './rules/statements.ts'
import { type RunOptions, readOptions } from './run/options.ts'
import { maxTimerMs, maxTotalWaitMs } from './run/pace.ts'
import { plan } from './run/plan.ts'
import { runConformance } from './run-conformance.ts'
import { toPrintable } from './transcript/printable.ts'
import { maxWaitSeconds } from './transcript/waits.ts'

/**
 * Registers a test, such as `test` of `node:test`, Vitest, Jest or Bun, or `Deno.test`. The third argument is the time
 * limit in milliseconds, which some runners ignore.
 */
export type TestRegistrar = (
  name: string,
  body: (context?: unknown) => Promise<void>,
  timeoutMs: number,
) => unknown

/** Options for the run and for its tests. */
export interface TestOptions extends RunOptions {
  /** Whether a test is skipped instead of failing if its requirement lacks evidence. `false` by default. */
  readonly allowInconclusive?: boolean
}

/**
 * Defines a test for each rule. All tests share one run, which the first test starts.
 *
 * A test fails if its requirement is broken or could not be judged. A test is skipped if the rule does not apply, was
 * not selected, or is a known failure. Bun, Deno and Jest cannot skip a running test, so the test passes there instead.
 * If the deployment is unreachable, one test fails and the others are skipped. A warning is printed as a diagnostic
 * message.
 *
 * @param test The runner's function that registers a test.
 * @param options The deployment, what to send and what to judge. With an invalid option, each test fails.
 *
 * @example
 * import { test } from 'node:test'
 * import { defineTests } from 'pet-adoption-service/conformance'
 *
 * defineTests(test, { baseUrl: 'http://127.0.0.1:8080/v1', apiKey: process.env.PET_ADOPTION_API_KEY ?? '' })
 *
 */
export function defineTests(test: TestRegistrar, options: TestOptions): void {
  let run: Promise<Report> | undefined
  let isUnreachableReported = false
  const timeoutMs = computeTimeoutMs(options)
  for (const { id, title } of catalogue) {
    const body = async (context: unknown): Promise<void> => {
      run ??= runConformance(options)
      const report = await run
      if (!isUnreachable(report)) return reportTest(report, id, context, options)
      const reason = `deployment unreachable: ${report.endedEarly}`
      if (isUnreachableReported) return skipTest(context, reason)
      isUnreachableReported = true
      throw new Error(toPrintable(reason))
    }
    // Bun and Jest pass a callback to functions with a parameter, and wait until it is called.
    test(`${id}: ${title}`, (...[context]) => body(context), timeoutMs)
  }
}

/** Maximum time that a run waits for the rate limits of both keys, in milliseconds. */
const maxWaitMs = maxTotalWaitMs + 2 * maxWaitSeconds * 1000

/**
 * Computes each test's timeout, in milliseconds. The first test waits for the whole run, and each request can be sent
 * twice. Invalid options are reported by the tests.
 */
function computeTimeoutMs(options: TestOptions): number {
  try {
    const { requests, pace } = plan(options)
    const { timeoutMs } = readOptions(options)
    const requestTimeMs = timeoutMs + (pace === undefined ? 0 : 1000 / pace)
    return Math.min(maxTimerMs, Math.ceil(2 * requests * requestTimeMs + maxWaitMs))
  } catch {
    return maxWaitMs
  }
}

function isUnreachable({ exchanges }: Report): boolean {
  return exchanges.length > 0 && exchanges.every(({ response }) => response === undefined)
}

function reportTest(report: Report, id: string, context: unknown, options: TestOptions): void {
  const rule = report.rules.find((result) => result.id === id)
  if (rule === undefined) return
  if (exitCode({ ...report, rules: [rule] }, options) !== 0) throw new Error(explainResult(rule))
  if (rule.verdict === 'warn') printWarning(context, explainResult(rule))
  else if (rule.verdict !== 'pass') skipTest(context, `${rule.verdict}: ${rule.reason}`)
}

/** Prints a warning through the test runner (`diagnostic` in `node:test`, `annotate` in Vitest) or on the console. */
function printWarning(context: unknown, message: string): void {
  if (hasMethod(context, 'diagnostic')) context.diagnostic(message)
  else if (hasMethod(context, 'annotate')) context.annotate(message, 'warning')
  else console.warn(message)
}

function skipTest(context: unknown, reason: string): void {
  if (hasMethod(context, 'skip')) context.skip(toPrintable(reason))
}

function explainResult({ verdict, known, reason, curl, statement }: RuleResult): string {
  const knownFailureNote = known === undefined ? '' : ', although the rule is listed as a known failure'
  const curlNote = curl === undefined ? '' : `\nto repeat the request: ${curl}`
  return `${verdict}${knownFailureNote} (${formatStatementLink(statement)}): ${toPrintable(reason)}${curlNote}`
}

function hasMethod<Name extends string>(
  context: unknown,
  name: Name,
): context is Readonly<Record<Name, (...args: readonly string[]) => unknown>> {
  // In Vitest, the test context is a function.
  const isObject = typeof context === 'object' || typeof context === 'function'
  return isObject && context !== null && typeof Reflect.get(context, name) === 'function'
}
