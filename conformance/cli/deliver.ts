import { exitCode, type KnownFailure, type Report } from '../index.ts'
import { formats } from '../report/formats.ts'
import { markdown } from '../report/markdown.ts'
import { prettySummary } from '../report/pretty-summary.ts'
import { appendText, writeText } from './files.ts'
import { knownFailuresText } from './known-failures.ts'
import type { Output } from './output.ts'
import { type ProcessContext, styleOf } from './process-context.ts'

/**
 * Writes each report, and the failures, to their files or to stdout, and returns the exit code.
 *
 * @param known The known failures of the run.
 * @param earlier The report to compare with, for the formats that show differences.
 * @throws {UsageError} A file cannot be written. The others are written nevertheless.
 */
export function deliver(
  report: Report,
  { reports, isQuiet, knownFailures, allowInconclusive }: Output,
  { env, stdout }: ProcessContext,
  known: readonly KnownFailure[] = [],
  earlier?: Report,
): number {
  const style = styleOf(stdout, env, isQuiet)
  const problems: unknown[] = []
  const write = (what: string, path: string, text: string): void => {
    try {
      writeText(what, path, text)
    } catch (error) {
      problems.push(error)
    }
  }
  for (const { format, file } of reports) {
    if (file !== undefined)
      write(`${format} report`, file, formats[format](report, { color: false }, earlier))
  }
  if (knownFailures !== undefined) write('known failures', knownFailures, knownFailuresText(report, known))
  const shown = reports.find(({ file }) => file === undefined)
  stdout.write(
    shown === undefined ? prettySummary(report, style) : formats[shown.format](report, style, earlier),
  )
  const page = env.GITHUB_STEP_SUMMARY
  if (reports.some(({ format }) => format === 'github') && page)
    appendText('step summary', page, markdown(report))
  if (problems.length > 0) throw problems[0]
  return exitCode(report, { allowInconclusive })
}
