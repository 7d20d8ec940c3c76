import type { Report } from '../index.ts'
import { isKnown } from '../report/verdicts.ts'
import { interrupted } from './interrupt.ts'
import type { ReportOutput } from './output.ts'
import type { ProcessContext, Sink } from './process-context.ts'

/** Returns the stream for people: what a program reads from stdout is the report alone. */
export function sinkForPeople(
  reports: readonly ReportOutput<string>[],
  { stdout, stderr }: ProcessContext,
): Sink {
  return reports.some(({ format, file }) => file === undefined && format !== 'pretty') ? stderr : stdout
}

/** Writes the last line of a program: its exit code and, unless that is 0, what to do. Returns the code. */
export function conclude(code: number, advice: string | undefined, sink: Sink): number {
  sink.write(code === 0 || advice === undefined ? `exit code ${code}\n` : `exit code ${code}: ${advice}\n`)
  return code
}

/** Returns what to do about the exit code of a report. */
export function adviceOnReport(code: number, report: Report): string | undefined {
  const { rules, endedEarly } = report
  if (code === interrupted) return 'the run was interrupted: run it again'
  if (code === 1) {
    const isBroken = rules.some((rule) => rule.verdict === 'fail' && !isKnown(rule))
    return isBroken
      ? 'mend what is broken, or list it as known with --write-known-failures FILE'
      : 'delete what no longer fails from the file of known failures'
  }
  if (code !== 3) return undefined
  if (endedEarly !== undefined) return 'the run ended early: do what is said above, and run it again'
  const animals =
    report.creates > 0
      ? 'see the reasons above'
      : 'add animals of each status, or run --profile create, which adds some'
  return `some requirements could not be judged: ${animals}; --allow-inconclusive exits with 0`
}

/** Returns what to do about the exit code of a comparison. */
export function adviceOnComparison(code: number): string | undefined {
  if (code === 1) return 'mend what got worse'
  return code === 3 ? 'one of the runs ended early: run it again' : undefined
}
