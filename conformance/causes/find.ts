import type { Cause } from '../report/report.ts'
import type { Finding, Rule } from '../rules/rule.ts'
import { shorten } from '../transcript/bounds.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { bodyFaults } from './bodies.ts'
import type { Explains, FaultKind } from './cause.ts'
import { addressFaults, frontEndFaults } from './front-end.ts'
import { limitHeaderFaults } from './limit-headers.ts'
import { requestFaults } from './requests.ts'
import { wholeRunFaults } from './whole-run.ts'

/**
 * Every kind of fault, the most fundamental first: the way to the deployment, what answers there, the form of all
 * responses, and single statements. A rule has the first cause that explains it.
 */
export const faultKinds: readonly FaultKind[] = [
  ...addressFaults,
  ...wholeRunFaults,
  ...frontEndFaults,
  ...bodyFaults,
  ...limitHeaderFaults,
  ...requestFaults,
]

/** A rule with its finding. */
export interface JudgedRule {
  readonly rule: Rule
  readonly finding: Finding
}

/**
 * Returns why rules do not hold. Each rule has one cause at most: the first one, in the order of `faultKinds`, that
 * explains it. Repairs accumulate in the transcript, so that a fault behind another one is found too.
 */
export function findCauses(transcript: Transcript, judged: readonly JudgedRule[]): readonly Cause[] {
  const open = new Map(judged.filter(({ finding }) => isOpen(finding)).map((one) => [one.rule.id, one]))
  const causes: Cause[] = []
  let seen = transcript
  for (const { id, least = 1, find } of faultKinds) {
    const fault = open.size === 0 ? undefined : find(seen)
    if (fault === undefined) continue
    const { title, advice, exchanges, explains } = fault
    const isRepair = typeof explains === 'object'
    const found = explained(explains, [...open.values()])
    if (isRepair) seen = explains.repaired
    for (const one of found.still) open.set(one.rule.id, one)
    const isCause = found.rules.length >= least
    // rules that hold once a fault is repaired say nothing of later faults, whether or not it is a cause
    if (isCause || isRepair) for (const rule of found.rules) open.delete(rule)
    if (isCause) {
      causes.push({ id, title: shorten(title), advice: shorten(advice), rules: found.rules, exchanges })
    }
  }
  return causes
}

/** Returns the ids of the rules that a fault explains, and the others with their findings once it is repaired. */
function explained(
  explains: Explains,
  open: readonly JudgedRule[],
): { readonly rules: readonly string[]; readonly still: readonly JudgedRule[] } {
  if (typeof explains === 'function') {
    const rules = open.filter(({ rule: { id }, finding }) => explains({ ...finding, id }))
    return { rules: rules.map(({ rule }) => rule.id), still: [] }
  }
  const rules: string[] = []
  const still: JudgedRule[] = []
  for (const { rule, finding: before } of open) {
    const finding = rule.judge(explains.repaired)
    const isExplained = before.outcome === 'broken' ? finding.outcome !== 'broken' : !isOpen(finding)
    if (isExplained) rules.push(rule.id)
    else still.push({ rule, finding })
  }
  return { rules, still }
}

function isOpen({ outcome }: Finding): boolean {
  return outcome !== 'holds' && outcome !== 'not-applicable'
}
