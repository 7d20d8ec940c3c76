import type { Log } from '../log/log.ts'
import { createKeyRecord } from './key.ts'
import type { KeyPlan } from './key-settings.ts'
import { openKeysFile } from './keys-file.ts'
import { type OpenKeys, openRecords } from './open-keys.ts'
import { openStoredKeys, type StoredKeys } from './stored-keys.ts'

/** The source of keys: a file, the environment, or the storage. If that has none, a key of this plan is created. */
export type KeySource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'given'; readonly key: string; readonly plan: KeyPlan }
  | { readonly kind: 'stored'; readonly plan: KeyPlan }

/**
 * Opens the keys of a server. Rejects with `StartError` if the file is invalid or the storage cannot be read.
 *
 * @param clock Returns the milliseconds since the epoch.
 */
export async function openKeys(
  source: KeySource,
  stored: StoredKeys | undefined,
  clock: () => number,
  log: Log,
): Promise<OpenKeys> {
  switch (source.kind) {
    case 'file':
      return openKeysFile(source.path, clock, log)
    case 'given': {
      const { inForce = 0 } = (await stored?.count(clock())) ?? {}
      const problem = `keys of the storage (${inForce}) do not count, until the variable is unset`
      if (inForce > 0)
        log.warning('keys-unused', `the key of PET_ADOPTION_API_KEY is the only one: ${problem}`)
      return openRecords([createKeyRecord('api-key', source.key, source.plan)], clock)
    }
    case 'stored':
      return openStoredKeys(stored, source.plan, clock, log)
  }
}
