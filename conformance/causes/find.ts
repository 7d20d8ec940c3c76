import type { Cause } from '../report/report.ts'
import type { Finding, Rule } from '../rules/rule.ts'
import { shorten } from '../transcript/bounds.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { bodyFaults } from './bodies.ts'
import type { Explanation, FaultKind } from './cause.ts'
import { frontEndFaults } from './front-end.ts'
import { limitHeaderFaults } from './limit-headers.ts'
import { requestFaults } from './requests.ts'
import { wholeRunFaults } from './whole-run.ts'

/**
 * Every kind of fault, in the order they are looked for. A fault that affects the whole run comes first, as it explains
 * most.
 */
export const faultKinds: readonly FaultKind[] = [
  ...wholeRunFaults,
  ...frontEndFaults,
  ...bodyFaults,
  ...limitHeaderFaults,
  ...requestFaults,
]

/** A rule and its finding. */
export interface JudgedRule {
  readonly rule: Rule
  readonly finding: Finding
}

/**
 * Finds the causes of broken and undecided rules. Each rule is explained by the first cause that fits. Repairs
 * accumulate, so that later kinds see the repaired transcript.
 */
export function findCauses(transcript: Transcript, judged: readonly JudgedRule[]): readonly Cause[] {
  const unexplainedRules = new Map(
    judged.filter(({ finding }) => isUnmet(finding)).map((one) => [one.rule.id, one]),
  )
  const causes: Cause[] = []
  let seen = transcript
  for (const { id, minRules = 1, find } of faultKinds) {
    const foundFault = unexplainedRules.size === 0 ? undefined : find(seen)
    if (foundFault === undefined) continue
    const { title, advice, exchanges, explains } = foundFault
    const isRepair = typeof explains === 'object'
    const explanation = applyExplanation(explains, [...unexplainedRules.values()])
    if (isRepair) seen = explains.repaired
    for (const one of explanation.still) unexplainedRules.set(one.rule.id, one)
    const isCause = explanation.rules.length >= minRules
    // Rules that hold after a repair say nothing about later faults, even if the repair is not reported.
    if (isCause || isRepair) for (const rule of explanation.rules) unexplainedRules.delete(rule)
    if (isCause) {
      causes.push({ id, title: shorten(title), advice: shorten(advice), rules: explanation.rules, exchanges })
    }
  }
  return causes
}

/** Splits the rules into explained ones and others. After a repair, the others have a new finding. */
function applyExplanation(
  explains: Explanation,
  open: readonly JudgedRule[],
): { readonly rules: readonly string[]; readonly still: readonly JudgedRule[] } {
  if (typeof explains === 'function') {
    const rules = open.filter(({ rule: { id }, finding }) => explains({ ...finding, id }))
    return { rules: rules.map(({ rule }) => rule.id), still: [] }
  }
  const rules: string[] = []
  const stillUnmetRules: JudgedRule[] = []
  for (const { rule, finding: before } of open) {
    const finding = rule.judge(explains.repaired)
    const isExplained = before.outcome === 'broken' ? finding.outcome !== 'broken' : !isUnmet(finding)
    if (isExplained) rules.push(rule.id)
    else stillUnmetRules.push({ rule, finding })
  }
  return { rules, still: stillUnmetRules }
}

function isUnmet({ outcome }: Finding): boolean {
  return outcome !== 'holds' && outcome !== 'not-applicable'
}
