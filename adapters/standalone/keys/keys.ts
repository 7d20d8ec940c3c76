import { createKeyStore } from '../../../core/index.ts'
import type { Log } from '../log/log.ts'
import { recordOf } from './key.ts'
import type { KeyPlan } from './key-settings.ts'
import { openKeysFile } from './keys-file.ts'
import type { OpenKeys } from './open-keys.ts'
import { createKeyCounter } from './open-keys.ts'
import { openStoredKeys, type StoredKeys } from './stored-keys.ts'

/** The source of the keys: a file, the environment, or the storage of the animals; where it has none, a key is made, of this plan. */
export type KeySource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'given'; readonly key: string; readonly plan: KeyPlan }
  | { readonly kind: 'stored'; readonly plan: KeyPlan }

/** How often a keys file is checked for changes, in milliseconds: mounted secrets are replaced without a signal. */
const checkMs = 2_000

/**
 * Reads the keys that are given, and returns a function that opens the keys once the storage is open. Throws `StartError`
 * for an invalid file. The function rejects with `StartError` if the keys of the storage cannot be read.
 *
 * @param clock Returns the milliseconds since the epoch.
 */
export function prepareKeys(
  source: KeySource,
  clock: () => number,
  log: Log,
): (stored: StoredKeys | undefined) => Promise<OpenKeys> {
  switch (source.kind) {
    case 'file': {
      const file = openKeysFile(source.path, clock, log)
      return async () => {
        const timer = setInterval(file.check, checkMs).unref()
        return { ...file, close: () => clearInterval(timer) }
      }
    }
    case 'given':
      return async (stored) => {
        await warnOfUnused(stored, clock(), log)
        return openOne(source, clock)
      }
    case 'stored':
      return (stored) => openStoredKeys(stored, source.plan, clock, log)
  }
}

/** Warns if a storage has keys that do not count, because one from elsewhere was given. */
async function warnOfUnused(stored: StoredKeys | undefined, now: number, log: Log): Promise<void> {
  const { inForce } = (await stored?.count(now)) ?? { inForce: 0 }
  if (inForce === 0) return
  const unused = inForce === 1 ? 'the key of the storage does' : `the ${inForce} keys of the storage do`
  log.warning(
    'keys-unused',
    `the key of PET_ADOPTION_API_KEY is the only one: ${unused} not count, until the variable is unset`,
  )
}

function openOne({ key, plan }: { key: string; plan: KeyPlan }, clock: () => number): OpenKeys {
  const records = [recordOf('api-key', key, plan)]
  const [count, loadedAt] = [createKeyCounter(records), clock()]
  return {
    store: createKeyStore(records, { clock }),
    figures: () => ({ ...count(clock()), loadedAt }),
  }
}
