import type { KeyStore } from '../../../core/index.ts'
import type { KeyRecords } from '../../sql/key-records.ts'
import { catchError, explain, StartError } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { createKeyRecord, makeKey } from './key.ts'
import type { KeyPlan } from './key-settings.ts'
import { type KeyFigures, type OpenKeys, openRecords } from './open-keys.ts'

/** The keys of a storage, which commands change. */
export type StoredKeys = KeyStore & Pick<KeyRecords, 'count'>

/** The keys of a server whose storage has none. */
const noKeys: StoredKeys = { find: () => undefined, count: () => ({ issued: 0, inForce: 0 }) }

/**
 * Maximum age of the number of stored keys, in milliseconds: while the storage has no key, and afterwards. Counting
 * reads the whole table, which takes PostgreSQL 0.5 s with 1,000,000 keys.
 */
const freshMs = { empty: 5_000, issued: 60_000 }

/**
 * Opens the keys of a storage. Without a storage, or before its first key is issued, the store has a new key. That key
 * becomes invalid within 5 s of the first issue. Rejects with `StartError` if the storage cannot be read.
 *
 * @param plan The plan of the new key.
 */
export async function openStoredKeys(
  stored: StoredKeys = noKeys,
  plan: KeyPlan,
  clock: () => number,
  log: Log,
): Promise<OpenKeys> {
  const count = createRecentCount(stored, clock)
  const { issued, inForce } = await Promise.resolve(count.read()).catch((cause: unknown) => {
    throw new StartError(`the keys of the storage cannot be read: ${explain(cause, false)}`, { cause })
  })
  if (issued > 0) {
    const valid = `the storage has ${inForce} valid ${inForce === 1 ? 'key' : 'keys'}`
    const none = 'no key of the storage is valid: every request is rejected with 401; keys issue adds one'
    if (inForce > 0) log.info('keys-read', valid)
    else log.warning('no-keys', none)
    return { store: stored, figures: count.figures }
  }
  const made = makeKey()
  const own = openRecords([createKeyRecord('demo', made, plan)], clock)
  let hasEnded = false
  return {
    made,
    store: {
      async find(token) {
        const caller = hasEnded ? undefined : own.store.find(token)
        if (!caller) return stored.find(token)
        const { issued } = await count.read()
        if (issued === 0) return caller
        if (!hasEnded) log.info('key-ended', endMessage)
        hasEnded = true
        return undefined
      },
    },
    async figures() {
      const stored = await count.figures()
      return stored.issued > 0 ? stored : { ...own.figures(), issued: 0, loadedAt: stored.loadedAt }
    },
  }
}

const endMessage = 'a key was issued in the storage: the key that was made at the start is invalid now'

/** Returns the number of keys as it was read at most a minute ago, or five seconds while no key was issued. */
function createRecentCount(stored: Pick<KeyRecords, 'count'>, clock: () => number) {
  let last: KeyFigures = { issued: 0, inForce: 0, loadedAt: Number.NEGATIVE_INFINITY }
  let pending: Promise<KeyFigures> | undefined

  function read(): KeyFigures | Promise<KeyFigures> {
    const now = clock()
    const ms = last.issued > 0 ? freshMs.issued : freshMs.empty
    if (last.loadedAt <= now && now < last.loadedAt + ms) return last
    pending ??= load(now).finally(() => {
      pending = undefined
    })
    return pending
  }

  async function load(now: number): Promise<KeyFigures> {
    last = { ...(await stored.count(now)), loadedAt: now }
    return last
  }

  return {
    read,
    /** Resolves with the last figures, however old, if the keys cannot be counted. */
    async figures() {
      await catchError(read)
      return last
    },
  }
}
