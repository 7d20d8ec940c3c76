import { realClock } from '../clock.ts'
import { judge, plan, type RunOptions, record, writeTranscript } from '../index.ts'
import { printable } from '../report/printable.ts'
import type { Command } from './command.ts'
import { deliver } from './deliver.ts'
import { cost } from './dry-run.ts'
import { appendText, writeText } from './files.ts'
import { checkOptions } from './options-check.ts'
import type { ProcessContext } from './process-context.ts'
import { createProgress } from './progress.ts'

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
 * Runs the suite, saves the transcript if `--save-transcript` is given, and delivers the report.
 *
 * @returns The exit code of the report.
 * @throws {UsageError} An option is invalid or a file cannot be written; it is thrown before anything is sent.
 */
export async function runCommand(
  { options, output, saveTranscript }: Extract<Command, { kind: 'run' }>,
  context: ProcessContext,
): Promise<number> {
  const { stderr, run = {} } = context
  const { fetch: send = fetch, clock = realClock } = run
  checkOptions(options)
  if (output.out !== undefined) appendText('report', output.out, '')
  if (saveTranscript !== undefined) appendText('transcript', saveTranscript, '')
  const progress = createProgress(stderr)
  const transcript = await record({
    ...options,
    ...run,
    fetch(request) {
      progress.sending(request)
      return send(request)
    },
    clock: {
      now: () => clock.now(),
      sleep(ms) {
        progress.waiting(ms)
        return clock.sleep(ms)
      },
    },
    onStart({ marker }) {
      if (options.profile !== 'read') stderr.write(announcement(options, marker))
    },
  }).finally(() => progress.end())
  if (saveTranscript !== undefined) writeText('transcript', saveTranscript, writeTranscript(transcript))
  return deliver(judge(transcript, options), output, context)
}
