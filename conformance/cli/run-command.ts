import { prettyComparison } from '../comparison/formats.ts'
import {
  compare,
  comparisonExitCode,
  judge,
  plan,
  type Report,
  type RunOptions,
  record,
  type Transcript,
  writeTranscript,
} from '../index.ts'
import { createDeadline } from '../network/deadline.ts'
import { realClock } from '../run/clock.ts'
import { createTransport } from '../run/default-transport.ts'
import { readOptions } from '../run/options.ts'
import { mostOfBody } from '../transcript/bounds.ts'
import { plural, printable } from '../transcript/printable.ts'
import type { Settings } from './arguments/config.ts'
import { baselineOptions, checkOptions, given, redactorOf } from './arguments/run-options.ts'
import { integer, UsageError } from './arguments/values.ts'
import { cleanUp, type ProgramCall, readCleanup } from './cleanup.ts'
import { cost } from './dry-run.ts'
import { checkWritable, writeText } from './files.ts'
import {
  adviceOnComparison,
  adviceOnReport,
  conclude,
  deliver,
  interrupted,
  type Output,
  readOutput,
  sinkForPeople,
} from './output.ts'
import { type ProcessContext, type Sink, styleOf } from './process-context.ts'
import { createProgress, exchangeLine, silent } from './progress.ts'

/** What a command line asks for. */
export interface RunCommand {
  readonly options: RunOptions
  readonly output: Output
  readonly saveTranscript?: string
  readonly cleanup?: ProgramCall
  /** The options of a second run, against the baseline. */
  readonly against?: RunOptions
  readonly isVerbose: boolean
  /** How long to wait for a deployment that is starting, in milliseconds. */
  readonly waitMs?: number
}

/** The longest wait for a deployment, in seconds. */
const longestWait = 3600

/** Reads what a run does besides sending and judging. Throws a UsageError that names what is invalid. */
export function readRun(settings: Settings, options: RunOptions, env: ProcessContext['env']): RunCommand {
  const { values } = settings
  const output = readOutput(settings)
  if ('quiet' in values && 'verbose' in values)
    throw new UsageError('--quiet and --verbose contradict each other: give one of them')
  return {
    options,
    output,
    isVerbose: 'verbose' in values,
    ...given('against', values.against, (url) => baselineOptions(url, options, env)),
    ...given('waitMs', values.wait, readWait),
    ...given('cleanup', values.cleanup, readCleanup),
    ...given('saveTranscript', values['save-transcript'], (path) => path),
  }
}

function readWait(text: string): number {
  const seconds = integer('wait', text)
  if (seconds < 1n || seconds > longestWait)
    throw new UsageError(`--wait must be a whole number of seconds from 1 to ${longestWait}`)
  return Number(seconds) * 1000
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

/**
 * Runs the suite, against the baseline too if there is one, saves the transcript, delivers the reports, and cleans up. The
 * first interrupt ends the sending, and the rest happens with what there is; the second one ends the process.
 *
 * @returns The exit code of the report, that of the comparison, or that of an interrupted program.
 * @throws {UsageError} An option is invalid or a file cannot be written; it is thrown before anything is sent.
 */
export async function runCommand(command: RunCommand, context: ProcessContext): Promise<number> {
  const { options, against, output, saveTranscript } = command
  checkOptions(options)
  if (against !== undefined) checkOptions(against, true)
  for (const [what, path] of output.files) checkWritable(what, path)
  const controller = new AbortController()
  const { signal } = controller
  const end = context.onInterrupt?.(() => {
    context.stderr.write('interrupted: the request under way is completed; interrupt again to end at once\n')
    controller.abort()
  })
  try {
    const transcript = await send(options, command, context, signal)
    const report = judge(transcript, options)
    const baseline =
      against === undefined || signal.aborted
        ? undefined
        : judge(await send(against, command, context, signal), against)
    let code: number
    try {
      if (saveTranscript !== undefined) writeText('transcript', saveTranscript, writeTranscript(transcript))
    } finally {
      // a file that can no longer be written costs no other one, and leaves no animals
      try {
        code = showAll(report, baseline, command, context)
      } finally {
        await finish(report, options, command, context, signal)
        if (baseline !== undefined && against !== undefined)
          await finish(baseline, against, command, context, signal)
      }
    }
    const last = signal.aborted ? interrupted : code
    const advice =
      baseline === undefined || signal.aborted ? adviceOnReport(last, report) : adviceOnComparison(last)
    return conclude(last, advice, sinkForPeople(output.reports, context))
  } finally {
    end?.()
  }
}

/** Delivers the reports, and shows how the run compares with the baseline. Returns the exit code. */
function showAll(
  report: Report,
  baseline: Report | undefined,
  { options, output }: RunCommand,
  context: ProcessContext,
): number {
  const code = deliver(report, output, context, options.knownFailures, baseline)
  if (baseline === undefined) return code
  const comparison = compare(baseline, report)
  const sink = sinkForPeople(output.reports, context)
  sink.write(`\n${prettyComparison(comparison, styleOf(sink, context.env, output.isQuiet))}`)
  return comparisonExitCode(comparison)
}

/** Lists the animals of an interrupted run, and deletes those of any run if there is a way to. */
async function finish(
  report: Report,
  options: RunOptions,
  { cleanup }: RunCommand,
  { env, stderr }: ProcessContext,
  { aborted }: AbortSignal,
): Promise<void> {
  const { created, target } = report
  if (aborted && created.length > 0) {
    const lines = created.map(({ id, name }) => `  ${printable(id)}  ${printable(name)}\n`)
    stderr.write(
      `the run created ${plural(created.length, 'animal')} at ${printable(target.baseUrl)}:\n${lines.join('')}`,
    )
  }
  if (cleanup !== undefined) await cleanUp(cleanup, report, env, stderr, redactorOf(options))
}

/** Carries out a run, and shows how far it is. */
async function send(
  options: RunOptions,
  { output: { isQuiet }, isVerbose, waitMs }: RunCommand,
  { stderr, run = {} }: ProcessContext,
  signal: AbortSignal,
): Promise<Transcript> {
  const { clock = realClock } = run
  if (waitMs !== undefined) await waitFor({ ...options, ...run }, waitMs, stderr, signal)
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

/** The time between two requests, in milliseconds. */
const pause = 500
/** What a gateway returns while there is no deployment behind it. */
const away: readonly number[] = [502, 503, 504]

/**
 * Waits for a deployment that is starting: requests a list, without a key, until there is a response that is not from a
 * gateway without a deployment, or the time is over. The run that follows shows what is there then.
 *
 * @param most The longest time, in milliseconds.
 */
export async function waitFor(
  options: RunOptions,
  most: number,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  const settings = readOptions(options)
  const { baseUrl, clock, timeoutMs } = settings
  const transport = await createTransport(settings)
  const end = clock.now() + most
  try {
    for (let n = 0; !signal.aborted; n++) {
      const left = end - clock.now()
      if (left <= 0) return
      const deadline = createDeadline(Math.min(left, timeoutMs))
      const received = await transport.send({
        method: 'GET',
        url: new URL(`${baseUrl}/pets?limit=1`),
        headers: settings.headers.map(({ name, value }) => [name, value]),
        body: undefined,
        connection: 'own',
        most: mostOfBody,
        deadline,
      })
      deadline.clear()
      if (received.kind === 'response' && !away.includes(received.status)) return
      if (n === 0) sink.write(`waiting up to ${most / 1000} s for ${printable(baseUrl)}\n`)
      await clock.sleep(Math.min(pause, Math.max(0, end - clock.now())), undefined, signal)
    }
  } finally {
    transport.close()
  }
}
