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
import { createRunRedactor } from '../run/secrets.ts'
import { checkWritable, readText } from './files.ts'
import { type CommandLine, flagNames } from './flags.ts'
import { cost } from './listing.ts'
import { deliver, interrupted, readOutput } from './output.ts'
import { judgeOptions, rethrowAsUsage, shownUrl } from './run-options.ts'
import { formatExchange, type ProcessContext } from './terminal.ts'
import { UsageError } from './values.ts'

/**
 * Runs the suite, and writes the transcript and the reports. The first interrupt ends the sending, and the rest happens
 * with what there is; the second one ends the process.
 *
 * @returns The exit code of the report, or of an interrupted program.
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
  if (output.isQuiet && isVerbose) throw new UsageError('--quiet and --verbose cannot be used together')
  for (const { what, path } of output.files) checkWritable(what, path)
  const { stderr, onInterrupt } = context
  const controller = new AbortController()
  const { signal } = controller
  const end = onInterrupt?.(() => {
    stderr.write('interrupted: completing the request in flight; interrupt again to end immediately\n')
    controller.abort()
  })
  try {
    const transcript = await send(options, output.isQuiet, isVerbose, context, signal)
    const report = judge(transcript, options)
    const judged = {
      report,
      known: options.knownFailures ?? [],
      transcript: writeTranscript(transcript),
      isSaved: false,
    }
    return await deliver(judged, output, context, signal.aborted ? interrupted : undefined)
  } finally {
    end?.()
  }
}

/** Sends the requests of a run, and prints its start and its waits. */
async function send(
  options: RunOptions,
  isQuiet: boolean,
  isVerbose: boolean,
  { stderr, run = {} }: ProcessContext,
  signal: AbortSignal,
): Promise<Transcript> {
  const { clock = realClock } = run
  return record({
    ...options,
    ...run,
    signal,
    clock: {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      sleep(ms, reason, aborted) {
        if (!isQuiet && reason !== undefined) stderr.write(`waiting ${Math.ceil(ms / 1000)} s ${reason}\n`)
        return clock.sleep(ms, reason, aborted)
      },
    },
    onStart({ marker }) {
      if (options.profile !== 'read' && !isQuiet) stderr.write(announcement(options, marker))
    },
    ...(isVerbose && { onExchange: (exchange) => stderr.write(formatExchange(exchange)) }),
  })
}

/** Announces a run that does more than read. */
function announcement(options: RunOptions, marker: string): string {
  const planned = plan(options)
  const head = `Profile ${planned.profile} against ${shownUrl(options)}:`
  const names = planned.creations.most > 0 ? `Each has ${marker} in its name; the report lists them.\n` : ''
  return `${[head, ...cost(planned)].join('\n')}\n${names}`
}

/** Judges a saved transcript and delivers the report. Sends nothing, and returns the exit code of the report. */
export async function judgeCommand(commandLine: CommandLine, context: ProcessContext): Promise<number> {
  const { positionals, values } = commandLine
  const [, path, ...others] = positionals
  if (path === undefined || others.length > 0)
    throw new UsageError('judge requires one file: judge TRANSCRIPT.json')
  const other = flagNames.run.find((name) => name in values)
  if (other !== undefined) throw new UsageError(`--${other} cannot be used with judge, which sends nothing`)
  const output = readOutput(commandLine)
  const { PET_ADOPTION_API_KEY: key = '', PET_ADOPTION_THROTTLE_KEY: throttleKey = '' } = context.env
  const options = judgeOptions(values, createRunRedactor({ headers: [] }, { key, throttleKey }))
  for (const { what, path } of output.files) checkWritable(what, path)
  const saved = rethrowAsUsage(() => readTranscript(readText('transcript', path)), `${path}: `)
  const report = judge(saved, options)
  return deliver(
    { report, known: options.knownFailures ?? [], transcript: '', isSaved: true },
    output,
    context,
  )
}
