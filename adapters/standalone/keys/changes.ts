import type { KeyRecord } from '../../../core/index.ts'
import { toIsoTime } from '../../../core/internal.ts'
import type { KeyChange, KeySelection } from '../../sql/key-records.ts'
import { CommandError } from '../errors.ts'

/** A new key, with what a rotation does not take from the keys before it. */
export type NewKey = Pick<KeyRecord, 'id' | 'sha256' | 'expiresAt'>

/** Returns the change that adds the first key of a caller. It throws `CommandError` if the caller has one. */
export function issueKey(key: KeyRecord, now: number): KeyChange {
  return (keys) => {
    if (keys.some(isNotRevoked))
      throw new CommandError(
        `the id ${JSON.stringify(key.id)} has a key: use keys rotate to replace it, or another --id`,
      )
    return [{ ...key, createdAt: toIsoTime(now) }]
  }
}

/**
 * Returns the change that adds a key with the plan, limits and label of the caller's latest one, and ends the others:
 * after `overlapMs`, or immediately without it. It throws `CommandError` if the caller has no key that was not revoked.
 */
export function rotateKeys(key: NewKey, overlapMs: number | undefined, now: number): KeyChange {
  return (keys) => {
    const current = keys.filter(isNotRevoked)
    const latest = current.at(-1)
    if (!latest) throw unknownId(key.id)
    const { plan, limits, label } = latest
    const added = { ...key, plan, ...(limits && { limits }), ...(label !== undefined && { label }) }
    const end =
      overlapMs === undefined ? { revokedAt: toIsoTime(now) } : { expiresAt: toIsoTime(now + overlapMs) }
    const ended = current
      .filter(({ expiresAt }) => !expiresAt || Date.parse(expiresAt) > now + (overlapMs ?? 0))
      .map((older) => ({ ...older, ...end }))
    return [...ended, { ...added, createdAt: toIsoTime(now) }]
  }
}

/**
 * Returns the change that revokes the selected keys, except keys that are already revoked. It throws `CommandError` if
 * no key is selected, or if several hashes begin with the given digits.
 */
export function revokeKeys(selection: KeySelection, now: number): KeyChange {
  return (keys) => {
    if ('id' in selection && keys.length === 0) throw unknownId(selection.id)
    if ('sha256' in selection && keys.length !== 1)
      throw new CommandError(
        `${keys.length} keys have a hash that begins with ${selection.sha256}: keys list --json shows the hashes`,
      )
    return keys.filter(isNotRevoked).map((key) => ({ ...key, revokedAt: toIsoTime(now) }))
  }
}

/**
 * Returns the change that adds keys to a storage. A key that is there stays as it is, unless the new record
 * revokes it. It throws `CommandError` that names the first record whose hash another id has, or whose caller has
 * another plan or other limits.
 */
export function joiningKeys(added: readonly KeyRecord[]): KeyChange {
  return (stored) => {
    const byHash = new Map(stored.map((key) => [key.sha256, key]))
    const byId = new Map(stored.filter(isNotRevoked).map((key) => [key.id, key]))
    return added.flatMap((key, i) => {
      const existing = byHash.get(key.sha256)
      const sameId = byId.get(key.id)
      if (existing && existing.id !== key.id)
        throw new CommandError(`keys[${i}].sha256 belongs to another id in the storage`)
      if (sameId && isNotRevoked(key) && serializePlan(key) !== serializePlan(sameId))
        throw new CommandError(`keys[${i}].id has another plan or other limits in the storage`)
      if (!existing) return [key]
      return key.revokedAt && !existing.revokedAt ? [{ ...existing, revokedAt: key.revokedAt }] : []
    })
  }
}

function serializePlan({ plan, limits }: KeyRecord): string {
  return JSON.stringify([plan, limits?.minute, limits?.day])
}

/** Returns true for a key that nobody has revoked. */
function isNotRevoked({ revokedAt }: KeyRecord): boolean {
  return revokedAt === undefined
}

function unknownId(id: string): CommandError {
  return new CommandError(
    `no key has the id ${JSON.stringify(id)}, unless it is revoked: keys list shows the ids, keys issue issues a key`,
  )
}
