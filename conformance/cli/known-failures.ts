import type { KnownFailure, Report } from '../index.ts'
import { findKnownFailuresProblem } from '../judge/selection.ts'
import { listBrokenRules } from '../report/report.ts'
import { printableJson } from '../transcript/printable.ts'
import { readText } from './files.ts'
import { UsageError } from './values.ts'

/** Reads a file of known failures. Throws a UsageError that names the place that is invalid. */
export function readKnownFailures(path: string): readonly KnownFailure[] {
  const wrong = (problem: string): Error =>
    new UsageError(`the known failures in ${path} are invalid: ${problem}`)
  const text = readText('known failures', path)
  let entries: readonly KnownFailure[]
  try {
    entries = JSON.parse(text)
  } catch (error) {
    // the message quotes the file
    throw wrong(`not JSON${/ at position \d+/.exec(String(error))?.[0] ?? ''}`)
  }
  const problem = findKnownFailuresProblem(entries)
  if (problem !== undefined) throw wrong(problem.trimStart())
  return entries
}

/**
 * Returns the text of a file with the failures of a report. A known failure that still fails keeps its entry; a new one
 * has the day and the finding as its reason.
 *
 * @param known The known failures of the run.
 */
export function formatKnownFailures(report: Report, known: readonly KnownFailure[]): string {
  const { known: still, failures } = listBrokenRules(report)
  const day = report.startedAt.slice(0, 10)
  const entries: readonly KnownFailure[] = [
    ...known.filter(({ rule }) => still.some(({ id }) => id === rule)),
    ...failures.map(({ id, reason }) => ({ rule: id, reason: `since ${day} or earlier: ${reason}` })),
  ]
  return `${printableJson(entries)}\n`
}
