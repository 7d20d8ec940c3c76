import type { Place } from '../transcript/json.ts'
import type { Transcript } from '../transcript/transcript.ts'

/** The basis of a rule: a statement of the interface, a recommendation, or good practice of HTTP. */
export type Level = 'MUST' | 'SHOULD' | 'HTTP'

/** The profile that a rule requires. */
export type RuleProfile = 'read' | 'create' | 'exhaust'

/** The result of a rule. Only `fail` means that the deployment breaks the interface. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'not-run'

/** The result of a rule for a transcript, with a reason that a reader can act on. */
export interface Finding {
  /** `broken` is the verdict `fail` for a MUST and `warn` for other levels. */
  readonly outcome: 'holds' | 'broken' | 'no-evidence' | 'not-applicable' | 'not-run'
  /** The reason, in words that a reader can act on. */
  readonly reason: string
  /** The requirement of the interface, if the rule is broken. */
  readonly expected?: string
  /** The actual result, if the rule is broken. */
  readonly got?: string
  /** The part of the evidence that breaks the rule, if it is a header or a value in the body. */
  readonly at?: Place
  /** The ids of the exchanges that the rule judged. The first one is the evidence. */
  readonly exchanges: readonly string[]
}

/** Judges one statement of the interface by a transcript. */
export type Judge = (transcript: Transcript) => Finding

/** @internal What a family states of each of its rules. */
export interface StatedRule {
  readonly level: Level
  readonly profile: RuleProfile
  /** The requirement, in one sentence that stands on its own: reports and tests quote it without its family. */
  readonly title: string
  readonly judge: Judge
}

/** One statement of the interface, and how to judge it. */
export interface Rule extends StatedRule {
  /** Stable: no id is renamed or used again. */
  readonly id: string
  /** The section of the interface, such as `4.1`. */
  readonly section: string
  /** The anchor of the statement in `conformance/interface.md`, such as `s4-1-limit-maximum`. */
  readonly statement: string
}

/** The rules of a family, by their ids and the anchors of their statements: `LIST-9 s4-1-limit-maximum`. */
export type Family = Readonly<Record<`${string}-${number} s${string}`, StatedRule>>

type State = (title: string, judge: Judge) => StatedRule

function ofLevel(level: Level): Readonly<Record<RuleProfile, State>> {
  const inProfile =
    (profile: RuleProfile): State =>
    (title, judge) => ({ level, profile, title, judge })
  return { read: inProfile('read'), create: inProfile('create'), exhaust: inProfile('exhaust') }
}

/** Rules that the interface states, by the profile that they require. */
export const must: Readonly<Record<RuleProfile, State>> = ofLevel('MUST')

/** Rules that it recommends, or that nothing sensible reads otherwise. */
export const should: Readonly<Record<RuleProfile, State>> = ofLevel('SHOULD')

/** Good practice of HTTP. */
export const http: Readonly<Record<RuleProfile, State>> = ofLevel('HTTP')
