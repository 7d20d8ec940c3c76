import type { CreateOnceResult, CreationKey } from '../../core/index.ts'

/** A creation with a key, as a row of a table. */
export interface CreationRow {
  /** The id of the animal, as text. */
  readonly id: string
  readonly fingerprint: string
}

/** How many expired keys each creation with a key removes at most. So what is stored is bounded by one lifetime of keys. */
export const expiredAtOnce = 10

/** Returns what an earlier creation with the token of a key means for it. */
export function resultOfRow(row: CreationRow, { fingerprint }: CreationKey): CreateOnceResult {
  return row.fingerprint === fingerprint ? { outcome: 'replayed', id: BigInt(row.id) } : { outcome: 'reused' }
}

/** Returns the values of a key for statements, its times as text. A clock may return fractions of a millisecond. */
export function creationValues({ token, fingerprint, now, expiresAt }: CreationKey): {
  readonly token: string
  readonly fingerprint: string
  readonly now: string
  readonly expiresAt: string
} {
  return { token, fingerprint, now: String(Math.floor(now)), expiresAt: String(Math.floor(expiresAt)) }
}
