import type { Finding } from '../rules/rule.ts'
import type { Transcript } from '../transcript/transcript.ts'

/** A rule that does not hold, by its id and what it found so far. */
export interface OpenRule extends Pick<Finding, 'outcome' | 'exchanges'> {
  readonly id: string
}

/**
 * The rules that a fault can explain: those of a condition, or those that no longer fail on a transcript in which the
 * fault is repaired.
 */
export type Explains =
  | { readonly kind: 'condition'; readonly holds: (rule: OpenRule) => boolean }
  | { readonly kind: 'repair'; readonly repaired: Transcript }

/** The words for a fault. */
export interface Words {
  /** What the deployment does, in one sentence without a full stop. */
  readonly title: string
  /** What to do about it. */
  readonly advice: string
}

/** A fault that a transcript shows. */
export interface Fault extends Words {
  /** The ids of the exchanges that show it, at least one. */
  readonly exchanges: readonly string[]
  readonly explains: Explains
}

/** One kind of fault, and how to find it. */
export interface FaultKind {
  /** Stable: no id is renamed or used again. */
  readonly id: string
  /** The fewest rules that make it a cause; 1 by default. A fault that one rule states as well as its title needs 2. */
  readonly least?: 2
  /** Returns the fault, if the transcript shows it. */
  readonly find: (transcript: Transcript) => Fault | undefined
}

/**
 * Returns the fault that some exchanges or responses show; `undefined` if there are fewer than `least`, by default 1.
 *
 * @param describe Returns the words and the explained rules, given the first of them.
 */
export function shownBy<One extends { readonly id: string }>(
  some: readonly One[],
  describe: (first: One) => Omit<Fault, 'exchanges'>,
  least = 1,
): Fault | undefined {
  const [first] = some
  if (first === undefined || some.length < least) return undefined
  return { ...describe(first), exchanges: some.map(({ id }) => id) }
}

/** Explains every rule that does not hold: nothing else of the run is evidence of the deployment. */
export const everyRule: Explains = { kind: 'condition', holds: () => true }

/** Explains the rules that could not be judged. */
export const everyUndecided: Explains = { kind: 'condition', holds: ({ outcome }) => outcome !== 'broken' }

/** Explains broken rules, by their ids. */
export function brokenIn(...ids: readonly string[]): Explains {
  return { kind: 'condition', holds: ({ id, outcome }) => outcome === 'broken' && ids.includes(id) }
}
