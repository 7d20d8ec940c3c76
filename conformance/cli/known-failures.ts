import type { KnownFailure, Report } from '../index.ts'
import { names } from '../judge/selection.ts'
import { isKnown } from '../report/report.ts'
import { printableJson } from '../transcript/printable.ts'
import { readText } from './files.ts'
import { isoTime, UsageError } from './values.ts'

const members = ['rule', 'reason', 'until']

/** What is wrong with an entry, as a phrase; `undefined` if it is valid. */
function entryProblem(entry: unknown, ruleIds: readonly string[]): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'must be an object'
  const { rule, reason, until }: Partial<Record<string, unknown>> = { ...entry }
  const other = Object.keys(entry).find((name) => !members.includes(name))
  if (other !== undefined)
    return `has an unknown member ${JSON.stringify(other)}: the members are rule, reason, until`
  if (typeof rule !== 'string' || !ruleIds.some((id) => names(rule, id)))
    return '.rule must be the id of a rule, or a family such as RATE: --list prints all rules'
  if (typeof reason !== 'string' || reason.trim() === '') return '.reason must be a text that is not empty'
  if (until !== undefined && (typeof until !== 'string' || isoTime(until) === undefined)) {
    return '.until must be an ISO date, such as 2027-01-31'
  }
  return undefined
}

/** Reads a file of known failures. Throws a UsageError that names the place that is invalid. */
export function readKnownFailures(path: string, ruleIds: readonly string[]): readonly KnownFailure[] {
  const wrong = (problem: string): Error =>
    new UsageError(`the known failures in ${path} are invalid: ${problem}`)
  const text = readText('known failures', path)
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch (error) {
    // the message quotes the file
    throw wrong(`not JSON${/ at position \d+/.exec(String(error))?.[0] ?? ''}`)
  }
  if (!Array.isArray(entries)) throw wrong('must be an array of { "rule", "reason", "until"? }')
  for (const [index, entry] of entries.entries()) {
    const found = entryProblem(entry, ruleIds)
    if (found !== undefined) throw wrong(`[${index}]${found.startsWith('.') ? '' : ' '}${found}`)
    const first = entries.findIndex((other) => other.rule === entry.rule)
    if (first < index) throw wrong(`[${index}].rule repeats [${first}].rule: delete one of them`)
  }
  return entries
}

/**
 * Returns the text of a file with the failures of a report. Known ones that still fail are listed as they were; each
 * other one has the day and what was found as its reason.
 *
 * @param known The known failures of the run.
 */
export function knownFailuresText(report: Report, known: readonly KnownFailure[]): string {
  const stillKnown = new Set(report.rules.filter(isKnown).map(({ id, knownAs = id }) => knownAs))
  const day = report.startedAt.slice(0, 10)
  const others = report.rules.filter((rule) => rule.verdict === 'fail' && !isKnown(rule))
  const entries: readonly KnownFailure[] = [
    ...known.filter(({ rule }) => stillKnown.has(rule)),
    ...others.map(({ id, reason }) => ({ rule: id, reason: `since ${day} or earlier: ${reason}` })),
  ]
  return `${printableJson(entries)}\n`
}
