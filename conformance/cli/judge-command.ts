import { judge, readTranscript, type Transcript } from '../index.ts'
import { UsageError } from './arguments/errors.ts'
import type { Command } from './command.ts'
import { adviceOnReport, conclude, sinkForPeople } from './conclusion.ts'
import { deliver } from './deliver.ts'
import { mostOfRecord, readText } from './files.ts'
import type { ProcessContext } from './process-context.ts'

function savedTranscript(path: string): Transcript {
  const text = readText('transcript', path, mostOfRecord)
  try {
    return readTranscript(text)
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${path}: ${error.message}`) : error
  }
}

/** Judges a saved transcript and delivers the report. Sends nothing, and returns the exit code of the report. */
export function judgeCommand(
  { transcript, options, output }: Extract<Command, { kind: 'judge' }>,
  context: ProcessContext,
): number {
  const report = judge(savedTranscript(transcript), options)
  const code = deliver(report, output, context, options.knownFailures)
  return conclude(code, adviceOnReport(code, report), sinkForPeople(output.reports, context))
}
