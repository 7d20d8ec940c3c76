import type { KeyStore } from '../../../core/index.ts'
import { type KeyCount, type KeyRecords, makeKey } from '../../backend/index.ts'
import { formatCount } from '../cli/print.ts'
import { explain, StartError } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { createKeyFiguresReader, type KeyFigures } from './figures.ts'
import { createSingleKeyList, type KeyPlan } from './key-list.ts'
import { openKeysFile } from './keys-file.ts'

/** A server's keys. */
export interface OpenKeys {
  readonly store: KeyStore
  /** A key that the server created because there was none. The key is shown once. */
  readonly generatedKey?: string
  /** Reads the keys file again, logs the result, and never rejects. Absent without a keys file. */
  readonly reload?: () => Promise<void>
  /** Returns key counts for metrics. Never rejects. */
  figures(): Promise<KeyFigures>
  /** Stops timers and watchers. */
  close?(): void
}

/**
 * Where keys come from: a file, the environment, or the storage. For a storage without keys, the server creates a key
 * with this plan.
 */
export type KeySource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'given'; readonly key: string; readonly plan: KeyPlan }
  | { readonly kind: 'stored'; readonly plan: KeyPlan }

/** Keys in a storage. Commands can change them at any time. */
export type StoredKeys = KeyStore & Pick<KeyRecords, 'count'>

/** Stands in for a storage that has no keys. */
const noKeys: StoredKeys = { find: () => undefined, count: () => ({ issued: 0, inForce: 0 }) }

/**
 * Opens a server's keys.
 *
 * @throws {StartError} If the keys file is invalid, or the keys cannot be counted.
 */
export async function openKeys(
  source: KeySource,
  stored: StoredKeys = noKeys,
  clock: () => number,
  log: Log,
): Promise<OpenKeys> {
  if (source.kind === 'file') return openKeysFile(source.path, clock, log)
  const { issued, inForce } = await countKeys(stored, clock())
  if (source.kind === 'given') {
    const problem = `keys in the storage (${inForce}) are ignored while the variable is set`
    if (inForce > 0) log.warning('keys-unused', `only the key in PET_ADOPTION_API_KEY is valid: ${problem}`)
    const { store, count } = createSingleKeyList('api-key', source.key, source.plan, clock)
    return { store, figures: await createKeyFiguresReader(count, clock) }
  }
  if (issued === 0) return openGeneratedKey(stored, source.plan, clock)
  const valid = `the storage has ${formatCount(inForce, 'valid key')}`
  const none = 'no key in the storage is valid: every request is rejected with 401; keys issue creates one'
  if (inForce > 0) log.info('keys-read', valid)
  else log.warning('no-keys', none)
  return { store: stored, figures: await createKeyFiguresReader(stored.count, clock) }
}

async function countKeys(stored: StoredKeys, now: number): Promise<KeyCount> {
  try {
    return await stored.count(now)
  } catch (cause) {
    throw new StartError(`cannot read the keys in the storage: ${explain(cause, false)}`, { cause })
  }
}

/**
 * Creates a key that is valid until the server stops. Keys that are issued in the storage in the meantime are valid
 * too.
 */
async function openGeneratedKey(stored: StoredKeys, plan: KeyPlan, clock: () => number): Promise<OpenKeys> {
  const generatedKey = makeKey()
  const own = createSingleKeyList('demo', generatedKey, plan, clock)

  async function count(now: number): Promise<KeyCount> {
    const [mine, others] = [own.count(now), await stored.count(now)]
    const { inForce, fingerprint = 0 } = others
    return {
      ...others,
      inForce: inForce + mine.inForce,
      fingerprint: fingerprint + (mine.fingerprint ?? 0),
    }
  }

  return {
    generatedKey,
    store: { find: (token, hash) => own.store.find(token, hash) ?? stored.find(token, hash) },
    figures: await createKeyFiguresReader(count, clock),
  }
}
