import { shorten } from '../transcript/bounds.ts'
import type { Place } from '../transcript/place.ts'
import type { Finding } from './rule.ts'

/** The rule holds in every exchange that it judges. */
export function holds(reason: string, ...exchanges: readonly string[]): Finding {
  return finding('holds', reason, exchanges)
}

/** The rule is broken. The first exchange is the evidence. */
export function broken(expected: string, got: string, ...exchanges: readonly string[]): Finding {
  return {
    ...finding('broken', `${got} instead of ${expected}`, exchanges),
    expected: shorten(expected),
    got: shorten(got),
  }
}

/** The rule is broken by one part of the evidence. */
export function brokenAt(at: Place, expected: string, got: string, ...exchanges: readonly string[]): Finding {
  return { ...broken(expected, got, ...exchanges), at }
}

/** The exchanges do not decide whether the rule holds. */
export function noEvidence(reason: string, ...exchanges: readonly string[]): Finding {
  return finding('no-evidence', reason, exchanges)
}

/** The rule does not apply to this deployment or this run. */
export function notApplicable(reason: string, ...exchanges: readonly string[]): Finding {
  return finding('not-applicable', reason, exchanges)
}

/** The requests that the rule requires were not sent. */
export function notRun(reason: string, ...exchanges: readonly string[]): Finding {
  return finding('not-run', reason, exchanges)
}

function finding(outcome: Finding['outcome'], reason: string, exchanges: readonly string[]): Finding {
  return { outcome, reason: shorten(reason), exchanges: [...new Set(exchanges)] }
}
