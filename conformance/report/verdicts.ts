import type { Verdict } from '../rules/rule.ts'
import type { Report, RuleResult } from './report.ts'
import type { Ink } from './style.ts'

/** How reports show a verdict: its sign, the words after a count, and the colour of both on a terminal. */
export interface VerdictFacts {
  readonly mark: string
  readonly counted: string
  readonly ink: Ink
}

/** Every verdict, the most severe first. */
export const verdicts: Readonly<Record<Verdict, VerdictFacts>> = {
  fail: { mark: '✗', counted: 'failed', ink: 'red' },
  warn: { mark: '!', counted: 'warned', ink: 'yellow' },
  inconclusive: { mark: '?', counted: 'inconclusive', ink: 'cyan' },
  pass: { mark: '✓', counted: 'passed', ink: 'green' },
  'not-applicable': { mark: '–', counted: 'not applicable', ink: 'dim' },
  'not-run': { mark: '·', counted: 'not run', ink: 'dim' },
}

/** The names of all verdicts, in the same order. */
export const verdictNames: readonly Verdict[] =
  // a literal's own keys
  Object.keys(verdicts) as Verdict[]

/** Whether a rule is broken. */
export function isBroken(rule: RuleResult): boolean {
  return rule.verdict === 'fail' || rule.verdict === 'warn'
}

/** Whether a rule is broken and a known failure, so that it does not count. */
export function isKnown(rule: RuleResult): boolean {
  return rule.known !== undefined && isBroken(rule)
}

/** The broken rules of a report by severity. */
export interface BrokenRules {
  readonly failures: readonly RuleResult[]
  readonly warnings: readonly RuleResult[]
  /** The known failures, which do not count. */
  readonly known: readonly RuleResult[]
}

/** Returns the broken rules of a report, each in one list. */
export function brokenRules({ rules }: Pick<Report, 'rules'>): BrokenRules {
  return {
    failures: rules.filter((rule) => rule.verdict === 'fail' && !isKnown(rule)),
    warnings: rules.filter((rule) => rule.verdict === 'warn' && !isKnown(rule)),
    known: rules.filter(isKnown),
  }
}
