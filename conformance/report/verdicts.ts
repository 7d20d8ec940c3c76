import type { Verdict } from '../rules/rule.ts'
import type { Report, RuleResult } from './report.ts'

/** How a verdict is shown: its sign, and the words of a count. */
export interface VerdictFacts {
  readonly mark: string
  readonly counted: string
}

/** Every verdict, the most pressing first. */
export const verdicts: Readonly<Record<Verdict, VerdictFacts>> = {
  fail: { mark: '✗', counted: 'failed' },
  warn: { mark: '!', counted: 'warned' },
  inconclusive: { mark: '?', counted: 'inconclusive' },
  pass: { mark: '✓', counted: 'passed' },
  'not-applicable': { mark: '–', counted: 'not applicable' },
  'not-run': { mark: '·', counted: 'not run' },
}

/** The names of all verdicts, in that order. */
export const verdictNames: readonly Verdict[] =
  // a literal's own keys
  Object.keys(verdicts) as Verdict[]

/** Whether the rule was seen broken. */
export function isBroken(rule: RuleResult): boolean {
  return rule.verdict === 'fail' || rule.verdict === 'warn'
}

/** Whether the rule is broken and stands in the known failures, so that it does not count. */
export function isKnown(rule: RuleResult): boolean {
  return rule.known !== undefined && isBroken(rule)
}

/** The broken rules of a report by what they weigh. */
export interface BrokenRules {
  readonly failures: readonly RuleResult[]
  readonly warnings: readonly RuleResult[]
  /** Those that stand in the known failures, and so do not count. */
  readonly known: readonly RuleResult[]
}

/** The broken rules of a report, each in one list. */
export function brokenRules({ rules }: Report): BrokenRules {
  return {
    failures: rules.filter((rule) => rule.verdict === 'fail' && !isKnown(rule)),
    warnings: rules.filter((rule) => rule.verdict === 'warn' && !isKnown(rule)),
    known: rules.filter(isKnown),
  }
}
