import { comparisonFormatNames, comparisonFormats } from '../comparison/formats.ts'
import { compare, comparisonExitCode, judge, type Report, readReport, readTranscript } from '../index.ts'
import type { CommandLine } from './arguments/command-line.ts'
import { withConfig } from './arguments/config.ts'
import { type CommandName, type FlagName, flagsOf } from './arguments/flags.ts'
import { judgeOptions } from './arguments/run-options.ts'
import { UsageError } from './arguments/values.ts'
import { mostOfRecord, readText, writeText } from './files.ts'
import {
  adviceOnComparison,
  adviceOnReport,
  conclude,
  deliver,
  readOutput,
  readReports,
  sinkForPeople,
} from './output.ts'
import { type ProcessContext, styleOf } from './process-context.ts'

/** Throws a UsageError if a flag is not one of the command. */
function checkFlags({ values }: CommandLine, command: CommandName, does: string): void {
  // the keys of the values are names of flags
  const other = (Object.keys(values) as FlagName[]).find((name) => !flagsOf[command].includes(name))
  if (other !== undefined) throw new UsageError(`--${other} is not a flag of ${command}, which ${does}`)
}

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
export function judgeCommand(commandLine: CommandLine, context: ProcessContext): number {
  const [, transcript, ...others] = commandLine.positionals
  if (transcript === undefined || others.length > 0)
    throw new UsageError('judge requires one file: judge TRANSCRIPT.json')
  checkFlags(commandLine, 'judge', 'sends nothing')
  const settings = withConfig(commandLine, flagsOf.judge)
  const output = readOutput(settings)
  const options = judgeOptions(settings.values)
  const report = judge(readSaved('transcript', transcript, readTranscript), options)
  const code = deliver(report, output, context, options.knownFailures)
  return conclude(code, adviceOnReport(code, report), sinkForPeople(output.reports, context))
}

/** Compares two saved reports or transcripts, and returns the exit code of the comparison. Sends nothing. */
export function compareCommand(commandLine: CommandLine, context: ProcessContext): number {
  const [, baseline, current, ...others] = commandLine.positionals
  if (baseline === undefined || current === undefined || others.length > 0)
    throw new UsageError('compare requires two files: compare BASELINE.json CURRENT.json')
  checkFlags(commandLine, 'compare', 'reads two reports or transcripts')
  const reports = readReports(commandLine, comparisonFormatNames, 'comparison')
  const { env, stdout } = context
  const comparison = compare(
    readSaved('report', baseline, readEither),
    readSaved('report', current, readEither),
  )
  const style = styleOf(stdout, env, 'quiet' in commandLine.values)
  for (const { format, file } of reports) {
    if (file === undefined) stdout.write(comparisonFormats[format](comparison, style))
    else writeText(`${format} comparison`, file, comparisonFormats[format](comparison, { color: false }))
  }
  if (reports.every(({ file }) => file !== undefined))
    stdout.write(comparisonFormats.pretty(comparison, { ...style, isQuiet: true }))
  const code = comparisonExitCode(comparison)
  return conclude(code, adviceOnComparison(code), sinkForPeople(reports, context))
}

/** Reads a report, or a transcript, which it judges: every transcript has a version, and no report has. */
function readEither(text: string): Report {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // readReport names the problem
  }
  const isTranscript = typeof value === 'object' && value !== null && 'version' in value
  return isTranscript ? judge(readTranscript(text)) : readReport(text)
}
