import {
  judge,
  plan,
  type RunOptions,
  readTranscript,
  record,
  type Transcript,
  writeTranscript,
} from '../index.ts'
import { realClock } from '../run/pace.ts'
import { plural, printable } from '../transcript/printable.ts'
import { checkWritable, readText } from './files.ts'
import { type CommandLine, flagNames } from './flags.ts'
import { cost } from './listing.ts'
import { deliver, interrupted, readOutput } from './output.ts'
import { checkOptions, judgeOptions } from './run-options.ts'
import { createProgress, exchangeLine, type ProcessContext, silent } from './terminal.ts'
import { UsageError } from './values.ts'

/**
 * Runs the suite, and writes the transcript and the reports. The first interrupt ends the sending, and the rest
 * happens with what there is; the second one ends the process.
 *
 * @returns The exit code of the report, or that of an interrupted program.
 * @throws {UsageError} An option is invalid or a file cannot be written; it is thrown before anything is sent.
 */
export async function runCommand(
  commandLine: CommandLine,
  options: RunOptions,
  context: ProcessContext,
): Promise<number> {
  const { values } = commandLine
  const output = readOutput(commandLine)
  const isVerbose = values.verbose !== undefined
  if (output.isQuiet && isVerbose)
    throw new UsageError('--quiet and --verbose contradict each other: give one of them')
  checkOptions(options)
  for (const { what, path } of output.files) checkWritable(what, path)
  const { stderr, onInterrupt } = context
  const controller = new AbortController()
  const { signal } = controller
  const end = onInterrupt?.(() => {
    stderr.write('interrupted: the request under way is completed; interrupt again to end at once\n')
    controller.abort()
  })
  try {
    const transcript = await send(options, output.isQuiet, isVerbose, context, signal)
    const report = judge(transcript, options)
    const { created, target } = report
    if (signal.aborted && created.length > 0) {
      const lines = created.map(({ id, name }) => `  ${printable(id)}  ${printable(name)}\n`)
      stderr.write(
        `the run created ${plural(created.length, 'animal')} at ${printable(target.baseUrl)}:\n${lines.join('')}`,
      )
    }
    const judged = { report, known: options.knownFailures ?? [], transcript: writeTranscript(transcript) }
    return deliver(judged, output, context, signal.aborted ? interrupted : undefined)
  } finally {
    end?.()
  }
}

/** Carries out a run, and shows how far it is. */
async function send(
  options: RunOptions,
  isQuiet: boolean,
  isVerbose: boolean,
  { stderr, run = {} }: ProcessContext,
  signal: AbortSignal,
): Promise<Transcript> {
  const { clock = realClock } = run
  const progress = isQuiet ? silent : createProgress(stderr, isVerbose)
  return record({
    ...options,
    ...run,
    signal,
    onRequest: (request) => progress.sending(request),
    clock: {
      now: () => clock.now(),
      sleep(ms, reason, aborted) {
        progress.waiting(ms, reason)
        return clock.sleep(ms, reason, aborted)
      },
    },
    onStart({ marker }) {
      if (options.profile !== 'read' && !isQuiet) stderr.write(announcement(options, marker))
    },
    ...(isVerbose && { onExchange: (exchange) => stderr.write(exchangeLine(exchange)) }),
  }).finally(() => progress.end())
}

/** What a run is about to do, printed before a run that does more than read. */
function announcement(options: RunOptions, marker: string): string {
  const planned = plan(options)
  const named = planned.creations.most > 0 ? [`Each has ${marker} in its name; the report lists them.`] : []
  return [
    `Profile ${planned.profile} against ${printable(options.baseUrl)}:`,
    ...cost(planned),
    ...named,
    '',
  ].join('\n')
}

/** Judges a saved transcript and delivers the report. Sends nothing, and returns the exit code of the report. */
export function judgeCommand(commandLine: CommandLine, context: ProcessContext): number {
  const { positionals, values } = commandLine
  const [, transcript, ...others] = positionals
  if (transcript === undefined || others.length > 0)
    throw new UsageError('judge requires one file: judge TRANSCRIPT.json')
  const other = flagNames.run.find((name) => name in values)
  if (other !== undefined) throw new UsageError(`--${other} is not a flag of judge, which sends nothing`)
  const output = readOutput(commandLine)
  const options = judgeOptions(values)
  for (const { what, path } of output.files) checkWritable(what, path)
  const report = judge(readSaved(transcript), options)
  return deliver({ report, known: options.knownFailures ?? [], transcript: '' }, output, context)
}

/** Reads a saved transcript. Throws a UsageError that names the file and what is wrong with it. */
function readSaved(path: string): Transcript {
  const text = readText('transcript', path)
  try {
    return readTranscript(text)
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${path}: ${error.message}`) : error
  }
}
