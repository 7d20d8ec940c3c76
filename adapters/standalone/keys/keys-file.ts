import { unwatchFile, watchFile } from 'node:fs'
import type { KeyStore } from '../../../core/index.ts'
import { formatCount } from '../cli/print.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { createKeyFiguresReader, type KeyFigures } from './figures.ts'
import { readKeysFile } from './read-keys-file.ts'

/** Polling interval, in milliseconds. Mounted secrets are replaced without a signal. */
const pollIntervalMs = 2_000

export interface KeysFile {
  readonly store: KeyStore
  /** Reads the file again and never rejects. If the file is invalid, the previous keys stay valid. */
  readonly reload: () => Promise<void>
  figures(): Promise<KeyFigures>
  /** Stops watching the file. */
  close(): void
}

/**
 * Reads a keys file, and reads it again whenever it changes. If the file becomes invalid, the previous keys stay valid.
 * Every reload is logged.
 *
 * @throws {StartError} If the file is invalid. The message names the first invalid place.
 */
export async function openKeysFile(
  path: string,
  clock: () => number,
  log: Pick<Log, 'info' | 'warning' | 'error'>,
): Promise<KeysFile> {
  let current = await load()
  let isFileValid = true
  let lastReload = Promise.resolve()

  async function load(): Promise<Pick<KeysFile, 'store' | 'figures'>> {
    const { store, count } = await readKeysFile(path, clock)
    const figures = await createKeyFiguresReader(count, clock)
    const { issued, inForce, loadedAt } = await figures()
    if (inForce > 0) log.info('keys-read', `read ${formatCount(issued, 'key')} from ${path}`)
    else {
      const lack = issued === 0 ? `${path} has no keys` : `no key in ${path} is valid`
      log.warning('no-keys', `${lack}: every request is rejected with 401; keygen prints a record to add`)
    }
    return { store, figures: async () => ({ ...(await figures()), loadedAt }) } // when the file was read
  }

  /** Reads the file after reloads in progress, so that the newest keys win. */
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
      log.error('keys-kept', `${explain(cause, false)}; the previous keys stay valid`)
    }
  }

  watchFile(path, { interval: pollIntervalMs, persistent: false }, reload)
  return {
    store: { find: (token, hash) => current.store.find(token, hash) },
    figures: async () => ({ ...(await current.figures()), isFileValid }),
    reload,
    close: () => unwatchFile(path, reload),
  }
}
