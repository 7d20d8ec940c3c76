import type { Place } from '../transcript/json.ts'
import type { Transcript } from '../transcript/transcript.ts'

/**
 * How binding a rule is. The interface states a `MUST`. A `SHOULD` is recommended, and `HTTP` is good practice in the
 * protocol. A broken `SHOULD` or `HTTP` rule is only a warning.
 */
export type Level = 'MUST' | 'SHOULD' | 'HTTP'

/**
 * The profile that a run needs so that the rule can be judged. Every run sends the `read` requests. `create` adds POST
 * requests, and `exhaust` uses up the throttle key's limit.
 */
export type RuleProfile = 'read' | 'create' | 'exhaust'

/**
 * The verdict on one rule in a report. `fail` is a broken `MUST`. `warn` is any other broken rule. A rule is
 * `inconclusive` if the exchanges prove nothing, and `not-run` if the requests it needs were not sent.
 */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'not-run'

/** What a transcript shows about one rule. */
export interface Finding {
  /** Whether the rule holds. `broken` becomes the verdict `fail` for a MUST, and `warn` for the other levels. */
  readonly outcome: 'holds' | 'broken' | 'no-evidence' | 'not-applicable' | 'not-run'
  /** One sentence that explains the outcome, at most 400 characters. */
  readonly reason: string
  /** What the interface requires. Set if the rule is broken. */
  readonly expected?: string
  /** What the server returned instead. Set if the rule is broken. */
  readonly got?: string
  /** The header or JSON value that breaks the rule, in the first of {@link Finding.exchanges}. */
  readonly at?: Place
  /** IDs of the exchanges that the rule judged, without duplicates. The first one is the evidence. */
  readonly exchanges: readonly string[]
}

/** Judges a transcript by one rule. A judge is pure: it sends no requests and reads no clock. */
export type Judge = (transcript: Transcript) => Finding

/** @internal A rule as its family defines it, without the ID and the statement. */
export interface RuleDefinition {
  readonly level: Level
  readonly profile: RuleProfile
  /** One sentence that states the rule, in Markdown. Reports and tests quote it without its family. */
  readonly title: string
  readonly judge: Judge
}

/** One rule that a deployment is judged by. */
export interface Rule extends RuleDefinition {
  /** Stable ID, such as `LIST-6`. IDs are never reused or renumbered. */
  readonly id: string
  /** Section of the interface that the rule belongs to, such as `4.1`. */
  readonly section: string
  /** Anchor of the rule's statement in `interface.md`, such as `s4-1-limit-default`. */
  readonly statement: string
}

/** One family's rules. Each key has the rule's ID and the anchor of its statement, such as `LIST-9
 * s4-1-limit-maximum`.
 */
export type RuleFamily = Readonly<Record<`${string}-${number} s${string}`, RuleDefinition>>

type DefineRule = (title: string, judge: Judge) => RuleDefinition

function createLevel(level: Level): Readonly<Record<RuleProfile, DefineRule>> {
  const createDefineRule =
    (profile: RuleProfile): DefineRule =>
    (title, judge) => ({ level, profile, title, judge })
  return {
    read: createDefineRule('read'),
    create: createDefineRule('create'),
    exhaust: createDefineRule('exhaust'),
  }
}

/** Defines a rule that the interface states. */
export const must: Readonly<Record<RuleProfile, DefineRule>> = createLevel('MUST')

/** Defines a rule that the interface only recommends. */
export const should: Readonly<Record<RuleProfile, DefineRule>> = createLevel('SHOULD')

/** Defines a rule from HTTP practice. */
export const http: Readonly<Record<RuleProfile, DefineRule>> = createLevel('HTTP')
