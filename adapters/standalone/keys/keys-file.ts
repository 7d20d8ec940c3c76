import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createKeyStore, type KeyCount, type KeyRecord } from '../../../core/index.ts'
import { type DigestKeyStore, findByDigest } from '../../../core/internal.ts'
import { createKeyCounter } from './key-counter.ts'
import { readKeysFile } from './read-keys-file.ts'

/** The keys of a file that can be read again. */
export interface KeysFile extends DigestKeyStore {
  /** Returns how many keys there are at a time, in milliseconds since the epoch. */
  count(now: number): KeyCount
  /** When the keys were read, in milliseconds since the epoch. */
  readonly loadedAt: number
  /** Reads the file again. Throws `StartError` that names the first invalid place; the keys then stay as they were. */
  reload(): void
  /** Resolves with whether the file is another one than that which was read last, or has other content. */
  hasChanged(): Promise<boolean>
}

/** Reads a keys file, `{ "keys": [ … ] }`. Throws `StartError` that names the first invalid place. */
export function openKeysFile(
  path: string,
  clock: () => number,
  warn: (message: string) => void = () => {},
): KeysFile {
  let identity = identityOf(statNow(path))
  let current = load(path, clock, warn)
  return {
    count: (now) => current.count(now),
    get loadedAt() {
      return current.loadedAt
    },
    find: (token) => current.store.find(token),
    [findByDigest]: (digest) => current.store[findByDigest](digest),
    reload() {
      identity = identityOf(statNow(path))
      current = load(path, clock, warn)
    },
    async hasChanged() {
      return identityOf(await stat(path, { bigint: true }).catch(() => undefined)) !== identity
    },
  }
}

interface Loaded {
  readonly store: DigestKeyStore
  readonly count: (now: number) => KeyCount
  readonly loadedAt: number
}

function load(path: string, clock: () => number, warn: (message: string) => void): Loaded {
  const use = (keys: readonly KeyRecord[]) => ({
    store: createKeyStore(keys, { clock }),
    count: createKeyCounter(keys),
    loadedAt: clock(),
  })
  return readKeysFile(path, use, { warn })
}

/** Returns undefined where there is no file that can be read. */
function statNow(path: string): FileStatus | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

interface FileStatus {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

/** Returns what distinguishes the content of a file from what it was before; undefined where there is no file. */
function identityOf(status: FileStatus | undefined): string | undefined {
  return status && `${status.dev} ${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`
}
