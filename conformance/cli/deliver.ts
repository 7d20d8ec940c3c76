import { exitCode, type Report } from '../index.ts'
import { formats } from '../report/formats.ts'
import { markdown } from '../report/markdown.ts'
import { prettySummary } from '../report/pretty-summary.ts'
import { usesColor } from './color.ts'
import type { Output } from './command.ts'
import { appendText, writeText } from './files.ts'
import type { ProcessContext } from './process-context.ts'

/** Writes a report to its file or to stdout, and returns its exit code. Throws a UsageError if a file cannot be written. */
export function deliver(report: Report, output: Output, { env, stdout }: ProcessContext): number {
  const { format, out, allowInconclusive } = output
  const { isTTY, columns } = stdout
  const style = { color: usesColor(env, stdout), ...(isTTY && columns !== undefined && { columns }) }
  if (out === undefined) stdout.write(formats[format](report, style))
  else {
    writeText('report', out, formats[format](report, { color: false }))
    stdout.write(prettySummary(report, style))
  }
  const page = env.GITHUB_STEP_SUMMARY
  if (format === 'github' && page) appendText('step summary', page, markdown(report))
  return exitCode(report, { allowInconclusive })
}
