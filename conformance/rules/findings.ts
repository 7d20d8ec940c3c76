import type { Finding } from './rule.ts'

/** The rule holds on what was seen. */
export function holds(reason: string, ...exchanges: readonly string[]): Finding {
  return { outcome: 'holds', reason, exchanges }
}

/** The rule is broken; the telling exchange comes first. */
export function broken(expected: string, got: string, ...exchanges: readonly string[]): Finding {
  return { outcome: 'broken', reason: `${got}, in place of ${expected}`, expected, got, exchanges }
}

/** What was seen cannot decide it. */
export function noEvidence(reason: string, ...exchanges: readonly string[]): Finding {
  return { outcome: 'no-evidence', reason, exchanges }
}

/** There is nothing here that the rule speaks of. */
export function notApplicable(reason: string, ...exchanges: readonly string[]): Finding {
  return { outcome: 'not-applicable', reason, exchanges }
}

/** What it takes was not sent. */
export function notRun(reason: string, ...exchanges: readonly string[]): Finding {
  return { outcome: 'not-run', reason, exchanges }
}
