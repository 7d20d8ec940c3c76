import type { RuleResult } from '../report/report.ts'
import { catalogue } from '../rules/catalogue.ts'
import type { JudgeOptions, KnownFailure } from '../run/options.ts'

/**
 * Reads the filters and the known failures, and returns whether a rule is selected. Throws a TypeError if one of them
 * names an unknown rule, or is invalid.
 */
export function readSelection(options: JudgeOptions): (id: string) => boolean {
  const { only, skip = [], knownFailures = [], now } = options
  for (const [option, list = []] of Object.entries({ only, skip })) checkNames(option, list)
  const problem = findKnownFailuresProblem(knownFailures)
  if (problem !== undefined) throw new TypeError(`knownFailures${problem}`)
  if (now !== undefined && Number.isNaN(now.getTime())) throw new TypeError('now must be a valid date')
  const has = (list: readonly string[], id: string): boolean => list.some((name) => names(name, id))
  return (id) => (only === undefined || has(only, id)) && !has(skip, id)
}

function checkNames(option: string, list: readonly string[]): void {
  const unknown = list.find((name) => !catalogue.some(({ id }) => names(name, id)))
  if (unknown !== undefined)
    throw new TypeError(
      `${option} names the unknown rule ${JSON.stringify(unknown)}: --list prints all rules`,
    )
}

/** Returns the first place of known failures that is wrong, and why: ` must be an array`, `[1].rule must …`. */
export function findKnownFailuresProblem(entries: unknown): string | undefined {
  if (!Array.isArray(entries)) return ' must be an array of { "rule", "reason", "until"? }'
  for (const [index, entry] of entries.entries()) {
    const problem = entryProblem(entry)
    if (problem !== undefined) return `[${index}]${problem}`
    const first = entries.findIndex((other) => other.rule === entry.rule)
    if (first < index) return `[${index}].rule repeats [${first}].rule: delete one of them`
  }
  return undefined
}

function entryProblem(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return ' must be an object'
  const { rule, reason, until, ...others }: Partial<Record<string, unknown>> = { ...entry }
  const [other] = Object.keys(others)
  if (other !== undefined)
    return ` has an unknown member ${JSON.stringify(other)}: the members are rule, reason, until`
  if (!catalogue.some(({ id }) => id === rule))
    return '.rule must be the id of a rule: --list prints all rules'
  if (typeof reason !== 'string' || reason.trim() === '') return '.reason must be a text that is not empty'
  if (until !== undefined && (typeof until !== 'string' || parseIsoTime(until) === undefined))
    return '.until must be an ISO date, such as 2027-01-31'
  return undefined
}

const isoForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

/** Returns an ISO date, or a date and time with its zone, in Unix milliseconds; `undefined` for any other text. */
export function parseIsoTime(text: string): number | undefined {
  const time = Date.parse(text)
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  const isRealDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10))
  return isoForm.test(text) && isRealDay && !Number.isNaN(time) ? time : undefined
}

/** Returns whether a name selects a rule: its id, or its family (`RATE` for `RATE-1`). */
function names(name: string, id: string): boolean {
  return name === id || id.startsWith(`${name}-`)
}

/** Marks the rules that are known to fail, at a time in Unix milliseconds. */
export function markKnown(
  rules: readonly RuleResult[],
  failures: readonly KnownFailure[],
  now: number,
): readonly RuleResult[] {
  const inEffect = failures.filter(({ until }) => until === undefined || now < Date.parse(until))
  const reasons = new Map(inEffect.map(({ rule, reason }) => [rule, reason]))
  return rules.map((rule) => {
    const known = rule.deselected === undefined ? reasons.get(rule.id) : undefined
    return known === undefined ? rule : { ...rule, known }
  })
}
