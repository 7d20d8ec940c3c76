import { comparisonFormats } from '../comparison/formats.ts'
import { compare, comparisonExitCode, judge, type Report, readReport, readTranscript } from '../index.ts'
import { UsageError } from './arguments/errors.ts'
import type { Command } from './command.ts'
import { adviceOnComparison, conclude, sinkForPeople } from './conclusion.ts'
import { mostOfRecord, readText, writeText } from './files.ts'
import type { ProcessContext } from './process-context.ts'
import { styleOf } from './style.ts'

/** Reads a report, or a transcript, which it judges. */
function savedReport(path: string): Report {
  const text = readText('report', path, mostOfRecord)
  try {
    return isTranscript(text) ? judge(readTranscript(text)) : readReport(text)
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${path}: ${error.message}`) : error
  }
}

/** Whether a JSON text has the version that every transcript has, and no report. */
function isTranscript(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'version' in value
  } catch {
    return false
  }
}

/** Compares two saved reports or transcripts, and returns the exit code of the comparison. Sends nothing. */
export function compareCommand(
  { baseline, current, reports, isQuiet }: Extract<Command, { kind: 'compare' }>,
  context: ProcessContext,
): number {
  const { env, stdout } = context
  const comparison = compare(savedReport(baseline), savedReport(current))
  const style = styleOf(stdout, env, isQuiet)
  for (const { format, file } of reports) {
    if (file === undefined) stdout.write(comparisonFormats[format](comparison, style))
    else writeText(`${format} comparison`, file, comparisonFormats[format](comparison, { color: false }))
  }
  if (reports.every(({ file }) => file !== undefined))
    stdout.write(comparisonFormats.pretty(comparison, { ...style, isQuiet: true }))
  const code = comparisonExitCode(comparison)
  return conclude(code, adviceOnComparison(code), sinkForPeople(reports, context))
}
