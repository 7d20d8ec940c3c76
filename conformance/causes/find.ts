import type { Cause } from '../report/report.ts'
import type { Finding, Rule } from '../rules/rule.ts'
import { shorten } from '../transcript/bounds.ts'
import type { Transcript } from '../transcript/transcript.ts'
import type { Explains, OpenRule } from './cause.ts'
import { faultKinds } from './kinds.ts'

/** A rule with what it found. */
export interface JudgedRule {
  readonly rule: Rule
  readonly finding: Finding
}

/**
 * Returns why rules do not hold. Each rule has one cause at most: the first one, in the order of `faultKinds`, that
 * explains it. A repair stays in the transcript in which the later faults are looked for, so that a fault behind
 * another one is found too.
 */
export function findCauses(transcript: Transcript, judged: readonly JudgedRule[]): readonly Cause[] {
  const open = new Map(judged.filter(({ finding }) => isOpen(finding)).map((one) => [one.rule.id, one]))
  const causes: Cause[] = []
  let seen = transcript
  for (const { id, least = 1, find } of faultKinds) {
    const fault = open.size === 0 ? undefined : find(seen)
    if (fault === undefined) continue
    const { title, advice, exchanges, explains } = fault
    const found = explained(explains, [...open.values()])
    if (explains.kind === 'repair') seen = explains.repaired
    for (const one of found.still) open.set(one.rule.id, one)
    const isCause = found.rules.length >= least
    // rules that hold once a fault is repaired say nothing of later faults, whether or not it is a cause
    if (isCause || explains.kind === 'repair') for (const rule of found.rules) open.delete(rule)
    if (isCause) {
      causes.push({ id, title: shorten(title), advice: shorten(advice), rules: found.rules, exchanges })
    }
  }
  return causes
}

/** Returns the ids of the rules that a fault explains, and the others with what they find once it is repaired. */
function explained(
  explains: Explains,
  open: readonly JudgedRule[],
): { readonly rules: readonly string[]; readonly still: readonly JudgedRule[] } {
  if (explains.kind === 'condition') {
    const rules = open.map(openRule).filter(explains.holds)
    return { rules: rules.map(({ id }) => id), still: [] }
  }
  const again = open.map(({ rule, finding }) => ({
    rule,
    before: finding,
    finding: rule.judge(explains.repaired),
  }))
  const isExplained = ({ before, finding }: (typeof again)[number]): boolean =>
    before.outcome === 'broken' ? finding.outcome !== 'broken' : !isOpen(finding)
  return {
    rules: again.filter(isExplained).map(({ rule }) => rule.id),
    still: again.filter((one) => !isExplained(one)),
  }
}

function openRule({ rule, finding: { outcome, exchanges } }: JudgedRule): OpenRule {
  return { id: rule.id, outcome, exchanges }
}

function isOpen({ outcome }: Finding): boolean {
  return outcome !== 'holds' && outcome !== 'not-applicable'
}
