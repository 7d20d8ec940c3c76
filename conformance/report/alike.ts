import type { RuleResult } from './report.ts'

/** Rules that fail alike, at least one. */
export type Alike = readonly [RuleResult, ...RuleResult[]]

/** Joins rules of one family that are broken by the same responses in the same way, such as RATE-1, RATE-2 and RATE-3. */
export function alike(rules: readonly RuleResult[]): readonly Alike[] {
  const groups = new Map<string, [RuleResult, ...RuleResult[]]>()
  for (const rule of rules) {
    const { id, verdict, level, section, known, got = rule.reason, exchanges } = rule
    const key = JSON.stringify([id.split('-')[0], verdict, level, section, known, got, exchanges])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [rule])
    else group.push(rule)
  }
  return [...groups.values()]
}

/** Returns the ids of rules, separated by commas. */
export function idsOf(rules: readonly RuleResult[]): string {
  return rules.map(({ id }) => id).join(', ')
}
