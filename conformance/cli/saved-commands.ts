import { comparisonFormats } from '../comparison/formats.ts'
import { compare, comparisonExitCode, judge, type Report, readReport, readTranscript } from '../index.ts'
import { UsageError } from './arguments/errors.ts'
import type { Command } from './command.ts'
import { adviceOnComparison, adviceOnReport, conclude, sinkForPeople } from './conclusion.ts'
import { deliver } from './deliver.ts'
import { mostOfRecord, readText, writeText } from './files.ts'
import { type ProcessContext, styleOf } from './process-context.ts'

/** Reads a saved transcript or report. What is wrong with its content is an error that names the file. */
function readSaved<Saved>(what: string, path: string, read: (text: string) => Saved): Saved {
  const text = readText(what, path, mostOfRecord)
  try {
    return read(text)
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${path}: ${error.message}`) : error
  }
}

/** Judges a saved transcript and delivers the report. Sends nothing, and returns the exit code of the report. */
export function judgeCommand(
  { transcript, options, output }: Extract<Command, { kind: 'judge' }>,
  context: ProcessContext,
): number {
  const report = judge(readSaved('transcript', transcript, readTranscript), options)
  const code = deliver(report, output, context, options.knownFailures)
  return conclude(code, adviceOnReport(code, report), sinkForPeople(output.reports, context))
}

/** Compares two saved reports or transcripts, and returns the exit code of the comparison. Sends nothing. */
export function compareCommand(
  { baseline, current, reports, isQuiet }: Extract<Command, { kind: 'compare' }>,
  context: ProcessContext,
): number {
  const { env, stdout } = context
  const comparison = compare(
    readSaved('report', baseline, readEither),
    readSaved('report', current, readEither),
  )
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

/** Reads a report, or a transcript, which it judges. */
function readEither(text: string): Report {
  return isTranscript(text) ? judge(readTranscript(text)) : readReport(text)
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
