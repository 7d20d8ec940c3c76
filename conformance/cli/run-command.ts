import { judge, plan, type RunOptions, readReport, record, type Transcript } from '../index.ts'
import { realClock } from '../run/pace.ts'
import { createRunRedactor } from '../run/secrets.ts'
import { checkWritable, readText } from './files.ts'
import { type CommandLine, flagNames } from './flags.ts'
import { describeCost } from './listing.ts'
import { readOutput, writeOutput } from './output.ts'
import { formatBaseUrl, readJudgeOptions, rethrowAsUsage } from './run-options.ts'
import { formatExchange, type ProcessContext } from './terminal.ts'
import { interruptCodes, UsageError } from './values.ts'

/**
 * Runs the suite and writes the reports. The first interrupt ends the run after the request in flight, and its report
 * is still written. A second interrupt terminates the process.
 *
 * @returns The exit code for the report or the interrupt.
 * @throws {UsageError} if an option is wrong or a file cannot be written. Nothing is sent then.
 */
export async function executeRun(
  commandLine: CommandLine,
  options: RunOptions,
  context: ProcessContext,
): Promise<number> {
  const { values } = commandLine
  const runOutput = readOutput(commandLine)
  const isVerbose = values.verbose !== undefined
  if (runOutput.isQuiet && isVerbose) throw new UsageError('--quiet and --verbose cannot be used together')
  for (const { what, path } of runOutput.files) checkWritable(what, path)
  const { stderr, onInterrupt } = context
  const controller = new AbortController()
  const { signal } = controller
  let interrupted: number | undefined
  const removeInterruptListener = onInterrupt?.((name) => {
    interrupted = interruptCodes[name]
    stderr.write('interrupted: finishing the request in flight; interrupt again to exit immediately\n')
    controller.abort()
  })
  try {
    const transcript = await recordRun(options, runOutput.isQuiet, isVerbose, context, signal)
    const report = judge(transcript, options)
    const judgedRun = { report, known: options.knownFailures ?? [], isSaved: false }
    return await writeOutput(judgedRun, runOutput, context, interrupted)
  } finally {
    removeInterruptListener?.()
  }
}

/** Records a run, and prints its progress to stderr. */
async function recordRun(
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
      if (options.profile !== 'read' && !isQuiet) stderr.write(formatAnnouncement(options, marker))
    },
    ...(isVerbose && { onExchange: (exchange) => stderr.write(formatExchange(exchange)) }),
  })
}

/** Describes a run that creates animals or exhausts a limit, before it starts. */
function formatAnnouncement(options: RunOptions, marker: string): string {
  const plannedRun = plan(options)
  const announcement = `Profile ${plannedRun.profile} against ${formatBaseUrl(options)}:`
  const names =
    plannedRun.creations.most > 0 ? `Their names contain ${marker}, and the report lists them.\n` : ''
  return `${[announcement, ...describeCost(plannedRun)].join('\n')}\n${names}`
}

/** Judges a saved report again, writes the reports and returns the exit code. */
export async function executeJudge(commandLine: CommandLine, context: ProcessContext): Promise<number> {
  const { positionals, values } = commandLine
  const [, path, ...others] = positionals
  if (path === undefined || others.length > 0)
    throw new UsageError('judge requires one file: judge REPORT.json')
  const runFlag = flagNames.run.find((name) => name in values)
  if (runFlag !== undefined) throw new UsageError(`--${runFlag} is a flag of a run, not of judge`)
  const judgeOutput = readOutput(commandLine)
  const { PET_ADOPTION_API_KEY: apiKey = '', PET_ADOPTION_THROTTLE_KEY: throttleKey = '' } = context.env
  const options = readJudgeOptions(values, createRunRedactor({ headers: [] }, { apiKey, throttleKey }))
  for (const { what, path } of judgeOutput.files) checkWritable(what, path)
  const savedReport = rethrowAsUsage(() => readReport(readText('report', path)), `${path}: `)
  const report = judge(savedReport, options)
  return writeOutput({ report, known: options.knownFailures ?? [], isSaved: true }, judgeOutput, context)
}
