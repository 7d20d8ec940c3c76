import { type BigIntStats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createKeyStore } from '../../../core/index.ts'
import { type DigestKeyStore, findByDigest } from '../../../core/internal.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { createKeyCounter, type OpenKeys } from './open-keys.ts'
import { readKeysFile } from './read-keys-file.ts'

/** The keys of a file, which can be read again. An invalid file changes nothing. */
export interface KeysFile extends OpenKeys {
  readonly reload: () => void
  /** Reads the file again if it is another one than that which was read last, or has other content. */
  check(): Promise<void>
}

/** Reads a keys file, and logs the result. Throws `StartError` that names the first invalid place. */
export function openKeysFile(
  path: string,
  clock: () => number,
  log: Pick<Log, 'info' | 'warning' | 'error'>,
): KeysFile {
  let identity: string | undefined
  let current = load()

  function load() {
    identity = identityOf(statNow(path))
    const loaded = readKeysFile(path, (keys) => ({
      store: createKeyStore(keys, { clock }),
      count: createKeyCounter(keys),
      loadedAt: clock(),
    }))
    const { issued, inForce } = loaded.count(clock())
    if (inForce > 0) log.info('keys-read', `read ${issued} ${issued === 1 ? 'key' : 'keys'} from ${path}`)
    else {
      const lack = issued === 0 ? `${path} has no keys` : `no key of ${path} is valid`
      log.warning('no-keys', `${lack}: every request is rejected with 401; keygen prints a record to add`)
    }
    return loaded
  }

  function reload(): void {
    try {
      current = load()
    } catch (cause) {
      log.error('keys-kept', `${explain(cause, false)}; the keys read before stay valid`)
    }
  }

  const store: DigestKeyStore = {
    find: (token) => current.store.find(token),
    [findByDigest]: (digest) => current.store[findByDigest](digest),
  }
  return {
    store,
    figures: () => ({ ...current.count(clock()), loadedAt: current.loadedAt }),
    reload,
    async check() {
      if (identityOf(await stat(path, { bigint: true }).catch(() => undefined)) !== identity) reload()
    },
  }
}

/** Returns undefined where there is no file that can be read. */
function statNow(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

/** Returns what distinguishes the content of a file from what it was before; undefined where there is no file. */
function identityOf(status: BigIntStats | undefined): string | undefined {
  return status && `${status.dev} ${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`
}
