import { readFileSync } from 'node:fs'
import { createKeyStore, type KeyStore } from '../../core/index.ts'
import { StartError } from './failures.ts'
import { parseJsonFile } from './json-file.ts'

/** The keys of a file, which can be read again. */
export interface KeysFile extends KeyStore {
  /** How many keys there are. */
  readonly size: number
  /** Reads the file again. Throws `StartError` that names the place of a fault, and keeps the keys as they were. */
  reload(): void
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; keygen prints the records for one',
  EACCES: 'no permission to read it',
  EISDIR: 'it is a directory',
}

/** Reads a keys file, `{ "keys": [ … ] }`. Throws `StartError` that names the place of the first fault. */
export function openKeysFile(path: string, clock: () => number): KeysFile {
  let current = load(path, clock)
  return {
    get size() {
      return current.size
    },
    find: (token) => current.store.find(token),
    reload() {
      current = load(path, clock)
    },
  }
}

function load(path: string, clock: () => number): { store: KeyStore; size: number } {
  try {
    const keys = readKeys(parseJsonFile(readFileSync(path, 'utf8')))
    return {
      store: createKeyStore(keys as Parameters<typeof createKeyStore>[0], { clock }),
      size: keys.length,
    } // createKeyStore checks every record
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException // all that is thrown above is an Error
    throw new StartError(`keys file ${path}: ${systemErrors[code] ?? message}`)
  }
}

function readKeys(document: unknown): readonly unknown[] {
  if (typeof document !== 'object' || document === null || !('keys' in document)) {
    throw new TypeError('must be an object { "keys": [ … ] }')
  }
  const unknown = Object.keys(document).find((member) => member !== 'keys')
  if (unknown !== undefined)
    throw new TypeError(`${JSON.stringify(unknown)} is not a member of it: only "keys" is`)
  if (!Array.isArray(document.keys)) throw new TypeError('keys must be an array')
  return document.keys
}
