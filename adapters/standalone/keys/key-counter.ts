import type { KeyCount, KeyRecord } from '../../../core/index.ts'

/** Returns a function that counts the keys of a list at a time, in milliseconds since the epoch. */
export function createKeyCounter(keys: readonly KeyRecord[]): (now: number) => KeyCount {
  const unrevoked = keys
    .filter(({ revokedAt }) => revokedAt === undefined)
    .map(({ id, sha256, expiresAt }) => ({
      id,
      number: Number.parseInt(sha256.slice(0, 6), 16),
      expiry: expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    }))
  return (now) => {
    const inForce = unrevoked.filter(({ expiry }) => expiry > now)
    const ends = new Map<string, number>()
    let fingerprint = 0
    for (const { id, number, expiry } of inForce) {
      fingerprint += number
      ends.set(id, Math.max(ends.get(id) ?? 0, expiry))
    }
    let nextExpiry = Number.POSITIVE_INFINITY
    for (const end of ends.values()) nextExpiry = Math.min(nextExpiry, end)
    const count = { issued: keys.length, inForce: inForce.length, fingerprint }
    return nextExpiry === Number.POSITIVE_INFINITY ? count : { ...count, nextExpiry }
  }
}
