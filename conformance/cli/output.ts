import { exitCode, type KnownFailure, type Report } from '../index.ts'
import { type Format, formatNames, formats } from '../report/formats.ts'
import { markdown } from '../report/markdown.ts'
import { formatSummary } from '../report/pretty.ts'
import { listBrokenRules } from '../report/report.ts'
import { creates } from '../steps/profile.ts'
import { writeText } from './files.ts'
import type { CommandLine } from './flags.ts'
import { formatKnownFailures } from './known-failures.ts'
import { chooseStyle, type ProcessContext, print, type Sink } from './terminal.ts'
import { LostOutputError, oneOf, UsageError } from './values.ts'

/** A report to write. */
export interface ReportOutput {
  readonly format: Format
  /** Absent for stdout. */
  readonly file?: string
}

/** The data for the files of a command. */
export interface Judgement {
  readonly report: Report
  /** The known failures of the run. */
  readonly known: readonly KnownFailure[]
  /** The text of the transcript. */
  readonly transcript: string
  /** Set if the transcript was saved by an earlier run, so that nothing was sent. */
  readonly isSaved: boolean
}

/** A file that the program writes, with a name for messages. */
export interface OutputFile {
  readonly what: string
  readonly path: string
  readonly text: (judged: Judgement) => string
}

/** The destinations of the reports, and the options of the terminal and the exit code. */
export interface Output {
  /** The format of the report on stdout; without one, the terminal has a summary. */
  readonly shown: Format | undefined
  /** Print only failures and the summary. */
  readonly isQuiet: boolean
  readonly allowInconclusive: boolean
  /** Append the report to the step summary of GitHub Actions. */
  readonly isForGithub: boolean
  readonly files: readonly OutputFile[]
}

/** Reads the flags of the output. Throws a UsageError if a format is unknown, or stdout has two. */
export function readOutput({ values, lists }: Pick<CommandLine, 'values' | 'lists'>): Output {
  const reports = readReports(lists.format)
  const fileAt = (what: string, path: string | undefined, text: OutputFile['text']): readonly OutputFile[] =>
    path === undefined ? [] : [{ what, path, text }]
  const files = [
    ...reports.flatMap(({ format, file }) =>
      fileAt(`${format} report`, file, ({ report }) => formats[format](report, { color: false })),
    ),
    ...fileAt('known failures', values['write-known-failures'], ({ report, known }) =>
      formatKnownFailures(report, known),
    ),
    ...fileAt('transcript', values['save-transcript'], ({ transcript }) => transcript),
  ]
  return {
    shown: reports.find(({ file }) => file === undefined)?.format,
    isQuiet: values.quiet !== undefined,
    allowInconclusive: values['allow-inconclusive'] !== undefined,
    isForGithub: reports.some(({ format }) => format === 'github'),
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
    throw new UsageError(`--format was given twice without a file: write --format ${second.format}=FILE`)
  return reports
}

/**
 * Writes the files and the report on stdout, and then the last line: the exit code and, unless that is 0, what to do.
 *
 * @param code The exit code; by default the report decides.
 * @returns The exit code.
 * @throws {LostOutputError} A report could not be written. The others are written nevertheless.
 */
export async function deliver(
  judged: Judgement,
  { shown, isQuiet, allowInconclusive, isForGithub, files }: Output,
  { env, stdout, stderr }: ProcessContext,
  code?: number,
): Promise<number> {
  const { report } = judged
  const style = chooseStyle(stdout, env, isQuiet)
  const page = env.GITHUB_STEP_SUMMARY
  const lost: string[] = []
  const attempt = async (write: () => unknown): Promise<void> => {
    try {
      await write()
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof LostOutputError)) throw error
      lost.push(error.message)
    }
  }
  for (const { what, path, text } of files) await attempt(() => writeText(what, path, text(judged)))
  if (isForGithub && page) await attempt(() => writeText('step summary', page, markdown(report), 'a'))
  await attempt(() =>
    shown === undefined
      ? stdout.write(formatSummary(report, style))
      : print(stdout, `the ${shown} report`, formats[shown](report, style)),
  )
  if (lost.length > 0) throw new LostOutputError(lost.join('; '))
  const last = code ?? exitCode(report, { allowInconclusive })
  // a program that reads stdout gets only the report
  const sink: Sink = shown === undefined || shown === 'pretty' ? stdout : stderr
  const advice = adviseOn(last, judged)
  sink.write(`exit code ${last}${advice === undefined ? '' : `: ${advice}`}\n`)
  return last
}

/** The exit code of an interrupted run, as shells have it: 128 and the number of SIGINT. */
export const interrupted = 130

/** Returns what to do about an exit code, by the reason that this result has; `undefined` if nothing. */
function adviseOn(code: number, { report, known, isSaved }: Judgement): string | undefined {
  const { failures } = listBrokenRules(report)
  if (code === interrupted) return 'the run was interrupted: run it again'
  if (code === 0) return undefined
  if (report.endedEarly !== undefined) return 'see above why the run ended early'
  if (code === 1) {
    if (failures.length === 0) return 'remove what no longer fails from the known failures'
    if (isSaved) return 'fix what is broken'
    const rest = known.length > 0 ? ', which leaves out what no longer fails' : ''
    return `fix what is broken, or list it with --write-known-failures FILE${rest}`
  }
  if (isSaved) return 'see the reasons above'
  const ignore = '--allow-inconclusive ignores missing evidence'
  return creates(report.profile)
    ? `see the reasons above; ${ignore}`
    : `see the reasons above; --profile create adds animals, and ${ignore}`
}
