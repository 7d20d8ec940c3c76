import { resolve } from 'node:path'
import { exitCode, type KnownFailure, type Report } from '../index.ts'
import { type Format, formatNames, formats } from '../report/formats.ts'
import { markdown } from '../report/markdown.ts'
import { prettySummary } from '../report/pretty.ts'
import { isKnown } from '../report/verdicts.ts'
import type { CommandLine } from './arguments/command-line.ts'
import { oneOf, UsageError } from './arguments/values.ts'
import { appendText, writeText } from './files.ts'
import { knownFailuresText } from './known-failures.ts'
import { type ProcessContext, type Sink, styleOf } from './process-context.ts'

/** A report to write. */
export interface ReportOutput<Name extends string = Format> {
  readonly format: Name
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
  readonly allowInconclusive: boolean
  /** Every file that the command writes. */
  readonly files: readonly OutputFile[]
}

/** Reads the flags of the output. Throws a UsageError if a format is unknown, or two files have one place. */
export function readOutput({ values, lists }: Pick<CommandLine, 'values' | 'lists'>): Output {
  const reports = readReports({ values, lists }, formatNames, 'report')
  const knownFailures = values['write-known-failures']
  const others = [
    ['known failures', knownFailures],
    ['transcript', values['save-transcript']],
  ] as const
  const files = [
    ...filesOf(reports, 'report'),
    ...others.flatMap(([what, path]) => (path === undefined ? [] : [[what, path] as const])),
  ]
  checkDistinct(files)
  return {
    reports,
    isQuiet: values.quiet !== undefined,
    ...(knownFailures !== undefined && { knownFailures }),
    allowInconclusive: values['allow-inconclusive'] !== undefined,
    files,
  }
}

/** Reads `--format` and `--out`. Throws a UsageError if a format is not among the names, or two reports have one place. */
export function readReports<Name extends string>(
  { values: { out }, lists }: Pick<CommandLine, 'values' | 'lists'>,
  names: readonly Name[],
  what: string,
): readonly ReportOutput<Name>[] {
  const named = (lists.format ?? ['pretty']).map((text): ReportOutput<Name> => {
    const [name = '', ...rest] = text.split('=')
    const format = oneOf('format', name, names)
    const file = rest.join('=')
    if (rest.length > 0 && file === '')
      throw new UsageError(`--format ${format}= requires a file: --format ${format}=FILE`)
    return file === '' ? { format } : { format, file }
  })
  const unnamed = named.filter(({ file }) => file === undefined)
  if (unnamed.length > 1) {
    throw new UsageError(
      `--format is given twice without a file: write --format ${unnamed.at(-1)?.format}=FILE`,
    )
  }
  if (out !== undefined && unnamed.length === 0)
    throw new UsageError('--out has nothing to write: each --format names its file')
  const reports = named.map(({ format, file = out }) => ({ format, ...(file !== undefined && { file }) }))
  checkDistinct(filesOf(reports, what))
  return reports
}

function filesOf(reports: readonly ReportOutput<string>[], what: string): readonly OutputFile[] {
  return reports.flatMap(({ format, file }) => (file === undefined ? [] : [[`${format} ${what}`, file]]))
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

/** Returns the stream for people: what a program reads from stdout is the report alone. */
export function sinkForPeople(
  reports: readonly ReportOutput<string>[],
  { stdout, stderr }: ProcessContext,
): Sink {
  return reports.some(({ format, file }) => file === undefined && format !== 'pretty') ? stderr : stdout
}

/** The exit code of an interrupted run, as shells have it: 128 and the number of SIGINT. */
export const interrupted = 130

/** Writes the last line of a program: its exit code and, unless that is 0, what to do. Returns the code. */
export function conclude(code: number, advice: string | undefined, sink: Sink): number {
  sink.write(code === 0 || advice === undefined ? `exit code ${code}\n` : `exit code ${code}: ${advice}\n`)
  return code
}

/** Returns what to do about the exit code of a report. */
export function adviceOnReport(code: number, report: Report): string | undefined {
  const { rules, endedEarly } = report
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
    report.creates > 0
      ? 'see the reasons above'
      : 'add animals of each status, or run --profile create, which adds some'
  return `some requirements could not be judged: ${animals}; --allow-inconclusive exits with 0`
}

/** Returns what to do about the exit code of a comparison. */
export function adviceOnComparison(code: number): string | undefined {
  if (code === 1) return 'fix what got worse'
  return code === 3 ? 'one of the runs ended early: run it again' : undefined
}
