import { createKeyStore, type KeyRecord, type KeyStore } from '../../../core/index.ts'
import type { MaybePromise } from '../../../core/internal.ts'
import type { KeyCount } from '../../sql/key-records.ts'

/** Figures of the keys for the metrics. */
export interface KeyFigures extends KeyCount {
  /** The time of the last reading, in milliseconds since the epoch. */
  readonly loadedAt: number
  /** The last reading of a keys file succeeded; absent without a file. */
  readonly isFileValid?: boolean
}

/** The keys of a server. */
export interface OpenKeys {
  readonly store: KeyStore
  /** A new key, to be shown once. */
  readonly made?: string
  /** Reads the keys again and logs the result. An invalid file changes nothing. */
  readonly reload?: () => void
  /** Returns the figures, read again if they were too old and can be read. Never rejects. */
  figures(): MaybePromise<KeyFigures>
  /** Ends what it does by itself. */
  close?(): void
}

/** Opens the keys of a list, which does not change. Throws `TypeError` that names the first invalid place. */
export function openRecords(
  keys: readonly KeyRecord[],
  clock: () => number,
): { readonly store: KeyStore; figures(): KeyFigures } {
  const store = createKeyStore(keys, { clock })
  const loadedAt = clock()
  const unrevoked = keys
    .filter(({ revokedAt }) => revokedAt === undefined)
    .map(({ id, sha256, expiresAt }) => ({
      id,
      number: Number.parseInt(sha256.slice(0, 6), 16),
      expiry: expiresAt === undefined ? Infinity : Date.parse(expiresAt),
    }))

  function figures(): KeyFigures {
    const now = clock()
    const inForce = unrevoked.filter(({ expiry }) => expiry > now)
    const ends = new Map<string, number>()
    for (const { id, expiry } of inForce) ends.set(id, Math.max(ends.get(id) ?? 0, expiry))
    const nextExpiry = [...ends.values()].reduce((first, end) => Math.min(first, end), Infinity)
    const fingerprint = inForce.reduce((sum, { number }) => sum + number, 0)
    const known = { issued: keys.length, inForce: inForce.length, fingerprint, loadedAt }
    return nextExpiry === Infinity ? known : { ...known, nextExpiry }
  }

  return { store, figures }
}
