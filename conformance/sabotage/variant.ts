import type { Profile } from '../transcript/transcript.ts'
import type { Change } from './deployment.ts'

/** A deployment that differs from the reference, and how it is run. */
export interface Variant {
  /** What it does, as the rest of a sentence that begins with "a deployment that". */
  readonly does: string
  readonly change: Change
  /** The path of its base address; `/v1` by default. */
  readonly base?: string
  /** When the run starts, by every clock, as an ISO time. */
  readonly start?: string
  readonly plan?: 'free' | 'pro' | 'business'
  readonly categoryId?: bigint
}

/** One that breaks a rule. */
export interface Broken extends Variant {
  /** The rule that it breaks. */
  readonly rule: string
  /** The other rules that it cannot but break as well. */
  readonly mayTouch?: readonly string[]
  /** What it takes to see it; `create` by default. */
  readonly profile?: Profile
}

/** One that the spec allows. */
export interface Legal extends Variant {
  /** The gap that it fills, or the freedom that it takes. */
  readonly gap: string
  /** The SHOULD and HTTP rules that it is warned of. */
  readonly warns?: readonly string[]
  /** The MUST rules that cannot be judged on it. */
  readonly unproven?: readonly string[]
  /** Set where the run ends early, so that whatever it has not come to is not judged. */
  readonly endsEarly?: true
}

/** The ids of rules of one family. */
export function idsIn(family: string, ...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => `${family}-${number}`)
}

/** The MUST rules about an animal that is listed first and last. */
export const ofListedPet: readonly string[] = idsIn('GET', 1, 2, 3, 6)
