import { createKeyStore, type KeyRecord } from '../../../core/index.ts'
import { type DigestKeyStore, findByDigest } from '../../../core/internal.ts'
import { StartError } from '../errors.ts'
import { parseJsonFile } from './json-file.ts'
import { readSmallFile } from './small-file.ts'

/** The keys of a file that can be read again. */
export interface KeysFile extends DigestKeyStore {
  /** The number of keys. */
  readonly size: number
  /** Reads the file again. Throws `StartError` that names the first invalid place; the keys then stay as they were. */
  reload(): void
}

/** About 100,000 keys: they are parsed synchronously, and no request is handled meanwhile. */
const maxBytes = 16 * 2 ** 20

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; keygen prints the records for one',
  EACCES: 'no permission to read it',
}

/** Reads a keys file, `{ "keys": [ … ] }`. Throws `StartError` that names the first invalid place. */
export function openKeysFile(path: string, clock: () => number): KeysFile {
  let current = load(path, clock)
  return {
    get size() {
      return current.size
    },
    find: (token) => current.store.find(token),
    [findByDigest]: (digest) => current.store[findByDigest](digest),
    reload() {
      current = load(path, clock)
    },
  }
}

function load(path: string, clock: () => number): { store: DigestKeyStore; size: number } {
  try {
    const keys = readKeys(parseJsonFile(readSmallFile(path, maxBytes)))
    return { store: createKeyStore(keys, { clock }), size: keys.length }
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException // all that is thrown above is an Error
    throw new StartError(`keys file ${path}: ${systemErrors[code] ?? message}`)
  }
}

/** Returns the list of a document. `createKeyStore` validates its entries. */
function readKeys(document: unknown): readonly KeyRecord[] {
  if (typeof document !== 'object' || document === null || Array.isArray(document) || !('keys' in document)) {
    throw new TypeError('must be an object { "keys": [ … ] }')
  }
  const other = Object.keys(document).find((member) => member !== 'keys')
  if (other !== undefined) {
    throw new TypeError(`${JSON.stringify(other)} is not a member of it: only "keys" is`)
  }
  if (!Array.isArray(document.keys)) throw new TypeError('keys must be an array')
  return document.keys
}
