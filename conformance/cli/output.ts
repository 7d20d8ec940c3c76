import { resolve } from 'node:path'
import { exitCode, type KnownFailure, type Report } from '../index.ts'
import { type Format, formatNames, formats } from '../report/formats.ts'
import { markdown } from '../report/markdown.ts'
import { prettySummary } from '../report/pretty.ts'
import { isKnown } from '../report/report.ts'
import { appendText, writeText } from './files.ts'
import type { CommandLine } from './flags.ts'
import { knownFailuresText } from './known-failures.ts'
import { type ProcessContext, type Sink, styleOf } from './terminal.ts'
import { oneOf, UsageError } from './values.ts'

/** A report to write. */
export interface ReportOutput {
  readonly format: Format
  /** Absent for stdout. */
  readonly file?: string
}

/** A file that the program writes, with what it contains. */
export type OutputFile = readonly [what: string, path: string]

/** Where the reports go, how much the terminal shows, and what the exit code ignores. */
export interface Output {
  /** At most one of them is for stdout. Without one, the terminal has a summary. */
  readonly reports: readonly ReportOutput[]
  /** Whether the terminal shows failures and the outcome alone. */
  readonly isQuiet: boolean
  /** The file for the failures of the report. */
  readonly knownFailures?: string
  /** The file for the transcript. */
  readonly transcript?: string
  readonly allowInconclusive: boolean
  /** Every file that the command writes. */
  readonly files: readonly OutputFile[]
}

/** Reads the flags of the output. Throws a UsageError if a format is unknown, or two files have one place. */
export function readOutput({ values, lists }: Pick<CommandLine, 'values' | 'lists'>): Output {
  const reports = readReports(lists.format)
  const knownFailures = values['write-known-failures']
  const transcript = values['save-transcript']
  const files = [
    ...reports.map(({ format, file }) => [`${format} report`, file] as const),
    ['known failures', knownFailures] as const,
    ['transcript', transcript] as const,
  ].flatMap(([what, path]) => (path === undefined ? [] : [[what, path] as const]))
  checkDistinct(files)
  return {
    reports,
    isQuiet: values.quiet !== undefined,
    ...(knownFailures !== undefined && { knownFailures }),
    ...(transcript !== undefined && { transcript }),
    allowInconclusive: values['allow-inconclusive'] !== undefined,
    files,
  }
}

function readReports(texts: readonly string[] = ['pretty']): readonly ReportOutput[] {
  const reports = texts.map((text): ReportOutput => {
    const [name = '', ...rest] = text.split('=')
    const format = oneOf('format', name, formatNames)
    const file = rest.join('=')
    if (rest.length > 0 && file === '')
      throw new UsageError(`--format ${format}= requires a file: --format ${format}=FILE`)
    return file === '' ? { format } : { format, file }
  })
  const [, second] = reports.filter(({ file }) => file === undefined)
  if (second !== undefined)
    throw new UsageError(`--format is given twice without a file: write --format ${second.format}=FILE`)
  return reports
}

/** Throws a UsageError if two of the files are one. */
function checkDistinct(files: readonly OutputFile[]): void {
  const paths = files.map(([, path]) => resolve(path))
  const again = paths.findIndex((path, index) => paths.indexOf(path) < index)
  const [what, path] = files[again] ?? []
  const [first] = files[paths.indexOf(paths[again] ?? '')] ?? []
  if (what !== undefined)
    throw new UsageError(`the ${first} and the ${what} would both be written to ${path}: name another file`)
}

/**
 * Writes each report, the failures and the transcript to their files or to stdout, and then the last line: the exit
 * code and, unless that is 0, what to do.
 *
 * @param known The known failures of the run.
 * @param transcript The text of the transcript.
 * @param code The exit code, if it is not that of the report.
 * @returns The exit code.
 * @throws {UsageError} A file cannot be written. The others are written nevertheless.
 */
export function deliver(
  report: Report,
  output: Output,
  context: ProcessContext,
  {
    known = [],
    transcript = '',
    code,
  }: { known?: readonly KnownFailure[]; transcript?: string; code?: number },
): number {
  const { reports, isQuiet, knownFailures, allowInconclusive } = output
  const { env, stdout, stderr } = context
  const texts = [
    ...reports.map(({ format, file }) => ({
      what: `${format} report`,
      file,
      text: () => formats[format](report, { color: false }),
    })),
    { what: 'known failures', file: knownFailures, text: () => knownFailuresText(report, known) },
    { what: 'transcript', file: output.transcript, text: () => transcript },
  ]
  const problems: unknown[] = []
  for (const { what, file, text } of texts) {
    try {
      if (file !== undefined) writeText(what, file, text())
    } catch (error) {
      problems.push(error)
    }
  }
  const style = styleOf(stdout, env, isQuiet)
  const shown = reports.find(({ file }) => file === undefined)
  stdout.write(shown === undefined ? prettySummary(report, style) : formats[shown.format](report, style))
  const page = env.GITHUB_STEP_SUMMARY
  if (reports.some(({ format }) => format === 'github') && page)
    appendText('step summary', page, markdown(report))
  if (problems.length > 0) throw problems[0]
  const last = code ?? exitCode(report, { allowInconclusive })
  const advice = adviceOn(last, report)
  // what a program reads from stdout is the report alone
  const sink: Sink = shown === undefined || shown.format === 'pretty' ? stdout : stderr
  sink.write(advice === undefined ? `exit code ${last}\n` : `exit code ${last}: ${advice}\n`)
  return last
}

/** The exit code of an interrupted run, as shells have it: 128 and the number of SIGINT. */
export const interrupted = 130

/** Returns what to do about the exit code of a report. */
function adviceOn(code: number, { rules, endedEarly, creates }: Report): string | undefined {
  if (code === interrupted) return 'the run was interrupted: run it again'
  if (code === 1) {
    const isBroken = rules.some((rule) => rule.verdict === 'fail' && !isKnown(rule))
    return isBroken
      ? 'fix what is broken, or list it as known with --write-known-failures FILE'
      : 'delete what no longer fails from the file of known failures'
  }
  if (code !== 3) return undefined
  if (endedEarly !== undefined) return 'the run ended early: do what is said above, and run it again'
  const animals =
    creates > 0
      ? 'see the reasons above'
      : 'add animals of each status, or run --profile create, which adds some'
  return `some requirements could not be judged: ${animals}; --allow-inconclusive exits with 0`
}
