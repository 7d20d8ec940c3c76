import { randomBytes } from 'node:crypto'
import { type KeyRecord, sha256 } from '../../../core/index.ts'
import type { KeyPlan } from '../cli/plan-settings.ts'

/** The fewest characters of a key in clear that an operator gives: a shorter one can be guessed. */
export const minKeyLength = 20

/** A new key of 256 random bits, behind a prefix by which it is known when it turns up where it should not be. */
export function makeKey(random: (size: number) => Buffer = randomBytes): string {
  return `pas_${random(32).toString('base64url')}`
}

/** How a key is kept: not itself, but its hash. */
export function recordOf(id: string, key: string, plan: KeyPlan): KeyRecord {
  return { id, sha256: sha256(key), ...plan }
}
