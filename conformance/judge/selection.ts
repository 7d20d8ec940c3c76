import type { RuleResult } from '../report/report.ts'
import { catalogue } from '../rules/catalogue.ts'
import type { JudgeOptions, KnownFailure } from '../run/options.ts'

/**
 * Checks the options for judging. Returns a function that checks whether a rule is selected.
 *
 * @throws {TypeError} if an option is invalid.
 */
export function readSelection(options: JudgeOptions): (id: string) => boolean {
  const { only, skip = [], knownFailures = [], now } = options
  for (const [option, list = []] of Object.entries({ only, skip })) checkNames(option, list)
  const entriesProblem = findKnownFailuresProblem(knownFailures)
  if (entriesProblem !== undefined) throw new TypeError(`knownFailures${entriesProblem}`)
  if (now !== undefined && Number.isNaN(now.getTime())) throw new TypeError('now must be a valid date')
  const hasMatch = (list: readonly string[], id: string): boolean =>
    list.some((name) => matchesRule(name, id))
  return (id) => (only === undefined || hasMatch(only, id)) && !hasMatch(skip, id)
}

function checkNames(option: string, list: readonly string[]): void {
  const unknownName = list.find((name) => !catalogue.some(({ id }) => matchesRule(name, id)))
  if (unknownName !== undefined)
    throw new TypeError(`${option}: unknown rule ${JSON.stringify(unknownName)}; --list prints all rules`)
}

/** Explains why known failures are invalid. The text starts with the path to the wrong value. */
export function findKnownFailuresProblem(entries: unknown): string | undefined {
  if (!Array.isArray(entries)) return ' must be an array of { "rule", "reason", "until"? }'
  for (const [index, entry] of entries.entries()) {
    const entryProblem = findEntryProblem(entry)
    if (entryProblem !== undefined) return `[${index}]${entryProblem}`
    const firstIndex = entries.findIndex((other) => other.rule === entry.rule)
    if (firstIndex < index) return `[${index}].rule duplicates [${firstIndex}].rule`
  }
  return undefined
}

function findEntryProblem(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return ' must be an object'
  const { rule, reason, until, ...others }: Partial<Record<string, unknown>> = { ...entry }
  const [other] = Object.keys(others)
  if (other !== undefined)
    return ` has an unknown member ${JSON.stringify(other)}; expected one of rule, reason, until`
  if (!catalogue.some(({ id }) => id === rule)) return '.rule must be a rule id; --list prints all rules'
  if (typeof reason !== 'string' || reason.trim() === '') return '.reason must be a non-empty string'
  if (until !== undefined && (typeof until !== 'string' || parseIsoTime(until) === undefined))
    return '.until must be a date, or a time with its zone, such as 2027-01-31'
  return undefined
}

const isoPattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

/**
 * Parses an ISO 8601 date, or a time with its zone. Returns milliseconds since the epoch, or `undefined` if the text is
 * neither.
 */
export function parseIsoTime(text: string): number | undefined {
  const time = Date.parse(text)
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  const isRealDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10))
  return isoPattern.test(text) && isRealDay && !Number.isNaN(time) ? time : undefined
}

/** Checks whether a rule has the name, or belongs to the family: `LIST` matches `LIST-1`. */
function matchesRule(name: string, id: string): boolean {
  return name === id || id.startsWith(`${name}-`)
}

/** Adds the reason of each known failure to its rule. A known failure expires at its `until`. */
export function markKnownFailures(
  rules: readonly RuleResult[],
  failures: readonly KnownFailure[],
  now: number,
): readonly RuleResult[] {
  const currentFailures = failures.filter(({ until }) => until === undefined || now < Date.parse(until))
  const reasons = new Map(currentFailures.map(({ rule, reason }) => [rule, reason]))
  return rules.map((rule) => {
    const knownReason = rule.deselected === undefined ? reasons.get(rule.id) : undefined
    return knownReason === undefined ? rule : { ...rule, known: knownReason }
  })
}
