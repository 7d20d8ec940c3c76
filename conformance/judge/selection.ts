import type { RuleResult } from '../report/report.ts'
import { isBroken } from '../report/report.ts'
import { catalogue } from '../rules/catalogue.ts'
import type { JudgeOptions, KnownFailure } from '../run/options.ts'

/**
 * Reads the filters and the known failures, and returns whether a rule is selected. Throws a TypeError if a rule is
 * unknown or a date is invalid.
 */
export function readSelection(options: JudgeOptions): (id: string) => boolean {
  const { only, skip = [], knownFailures = [], now } = options
  checkIds('only', only ?? [])
  checkIds('skip', skip)
  for (const { rule, until } of knownFailures) {
    if (!catalogue.some(({ id }) => names(rule, id)))
      throw new TypeError(`knownFailures names the unknown rule ${rule}`)
    if (until !== undefined) checkDate(`the until of ${rule} in knownFailures`, Date.parse(until))
  }
  if (now !== undefined) checkDate('now', now.getTime())
  return (id) => (only?.includes(id) ?? true) && !skip.includes(id)
}

function checkIds(option: string, ids: readonly string[]): void {
  const unknown = ids.find((id) => !catalogue.some((rule) => rule.id === id))
  if (unknown !== undefined) throw new TypeError(`${option} names the unknown rule ${unknown}`)
}

function checkDate(option: string, time: number): void {
  if (Number.isNaN(time)) throw new TypeError(`${option} must be a valid date`)
}

/** Returns whether a name is that of a rule, or that of its family: `RATE` for `RATE-1`. */
export function names(name: string, id: string): boolean {
  return name === id || id.startsWith(`${name}-`)
}

/**
 * Marks the rules that are known to fail, at a time in Unix milliseconds. An entry for a family marks the rules of it
 * that are broken; if none is, it marks those that hold, as it no longer fails. An entry for the rule itself comes
 * first.
 */
export function markKnown(
  rules: readonly RuleResult[],
  failures: readonly KnownFailure[],
  now: number,
): readonly RuleResult[] {
  const inEffect = failures.filter(({ until }) => until === undefined || now < Date.parse(until))
  const entries = [...inEffect].sort((a, b) => b.rule.length - a.rule.length)
  const owned = rules.map((rule) => ({
    rule,
    entry: rule.deselected === undefined ? entries.find((entry) => names(entry.rule, rule.id)) : undefined,
  }))
  const failing = new Set(owned.flatMap(({ rule, entry }) => (entry && isBroken(rule) ? [entry] : [])))
  return owned.map(({ rule, entry }) => {
    if (entry === undefined) return rule
    const { rule: knownAs, reason: known } = entry
    if (knownAs === rule.id) return { ...rule, known }
    return isBroken(rule) || (rule.verdict === 'pass' && !failing.has(entry))
      ? { ...rule, known, knownAs }
      : rule
  })
}
