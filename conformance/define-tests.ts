import { exitCode } from './exit-code.ts'
import type { RunOptions } from './options.ts'
import { printable } from './report/printable.ts'
import type { Report, RuleResult } from './report/report.ts'
import { catalogue } from './rules/catalogue.ts'
import { runConformance } from './run.ts'

/** The `test` of a runner: node:test, vitest, bun:test, or `Deno.test`. */
export type TestRegistrar = (name: string, body: (context?: unknown) => Promise<void>) => unknown

/** A run, and what its tests overlook. */
export interface TestOptions extends RunOptions {
  /** Skips a MUST without evidence in place of failing. */
  readonly allowInconclusive?: boolean
}

/**
 * Registers one test for each rule with the runner. The run starts with the first of them and serves all. A broken
 * MUST fails its test, and so does one that could not be judged; what does not apply or was not asked for is skipped,
 * where the runner's context has a `skip`.
 */
export function defineTests(test: TestRegistrar, options: TestOptions): void {
  let run: Promise<Report> | undefined
  for (const { id, title } of catalogue) {
    test(`${id}: ${title}`, async (context) => {
      run ??= runConformance(options)
      reportTest(await run, id, context, options)
    })
  }
}

function reportTest(report: Report, id: string, context: unknown, options: TestOptions): void {
  const rule = report.rules.find((result) => result.id === id)
  if (rule === undefined) return
  if (exitCode({ ...report, rules: [rule] }, options) !== 0) throw new Error(explain(rule, report))
  if (rule.verdict !== 'pass' && canSkip(context)) context.skip(`${rule.verdict}: ${rule.reason}`)
}

function explain({ verdict, known, reason, curl, section }: RuleResult, { endedEarly }: Report): string {
  const lines = [
    `${verdict}${known === undefined ? '' : ', though it stands in the known failures'} (section ${section}): ${printable(reason)}`,
    ...(verdict === 'fail' || endedEarly === undefined
      ? []
      : [`the run ended early: ${printable(endedEarly)}`]),
    ...(curl === undefined ? [] : [`see it again: ${curl}`]),
  ]
  return lines.join('\n')
}

function canSkip(context: unknown): context is { skip(reason: string): void } {
  return (
    typeof context === 'object' && context !== null && 'skip' in context && typeof context.skip === 'function'
  )
}
