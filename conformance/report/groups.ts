import { causeHeadline } from './outcome.ts'
import type { Cause, Report, RuleResult } from './report.ts'
import { brokenRules, isBroken, type VerdictFacts, verdictNames, verdicts } from './verdicts.ts'

/** A cause with its broken rules. */
export interface CauseGroup {
  readonly cause: Cause
  /** From 1. */
  readonly number: number
  /** The rules that it explains, in the order of the report. */
  readonly rules: readonly RuleResult[]
  /** Those of them that are broken. */
  readonly broken: readonly RuleResult[]
}

/** Returns the causes of a report with their rules. */
export function causeGroups({ causes, rules }: Report): readonly CauseGroup[] {
  return causes.map((cause, index) => {
    const explained = rules.filter(({ id }) => cause.rules.includes(id))
    return { cause, number: index + 1, rules: explained, broken: explained.filter(isBroken) }
  })
}

/** Returns how many causes there are, and each with what to do and the rules that it explains, a line each. */
export function causeLines(report: Report): readonly string[] {
  const title = causeHeadline(report)
  if (title === undefined) return []
  return [
    title,
    ...causeGroups(report).flatMap(({ number, cause: { title: what, advice, rules } }) => [
      `${number}. ${what}`,
      `${advice} (explains ${rules.join(', ')})`,
    ]),
  ]
}

/** Returns the broken rules that no cause explains, by severity. */
export function unexplained(report: Report): ReturnType<typeof brokenRules> {
  const explained = new Set(report.causes.flatMap(({ rules }) => rules))
  const rest = (rules: readonly RuleResult[]): readonly RuleResult[] =>
    rules.filter(({ id }) => !explained.has(id))
  const { failures, warnings, known } = brokenRules(report)
  return { failures: rest(failures), warnings: rest(warnings), known: rest(known) }
}

/** Returns the cause of a rule. */
export function causeOf({ causes }: Report, { id }: RuleResult): Cause | undefined {
  return causes.find(({ rules }) => rules.includes(id))
}

/** Returns the ids of rules by verdict, the most severe first. */
export function byVerdict(
  rules: readonly RuleResult[],
): readonly { readonly verdict: VerdictFacts; readonly ids: readonly string[] }[] {
  return verdictNames.flatMap((name) => {
    const ids = rules.filter(({ verdict }) => verdict === name).map(({ id }) => id)
    return ids.length === 0 ? [] : [{ verdict: verdicts[name], ids }]
  })
}
