import type { Place } from '../transcript/place.ts'
import type { Transcript } from '../transcript/transcript.ts'
import type { RuleId } from './rule-table.ts'

/** The basis of a rule: a statement of the interface, a recommendation, or good practice of HTTP. */
export type Level = 'MUST' | 'SHOULD' | 'HTTP'

/** The profile that a rule requires. */
export type RuleProfile = 'read' | 'create' | 'exhaust'

/** The result of a rule. Only `fail` means that the deployment breaks the interface. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'not-run'

/** What a rule found in a transcript: the reason of its verdict, in words that a reader can act on. */
export interface Finding {
  /** `broken` is the verdict `fail` for a MUST and `warn` for other levels. */
  readonly outcome: 'holds' | 'broken' | 'no-evidence' | 'not-applicable' | 'not-run'
  readonly reason: string
  /** What the interface requires, and what the deployment returned, of a broken rule. */
  readonly expected?: string
  readonly got?: string
  /** The part of the evidence that breaks the rule, if it is a header or a value in the body. */
  readonly at?: Place
  /** The ids of the exchanges that the rule judged. The first one is the evidence. */
  readonly exchanges: readonly string[]
}

/** One statement of the interface, and how to judge it. */
export interface Rule {
  /** Stable: no id is renamed or used again. */
  readonly id: string
  readonly level: Level
  /** The section of the interface, such as `4.1`. */
  readonly section: string
  /** The anchor of the statement in `conformance/interface.md`, such as `s4-1-limit-maximum`. */
  readonly statement: string
  /** What the rule requires, in one sentence. */
  readonly title: string
  readonly profile: RuleProfile
  judge(transcript: Transcript): Finding
}

/** Judges one statement of the interface by a transcript. */
export type Judge = Rule['judge']

/** The judges of a family of rules, or of those of its rules that have one of the numbers, by id. */
export type Judges<Family extends string, Number extends number = number> = {
  readonly [Id in Extract<RuleId, `${Family}-${Number}`>]: Judge
}
