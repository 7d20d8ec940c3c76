import type { KeyCount, KeyRecord } from '../../../core/index.ts'

/** Returns a function that counts the keys of a list at a time, in milliseconds since the epoch. */
export function createKeyCounter(keys: readonly KeyRecord[]): (now: number) => KeyCount {
  const expiries = keys
    .filter(({ revokedAt }) => revokedAt === undefined)
    .map(({ expiresAt }) => (expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)))
  return (now) => {
    let inForce = 0
    let nextExpiry = Number.POSITIVE_INFINITY
    for (const expiry of expiries) {
      if (expiry <= now) continue
      inForce++
      nextExpiry = Math.min(nextExpiry, expiry)
    }
    const count = { issued: keys.length, inForce }
    return nextExpiry === Number.POSITIVE_INFINITY ? count : { ...count, nextExpiry }
  }
}
