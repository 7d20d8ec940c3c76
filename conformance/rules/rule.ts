import type { Transcript } from '../transcript/transcript.ts'

/** What a rule rests on: a statement of the spec, a recommendation, or good practice of HTTP. */
export type Level = 'MUST' | 'SHOULD' | 'HTTP'

/** The profile that it takes to judge a rule. */
export type RuleProfile = 'read' | 'create' | 'exhaust'

/** What became of a rule; only `fail` accuses the deployment. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'not-run'

/** What a rule found: the verdict's grounds in words a reader can act on. */
export interface Finding {
  /** `broken` becomes `fail` for a MUST and `warn` for the other levels. */
  readonly outcome: 'holds' | 'broken' | 'no-evidence' | 'not-applicable' | 'not-run'
  readonly reason: string
  /** What the spec asks for and what came, where it is broken. */
  readonly expected?: string
  readonly got?: string
  /** The ids of the exchanges that it rests on, the telling one first. */
  readonly exchanges: readonly string[]
}

/** One sentence of the spec that can be checked. */
export interface Rule {
  /** Stable: never reused, never renumbered. */
  readonly id: string
  readonly level: Level
  /** The section of the spec, such as `4.1`. */
  readonly section: string
  /** The rule as a sentence. */
  readonly title: string
  readonly profile: RuleProfile
  judge(transcript: Transcript): Finding
}
