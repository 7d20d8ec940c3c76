import type { Profile } from '../../steps/profile.ts'
import type { Change } from './deployment.ts'

/** A deployment that differs from the reference, and the options that a run against it has. */
export interface Variant extends Change {
  /** The behaviour of the deployment, as the rest of a sentence that begins with "a deployment that". */
  readonly does: string
  /** The time the run starts, by every clock, in ISO 8601; 20 November 2026 by default. */
  readonly start?: string
  readonly plan?: 'free' | 'pro' | 'business'
  readonly categoryId?: bigint
}

/** A variant that breaks a rule. */
export interface Broken extends Variant {
  /** The id of the rule that it breaks. */
  readonly rule: string
  /** The other rules that this mistake breaks as well, in any order. */
  readonly alsoBreaks?: readonly string[]
  /** The smallest profile that shows it; by default `exhaust` if the rule requires it, else `create`. */
  readonly profile?: Profile
}

/** A variant that the spec allows. */
export interface Legal extends Variant {
  /** The gap or the freedom in the spec that it uses. */
  readonly gap: string
  /** The SHOULD and HTTP rules that warn of it. */
  readonly warns?: readonly string[]
  /** The MUST rules that cannot be judged on it. */
  readonly unproven?: readonly string[]
  /** Set if the run ends early: what it has not reached is not judged. */
  readonly endsEarly?: true
}

/** Returns the variants of a table by the rule and what breaks it, such as `LIST-6 has no limit`. */
export function brokenBy(table: Readonly<Record<string, Omit<Broken, 'rule' | 'does'>>>): readonly Broken[] {
  return Object.entries(table).map(([name, row]) => {
    const [rule, does] = split(name, ' ')
    return { rule, does, ...row }
  })
}

/** Returns the variants of a table by the gap of the spec and what uses it, such as `order: lists by name`. */
export function allowedBy(table: Readonly<Record<string, Omit<Legal, 'gap' | 'does'>>>): readonly Legal[] {
  return Object.entries(table).map(([name, row]) => {
    const [gap, does] = split(name, ': ')
    return { gap, does, ...row }
  })
}

function split(name: string, separator: string): readonly [string, string] {
  const at = name.indexOf(separator)
  return [name.slice(0, at), name.slice(at + separator.length)]
}

/** A change that breaks other rules, too. */
export function also<Row extends Change>(
  rules: string | readonly string[],
  change: Row,
): Row & Pick<Broken, 'alsoBreaks'> {
  return { alsoBreaks: [rules].flat(), ...change }
}

/** A change that leaves some MUST rules without a verdict. */
export function unproven<Row extends Change>(
  rules: readonly string[],
  change: Row,
): Row & Pick<Legal, 'unproven'> {
  return { unproven: rules, ...change }
}

/** The ids of rules of one family. */
export function idsIn(family: string, ...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => `${family}-${number}`)
}
