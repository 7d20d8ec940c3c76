import { exitCode, type KnownFailure, type Report } from '../index.ts'
import { type Format, formatNames, formats } from '../report/formats.ts'
import { formatMarkdown } from '../report/markdown.ts'
import { formatSummary } from '../report/pretty.ts'
import { listBrokenRules } from '../report/report.ts'
import { createsAnimals } from '../steps/profile.ts'
import { findKeyRejection } from '../transcript/responses.ts'
import { writeText } from './files.ts'
import type { CommandLine } from './flags.ts'
import { formatKnownFailures } from './known-failures.ts'
import { chooseStyle, type ProcessContext, print, type Sink } from './terminal.ts'
import { LostOutputError, parseChoice, UsageError } from './values.ts'

/** A report to write, from `--format`. */
interface ReportOutput {
  readonly format: Format
  /** The file to write to. Absent for stdout. */
  readonly file?: string
}

/** A report, and the facts that the advice in the last line depends on. */
export interface JudgedReport {
  readonly report: Report
  /** The known failures from `--known-failures`. */
  readonly known: readonly KnownFailure[]
  /** Whether the report was saved by an earlier run. This run then sent no requests. */
  readonly isSaved: boolean
}

/** A file to write after the report was judged. */
export interface OutputFile {
  readonly what: string
  readonly path: string
  readonly text: (judged: JudgedReport) => string
}

/** Where and how to write reports. */
export interface Output {
  /** The format for stdout, or `undefined` if all reports go to files. */
  readonly stdoutFormat: Format | undefined
  readonly isQuiet: boolean
  readonly allowInconclusive: boolean
  /** Whether to append a Markdown report to GitHub's step summary. */
  readonly isForGithub: boolean
  readonly files: readonly OutputFile[]
}

/** Reads the flags for output. Throws a `UsageError` if a format is unknown, or two formats go to stdout. */
export function readOutput({ values, lists }: Pick<CommandLine, 'values' | 'lists'>): Output {
  const outputs = readReports(lists.format)
  const fileAt = (what: string, path: string | undefined, text: OutputFile['text']): readonly OutputFile[] =>
    path === undefined ? [] : [{ what, path, text }]
  return {
    stdoutFormat: outputs.find(({ file }) => file === undefined)?.format,
    isQuiet: values.quiet !== undefined,
    allowInconclusive: values['allow-inconclusive'] !== undefined,
    isForGithub: outputs.some(({ format }) => format === 'github'),
    files: [
      ...outputs.flatMap(({ format, file }) =>
        fileAt(`${format} report`, file, ({ report }) => formats[format](report, { color: false })),
      ),
      ...fileAt('known failures', values['write-known-failures'], ({ report, known }) =>
        formatKnownFailures(report, known),
      ),
    ],
  }
}

function readReports(texts: readonly string[] = ['pretty']): readonly ReportOutput[] {
  const reportOutputs = texts.map((text): ReportOutput => {
    const [name = '', ...rest] = text.split('=')
    const formatName = parseChoice('format', name, formatNames)
    const file = rest.join('=')
    if (rest.length > 0 && file === '')
      throw new UsageError(`--format ${formatName}= requires a file: --format ${formatName}=FILE`)
    return file === '' ? { format: formatName } : { format: formatName, file }
  })
  const [, second] = reportOutputs.filter(({ file }) => file === undefined)
  if (second !== undefined)
    throw new UsageError(`--format was given twice without a file: write --format ${second.format}=FILE`)
  return reportOutputs
}

/**
 * Writes the files and the report on stdout. The last line is the exit code and, unless it is 0, what to do.
 *
 * @param interrupted The exit code after an interrupt. Otherwise the report decides.
 * @returns The exit code.
 * @throws {LostOutputError} if a report could not be written. The other reports still are.
 */
export async function writeOutput(
  judged: JudgedReport,
  { stdoutFormat, isQuiet, allowInconclusive, isForGithub, files }: Output,
  { env, stdout, stderr }: ProcessContext,
  interrupted?: number,
): Promise<number> {
  const { report } = judged
  const outputStyle = chooseStyle(stdout, env, isQuiet)
  const summaryPath = env.GITHUB_STEP_SUMMARY
  const lostReports: string[] = []
  const attempt = async (write: () => unknown): Promise<void> => {
    try {
      await write()
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof LostOutputError)) throw error
      lostReports.push(error.message)
    }
  }
  for (const { what, path, text } of files) await attempt(() => writeText(what, path, text(judged)))
  if (isForGithub && summaryPath)
    await attempt(() => writeText('step summary', summaryPath, formatMarkdown(report), 'a'))
  await attempt(() =>
    stdoutFormat === undefined
      ? stdout.write(formatSummary(report, outputStyle))
      : print(stdout, `the ${stdoutFormat} report`, formats[stdoutFormat](report, outputStyle)),
  )
  if (lostReports.length > 0) throw new LostOutputError(lostReports.join('; '))
  const finalExitCode = interrupted ?? exitCode(report, { allowInconclusive })
  // A program that reads stdout should only get the report.
  const messageSink: Sink = stdoutFormat === undefined || stdoutFormat === 'pretty' ? stdout : stderr
  const advice =
    interrupted === undefined ? adviseOnExitCode(finalExitCode, judged) : 'interrupted: run it again'
  messageSink.write(`exit code ${finalExitCode}${advice === undefined ? '' : `: ${advice}`}\n`)
  return finalExitCode
}

/** Returns what to do about an exit code, or `undefined` if nothing is wrong. */
function adviseOnExitCode(code: number, { report, known, isSaved }: JudgedReport): string | undefined {
  const { failures } = listBrokenRules(report)
  if (code === 0) return undefined
  if (report.endedEarly !== undefined) return 'the run ended early; see the reason above'
  if (findKeyRejection(report.exchanges) !== undefined) return 'use a key that the deployment accepts'
  if (code === 1) {
    if (failures.length === 0) return 'remove the rules that no longer fail from the known-failures file'
    if (isSaved) return 'fix the failures'
    const rewriteNote = known.length > 0 ? ', which removes rules that no longer fail' : ''
    return `fix the failures, or record them with --write-known-failures FILE${rewriteNote}`
  }
  if (isSaved) return 'see the reasons above'
  const ignoreAdvice = '--allow-inconclusive accepts rules that could not be judged'
  return createsAnimals(report.profile)
    ? `see the reasons above; ${ignoreAdvice}`
    : `see the reasons above; --profile create collects more evidence, and ${ignoreAdvice}`
}
