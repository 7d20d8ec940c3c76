import type { KeyRecord } from '../../core/index.ts'
import { toIsoTime } from '../../core/internal.ts'
import type { KeyChange, KeySelection } from './key-records.ts'

/** The fields that a rotation sets. It copies the other fields from the latest key. */
type RotatedKey = Pick<KeyRecord, 'id' | 'sha256' | 'expiresAt'>

/** Returns a change that adds a key. The change throws if the ID already has a key that is not revoked. */
export function issueKey(key: KeyRecord, now: number): KeyChange {
  return (keys) => {
    if (keys.some(isNotRevoked))
      throw new Error(
        `the id ${JSON.stringify(key.id)} already has a key: rotate the key or choose another id`,
      )
    return [{ ...key, createdAt: toIsoTime(now) }]
  }
}

/**
 * Returns a change that adds a key and copies plan, limits and label from the latest key. Previous keys are revoked.
 * With an overlap, they expire after `overlapMs` milliseconds instead, unless they expire earlier. The change throws if
 * every key of the ID is revoked.
 */
export function rotateKeys(key: RotatedKey, overlapMs: number | undefined, now: number): KeyChange {
  return (keys) => {
    const current = keys.filter(isNotRevoked)
    const latest = current.at(-1)
    if (!latest) throw createUnknownIdError(key.id)
    const { plan, limits, label } = latest
    const added = { ...key, plan, ...(limits && { limits }), ...(label !== undefined && { label }) }
    const endFields =
      overlapMs === undefined ? { revokedAt: toIsoTime(now) } : { expiresAt: toIsoTime(now + overlapMs) }
    const endedKeys = current
      .filter(({ expiresAt }) => !expiresAt || Date.parse(expiresAt) > now + (overlapMs ?? 0))
      .map((older) => ({ ...older, ...endFields }))
    return [...endedKeys, { ...added, createdAt: toIsoTime(now) }]
  }
}

/**
 * Returns a change that revokes all selected keys. The change throws if the ID is unknown, or if the hash prefix does
 * not match exactly one key.
 */
export function revokeKeys(selection: KeySelection, now: number): KeyChange {
  return (keys) => {
    if ('id' in selection && keys.length === 0) throw createUnknownIdError(selection.id)
    if ('sha256' in selection && keys.length !== 1)
      throw new Error(`expected one key whose hash starts with ${selection.sha256}, found ${keys.length}`)
    return keys.filter(isNotRevoked).map((key) => ({ ...key, revokedAt: toIsoTime(now) }))
  }
}

/**
 * Returns a change that imports keys. Stored keys are not changed, except that an import can revoke them. The change
 * throws if a hash is stored under another ID, or if an ID has another plan or other limits. The error names the first
 * such record.
 */
export function importKeys(added: readonly KeyRecord[]): KeyChange {
  return (stored) => {
    const byHash = new Map(stored.map((key) => [key.sha256, key]))
    const byId = new Map(stored.filter(isNotRevoked).map((key) => [key.id, key]))
    return added.flatMap((key, i) => {
      const existing = byHash.get(key.sha256)
      const sameId = byId.get(key.id)
      if (existing && existing.id !== key.id)
        throw new Error(`keys[${i}].sha256 is already stored with another id`)
      if (sameId && isNotRevoked(key) && serializePlan(key) !== serializePlan(sameId))
        throw new Error(`keys[${i}].id is already stored with another plan or other limits`)
      if (!existing) return [key]
      return key.revokedAt && !existing.revokedAt ? [{ ...existing, revokedAt: key.revokedAt }] : []
    })
  }
}

function serializePlan({ plan, limits }: KeyRecord): string {
  return JSON.stringify([plan, limits?.minute, limits?.day])
}

function isNotRevoked({ revokedAt }: KeyRecord): boolean {
  return revokedAt === undefined
}

function createUnknownIdError(id: string): Error {
  return new Error(`the id ${JSON.stringify(id)} has no key, or only revoked keys: issue a key`)
}
