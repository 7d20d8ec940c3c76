import type { KnownFailure, Report } from '../index.ts'
import { findKnownFailuresProblem } from '../judge/selection.ts'
import { listBrokenRules } from '../report/report.ts'
import { toPrintableJson } from '../transcript/printable.ts'
import { readText } from './files.ts'
import { UsageError } from './values.ts'

/** Reads the file of `--known-failures`. Throws a `UsageError` that names the wrong place. */
export function readKnownFailures(path: string): readonly KnownFailure[] {
  const createFileError = (problem: string): Error =>
    new UsageError(`the known failures in ${path} are invalid: ${problem}`)
  const fileText = readText('known failures', path)
  let entries: readonly KnownFailure[]
  try {
    entries = JSON.parse(fileText)
  } catch (error) {
    // The parser's message may quote the file.
    throw createFileError(`the file is not JSON${/ at position \d+/.exec(String(error))?.[0] ?? ''}`)
  }
  const entriesProblem = findKnownFailuresProblem(entries)
  if (entriesProblem !== undefined) throw createFileError(entriesProblem.trimStart())
  return entries
}

/**
 * Formats the failures in a report as a file for `--known-failures`. Known failures that still fail keep their
 * entries. A new entry has the date and the finding as its reason.
 */
export function formatKnownFailures(report: Report, known: readonly KnownFailure[]): string {
  const { known: still, failures } = listBrokenRules(report)
  const day = report.startedAt.slice(0, 10)
  const entries: readonly KnownFailure[] = [
    ...known.filter(({ rule }) => still.some(({ id }) => id === rule)),
    ...failures.map(({ id, reason }) => ({ rule: id, reason: `failing since ${day} or earlier: ${reason}` })),
  ]
  return `${toPrintableJson(entries)}\n`
}
