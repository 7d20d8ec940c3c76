import type { Verdict } from '../rules/rule.ts'
import type { Report, RuleResult } from './report.ts'
import { isBroken } from './verdicts.ts'

/** A rule whose verdict differs between two reports. */
export interface Change {
  readonly rule: RuleResult
  /** The verdict of the earlier report; `undefined` if it does not have the rule. */
  readonly before: Verdict | undefined
}

/** What differs between a report and an earlier one of the same deployment, or of another. */
export interface Difference {
  /** The rules that are broken now and were not before. */
  readonly broke: readonly Change[]
  /** The rules that hold now, or do not apply, and were broken before. */
  readonly mended: readonly Change[]
  /** Other rules with another verdict. */
  readonly other: readonly Change[]
}

/**
 * Compares the verdicts of a report with those of an earlier one. A rule that one of them did not select, or that only the
 * earlier one has, is left out.
 */
export function difference(report: Report, earlier: Report): Difference {
  const before = new Map(earlier.rules.map((rule) => [rule.id, rule]))
  const changes = report.rules
    .map((rule) => ({ rule, earlier: before.get(rule.id) }))
    .filter(({ rule, earlier }) => rule.deselected === undefined && earlier?.deselected === undefined)
    .filter((change) => change.rule.verdict !== change.earlier?.verdict)
    .map((change) => ({ ...change, kind: kindOf(change.rule, change.earlier) }))
  const of = (kind: ReturnType<typeof kindOf>): readonly Change[] =>
    changes
      .filter((change) => change.kind === kind)
      .map((change) => ({ rule: change.rule, before: change.earlier?.verdict }))
  return { broke: of('broke'), mended: of('mended'), other: of('other') }
}

function kindOf(rule: RuleResult, earlier: RuleResult | undefined): keyof Difference {
  const wasBroken = earlier !== undefined && isBroken(earlier)
  if (isBroken(rule) && !wasBroken) return 'broke'
  const holds = rule.verdict === 'pass' || rule.verdict === 'not-applicable'
  return wasBroken && holds ? 'mended' : 'other'
}
