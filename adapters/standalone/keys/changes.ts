import type { KeyChange, KeyRecord, KeySelection } from '../../../core/index.ts'
import { CommandError } from '../errors.ts'

/** A new key, with what a rotation does not take from the keys before it. */
export type NewKey = Pick<KeyRecord, 'id' | 'sha256' | 'expiresAt'>

/** Returns the change that adds the first key of a caller. It throws `CommandError` if the caller has one. */
export function issueKey(key: KeyRecord, now: number): KeyChange {
  return (keys) => {
    if (keys.some(isNotRevoked))
      throw new CommandError(
        `the id ${shown(key.id)} has a key: use keys rotate to replace it, or another --id`,
      )
    return [{ ...key, createdAt: isoTime(now) }]
  }
}

/**
 * Returns the change that adds a key with the plan, limits and label of the caller's latest one, and ends the others: after
 * `overlapMs`, or at once without it. It throws `CommandError` if the caller has no key that was not revoked.
 */
export function rotateKeys(key: NewKey, overlapMs: number | undefined, now: number): KeyChange {
  return (keys) => {
    const current = keys.filter(isNotRevoked)
    const latest = current.at(-1)
    if (!latest) throw keys.length === 0 ? unknownId(key.id) : allRevoked(key.id)
    const { plan, limits, label } = latest
    const added = { ...key, plan, ...(limits && { limits }), ...(label !== undefined && { label }) }
    const end =
      overlapMs === undefined ? { revokedAt: isoTime(now) } : { expiresAt: isoTime(now + overlapMs) }
    const ended = current
      .filter(({ expiresAt }) => !expiresAt || Date.parse(expiresAt) > now + (overlapMs ?? 0))
      .map((older) => ({ ...older, ...end }))
    return [...ended, { ...added, createdAt: isoTime(now) }]
  }
}

/**
 * Returns the change that revokes the selected keys. It changes nothing about keys that are revoked already, and throws
 * `CommandError` if there is none, or if the beginning of a hash fits several.
 */
export function revokeKeys(selection: KeySelection, now: number): KeyChange {
  return (keys) => {
    if ('id' in selection && keys.length === 0) throw unknownId(selection.id)
    if ('sha256' in selection) requireOne(keys, selection.sha256)
    return keys.filter(isNotRevoked).map((key) => ({ ...key, revokedAt: isoTime(now) }))
  }
}

function requireOne(keys: readonly KeyRecord[], prefix: string): void {
  if (keys.length === 0)
    throw new CommandError(`no key has a hash that begins with ${prefix}: keys list shows the hashes`)
  if (keys.length > 1)
    throw new CommandError(
      `the hashes of ${keys.length} keys begin with ${prefix}: give more digits, as keys list --json shows them`,
    )
}

/** Whether a key is valid until it expires. */
export function isNotRevoked({ revokedAt }: KeyRecord): boolean {
  return revokedAt === undefined
}

function unknownId(id: string): CommandError {
  return new CommandError(`no key has the id ${shown(id)}: keys list shows the ids`)
}

function allRevoked(id: string): CommandError {
  return new CommandError(`every key of the id ${shown(id)} is revoked: use keys issue to issue a new one`)
}

function shown(id: string): string {
  return JSON.stringify(id)
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
