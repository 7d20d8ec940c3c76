import { createKeyStore, type KeyStore } from '../../../core/index.ts'
import type { KeyPlan } from '../cli/plan-settings.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { makeKey, recordOf } from './key.ts'
import { openKeysFile } from './keys-file.ts'

/** The source of the keys: a file, the environment, or a new random key. */
export type KeySource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'given'; readonly key: string; readonly plan: KeyPlan }
  | { readonly kind: 'made'; readonly plan: KeyPlan }

export interface OpenKeys {
  readonly store: KeyStore
  /** A new key, to be shown once. */
  readonly made?: string
  /** Reads the keys again and logs the result. An invalid file changes nothing. */
  readonly reload?: () => void
}

/** Opens the keys. `clock` returns the ms since the epoch. Throws `StartError` for an invalid file. */
export function openKeys(source: KeySource, clock: () => number, log: Log): OpenKeys {
  if (source.kind === 'file') return openFile(source.path, clock, log)
  if (source.kind === 'given') {
    return { store: createKeyStore([recordOf('api-key', source.key, source.plan)], { clock }) }
  }
  const made = makeKey()
  return { store: createKeyStore([recordOf('demo', made, source.plan)], { clock }), made }
}

function openFile(path: string, clock: () => number, log: Log): OpenKeys {
  const file = openKeysFile(path, clock)
  const logSize = () => {
    if (file.size > 0)
      log.info('keys-read', `read ${file.size} ${file.size === 1 ? 'key' : 'keys'} from ${path}`)
    else log.warning('no-keys', `${path} has no keys: every request is rejected with 401; keygen makes one`)
  }
  logSize()
  return {
    store: file,
    reload() {
      try {
        file.reload()
        logSize()
      } catch (cause) {
        log.error('keys-kept', `${explain(cause, false)}; the keys read before stay valid`)
      }
    },
  }
}
