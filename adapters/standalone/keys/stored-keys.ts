import { createKeyStore, type KeyCount, type KeyRecords, type KeyStore } from '../../../core/index.ts'
import { chain } from '../../../core/internal.ts'
import { explain, StartError } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { makeKey, recordOf } from './key.ts'
import type { KeyPlan } from './key-settings.ts'
import type { KeyFigures, OpenKeys } from './open-keys.ts'
import { createKeyCounter } from './open-keys.ts'

/** The keys of a storage, which commands change. */
export type StoredKeys = KeyStore & Pick<KeyRecords, 'count'>

/**
 * How old what is known of the stored keys may be, in milliseconds: while no key was issued there, and afterwards. A count
 * reads the whole table, which takes PostgreSQL half a second with a million keys.
 */
const freshMs = { empty: 5_000, issued: 60_000 }
/** How long a page of metrics waits for the storage at most, in milliseconds. */
const waitMs = 1_000

/**
 * Opens the keys of a storage. If none was issued there, or there is no storage, the store has a new key, which ends within
 * five seconds of the first key that is issued. Rejects with `StartError` if the storage cannot be read.
 *
 * @param plan The plan of the new key.
 */
export async function openStoredKeys(
  stored: StoredKeys | undefined,
  plan: KeyPlan,
  clock: () => number,
  log: Log,
): Promise<OpenKeys> {
  const count = createRecentCount(stored ?? { count: () => ({ issued: 0, inForce: 0 }) }, clock)
  const { issued, inForce } = await Promise.resolve(count.read()).catch((cause: unknown) => {
    throw new StartError(`the keys of the storage cannot be read: ${explain(cause, false)}`, { cause })
  })
  if (!stored || issued === 0) return openMade(stored, count, plan, clock, log)
  if (inForce > 0) log.info('keys-read', `the storage has ${inForce} valid ${inForce === 1 ? 'key' : 'keys'}`)
  else
    log.warning(
      'no-keys',
      'no key of the storage is valid: every request is rejected with 401; keys issue adds one',
    )
  const { figures, refresh } = count
  return { store: stored, figures, refresh }
}

function openMade(
  stored: StoredKeys | undefined,
  count: RecentCount,
  plan: KeyPlan,
  clock: () => number,
  log: Log,
): OpenKeys {
  const made = makeKey()
  const records = [recordOf('demo', made, plan)]
  const own = createKeyStore(records, { clock })
  const ownCount = createKeyCounter(records)(0)
  let hasEnded = false

  function end(): undefined {
    if (!hasEnded)
      log.info(
        'key-ended',
        'a key was issued in the storage: the key that was made at the start is invalid now',
      )
    hasEnded = true
  }

  return {
    made,
    store: {
      find(token) {
        const caller = hasEnded ? undefined : own.find(token)
        if (!caller) return stored?.find(token)
        return chain(count.read(), ({ issued }) => (issued > 0 ? end() : caller))
      },
    },
    figures() {
      const figures = count.figures()
      return figures.issued > 0 ? figures : { ...figures, ...ownCount, issued: 0 }
    },
    refresh: count.refresh,
  }
}

/** The number of keys as it was read at most a minute ago, or five seconds while no key was issued. */
interface RecentCount extends Pick<Required<OpenKeys>, 'refresh'> {
  figures(): KeyFigures
  read(): KeyCount | Promise<KeyCount>
}

function createRecentCount(stored: Pick<KeyRecords, 'count'>, clock: () => number): RecentCount {
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
    figures: () => last,
    async refresh() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, waitMs).unref())
      await Promise.race([Promise.resolve(read()).catch(() => {}), late])
    },
  }
}
