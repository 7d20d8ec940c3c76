import { prettyComparison } from '../comparison/pretty.ts'
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
import { realClock } from '../run/clock.ts'
import { printable } from '../transcript/printable.ts'
import { checkOptions, namesOfBaseline, redactorOf } from './arguments/options-check.ts'
import { cleanUp } from './cleanup.ts'
import type { Command } from './command.ts'
import { adviceOnComparison, adviceOnReport, conclude, sinkForPeople } from './conclusion.ts'
import { deliver } from './deliver.ts'
import { cost } from './dry-run.ts'
import { checkWritable, writeText } from './files.ts'
import { createdLines, interrupted, listenForInterrupt } from './interrupt.ts'
import { type ProcessContext, styleOf } from './process-context.ts'
import { createProgress, exchangeLine, silent } from './progress.ts'
import { waitFor } from './wait.ts'

type RunCommand = Extract<Command, { kind: 'run' }>

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
 * Runs the suite, against the baseline too if there is one, saves the transcript, delivers the reports, and cleans up. An
 * interrupt ends the sending; the rest happens with what there is.
 *
 * @returns The exit code of the report, that of the comparison, or that of an interrupted program.
 * @throws {UsageError} An option is invalid or a file cannot be written; it is thrown before anything is sent.
 */
export async function runCommand(command: RunCommand, context: ProcessContext): Promise<number> {
  const { options, against, files, saveTranscript } = command
  checkOptions(options)
  if (against !== undefined) checkOptions(against, namesOfBaseline)
  for (const [what, path] of files) checkWritable(what, path)
  const { signal, end } = listenForInterrupt(context)
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
    return conclude(last, advice, sinkForPeople(command.output.reports, context))
  } finally {
    end()
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
  if (aborted) stderr.write(createdLines(report))
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
