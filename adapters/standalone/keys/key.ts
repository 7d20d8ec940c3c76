import { randomBytes } from 'node:crypto'
import { type KeyRecord, sha256 } from '../../../core/index.ts'
import type { KeyPlan } from './key-settings.ts'

/** Returns a new key of 256 random bits, with a prefix that scanners of leaked keys find. */
export function makeKey(): string {
  return `pas_${randomBytes(32).toString('base64url')}`
}

/** Returns the record of a key, which has its hash and not the key itself. */
export function createKeyRecord(id: string, key: string, plan: KeyPlan): KeyRecord {
  return { id, sha256: sha256(key), ...plan }
}
