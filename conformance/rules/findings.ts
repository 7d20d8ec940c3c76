import { shorten } from '../bounds.ts'
import type { Finding } from './rule.ts'

/** The rule holds on what was seen. */
export function holds(reason: string, ...exchanges: readonly string[]): Finding {
  return finding('holds', reason, exchanges)
}

/** The rule is broken; the telling exchange comes first. */
export function broken(expected: string, got: string, ...exchanges: readonly string[]): Finding {
  return {
    ...finding('broken', `${got}, in place of ${expected}`, exchanges),
    expected: shorten(expected),
    got: shorten(got),
  }
}

/** What was seen cannot decide it. */
export function noEvidence(reason: string, ...exchanges: readonly string[]): Finding {
  return finding('no-evidence', reason, exchanges)
}

/** There is nothing here that the rule speaks of. */
export function notApplicable(reason: string, ...exchanges: readonly string[]): Finding {
  return finding('not-applicable', reason, exchanges)
}

/** What it takes was not sent. */
export function notRun(reason: string, ...exchanges: readonly string[]): Finding {
  return finding('not-run', reason, exchanges)
}

function finding(outcome: Finding['outcome'], reason: string, exchanges: readonly string[]): Finding {
  return { outcome, reason: shorten(reason), exchanges: [...new Set(exchanges)] }
}
