import { type ComparisonFormat, comparisonFormatNames } from '../comparison/formats.ts'
import type { JudgeOptions, RunOptions } from '../index.ts'
import type { CommandLine } from './arguments/command-line.ts'
import { withConfig } from './arguments/config.ts'
import { UsageError } from './arguments/errors.ts'
import { flagNames, flags } from './arguments/flags.ts'
import type { Environment } from './arguments/proxy-environment.ts'
import { baselineOptions, given, judgeOptions, runOptions } from './arguments/run-options.ts'
import { integer, oneOf } from './arguments/values.ts'
import { type ProgramCall, readCleanup } from './cleanup.ts'
import {
  checkDistinct,
  type Output,
  type OutputFile,
  type ReportOutput,
  readOutput,
  readReports,
} from './output.ts'

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help'; readonly of: 'run' | 'judge' | 'compare' }
  | { readonly kind: 'version' }
  | { readonly kind: 'list'; readonly format: 'pretty' | 'json' }
  | { readonly kind: 'dry-run'; readonly options: RunOptions }
  | {
      readonly kind: 'run'
      readonly options: RunOptions
      readonly output: Output
      /** Every file that the command writes. */
      readonly files: readonly OutputFile[]
      readonly saveTranscript?: string
      readonly cleanup?: ProgramCall
      /** The options of a second run, against the baseline. */
      readonly against?: RunOptions
      readonly isVerbose: boolean
      /** How long to wait for a deployment that is starting, in milliseconds. */
      readonly waitMs?: number
    }
  | {
      readonly kind: 'compare'
      /** The paths of two reports or transcripts. */
      readonly baseline: string
      readonly current: string
      readonly reports: readonly ReportOutput<ComparisonFormat>[]
      readonly isQuiet: boolean
    }
  | {
      readonly kind: 'judge'
      readonly transcript: string
      readonly options: JudgeOptions
      readonly output: Output
    }

type Values = CommandLine['values']

/** The longest wait for a deployment, in seconds. */
const longestWait = 3600

function readWait(text: string): number {
  const seconds = integer('wait', text)
  if (seconds < 1n || seconds > longestWait)
    throw new UsageError(`--wait must be a whole number of seconds from 1 to ${longestWait}`)
  return Number(seconds) * 1000
}

/** Every file that the command writes. */
function filesOf(output: Output, values: Values): readonly OutputFile[] {
  return [
    ...output.reports.flatMap(({ format, file }) =>
      file === undefined ? [] : [[`${format} report`, file] as const],
    ),
    ...(output.knownFailures === undefined ? [] : [['known failures', output.knownFailures] as const]),
    ...(values['save-transcript'] === undefined ? [] : [['transcript', values['save-transcript']] as const]),
  ]
}

function judgeCommand(positionals: readonly string[], commandLine: CommandLine): Command {
  const { values } = commandLine
  const [transcript, ...others] = positionals
  if (transcript === undefined || others.length > 0)
    throw new UsageError('judge requires one file: judge TRANSCRIPT.json')
  const other = flagNames.find((name) => name in values && flags[name].judge === undefined)
  if (other !== undefined) throw new UsageError(`--${other} is not a flag of judge, which sends nothing`)
  const merged = withConfig(commandLine, (name) => flags[name].judge === true)
  const output = readOutput(merged)
  checkDistinct(filesOf(output, merged.values))
  return { kind: 'judge', transcript, options: judgeOptions(merged.values), output }
}

function compareCommand(positionals: readonly string[], commandLine: CommandLine): Command {
  const { values } = commandLine
  const [baseline, current, ...others] = positionals
  if (baseline === undefined || current === undefined || others.length > 0)
    throw new UsageError('compare requires two files: compare BASELINE.json CURRENT.json')
  const other = flagNames.find((name) => name in values && flags[name].compare === undefined)
  if (other !== undefined)
    throw new UsageError(`--${other} is not a flag of compare, which reads two reports or transcripts`)
  const reports = readReports(commandLine, comparisonFormatNames)
  checkDistinct(
    reports.flatMap(({ format, file }) => (file === undefined ? [] : [[`${format} comparison`, file]])),
  )
  return { kind: 'compare', baseline, current, reports, isQuiet: 'quiet' in values }
}

/**
 * Returns what a command line and the environment ask for.
 *
 * @throws {UsageError} An argument is missing, invalid, or does not go with the others.
 */
export function readCommand(commandLine: CommandLine, env: Environment): Command {
  const { positionals } = commandLine
  const of = positionals[0] === 'judge' || positionals[0] === 'compare' ? positionals[0] : 'run'
  if ('help' in commandLine.values) return { kind: 'help', of }
  if ('version' in commandLine.values) return { kind: 'version' }
  if ('list' in commandLine.values) {
    const format = oneOf('format', commandLine.values.format ?? 'pretty', ['pretty', 'json'])
    return { kind: 'list', format }
  }
  if (positionals[0] === 'judge') return judgeCommand(positionals.slice(1), commandLine)
  if (positionals[0] === 'compare') return compareCommand(positionals.slice(1), commandLine)
  const merged = withConfig(commandLine)
  const { values } = merged
  const [first = values['base-url'], ...others] = positionals
  if (first === undefined)
    throw new UsageError('the base URL is missing: give one such as https://api.example.com/v1')
  if (others.length > 0)
    throw new UsageError('the base URL is given twice: give it once, and each flag with two dashes')
  const options = runOptions(first, merged, env)
  if ('dry-run' in values) return { kind: 'dry-run', options }
  const output = readOutput(merged)
  const files = filesOf(output, values)
  checkDistinct(files)
  if ('quiet' in values && 'verbose' in values)
    throw new UsageError('--quiet and --verbose contradict each other: give one of them')
  const against = values.against
  return {
    kind: 'run',
    options,
    ...(against !== undefined && { against: baselineOptions(against, options, env) }),
    output,
    files,
    isVerbose: 'verbose' in values,
    ...given('waitMs', values.wait, readWait),
    ...given('cleanup', values.cleanup, readCleanup),
    ...given('saveTranscript', values['save-transcript'], (path) => path),
  }
}
