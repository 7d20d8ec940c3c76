import { unwatchFile, watchFile } from 'node:fs'
import type { KeyStore } from '../../../core/index.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { createKeyList, type OpenKeys } from './open-keys.ts'
import { readKeysFile } from './read-keys-file.ts'

/** Interval of the checks for changes, in milliseconds: mounted secrets are replaced without a signal. */
const interval = 2_000

/**
 * Opens the keys of a file, and reads it again when it changes. A file that has become invalid changes nothing. Logs
 * what it reads. Rejects with `StartError` that names the first invalid place.
 */
export async function openKeysFile(
  path: string,
  clock: () => number,
  log: Pick<Log, 'info' | 'warning' | 'error'>,
): Promise<OpenKeys> {
  let current = await load()
  let isFileValid = true
  let lastReload = Promise.resolve()

  async function load() {
    const loaded = createKeyList(clock)
    await readKeysFile(path, loaded.add)
    const { issued, inForce } = loaded.figures()
    if (inForce > 0) log.info('keys-read', `read ${issued} ${issued === 1 ? 'key' : 'keys'} from ${path}`)
    else {
      const lack = issued === 0 ? `${path} has no keys` : `no key of ${path} is valid`
      log.warning('no-keys', `${lack}: every request is rejected with 401; keygen prints a record to add`)
    }
    return loaded
  }

  /** Reads the file after the reads in progress, so that the newest keys are in force at the end. */
  function reload(): Promise<void> {
    lastReload = lastReload.then(replace)
    return lastReload
  }

  async function replace(): Promise<void> {
    try {
      current = await load()
      isFileValid = true
    } catch (cause) {
      isFileValid = false
      log.error('keys-kept', `${explain(cause, false)}; the keys read before stay valid`)
    }
  }

  watchFile(path, { interval, persistent: false }, reload)
  const store: KeyStore = { find: (token, hash) => current.store.find(token, hash) }
  return {
    store,
    figures: () => ({ ...current.figures(), isFileValid }),
    reload,
    close: () => unwatchFile(path, reload),
  }
}
