import type { KeyRecord } from '../../../core/index.ts'
import { StartError } from '../errors.ts'
import { parseJsonFile } from './json-file.ts'
import { readSmallFile } from './small-file.ts'

/** The bound of a keys file. About 100,000 keys: they are parsed synchronously, and no request is handled meanwhile. */
export const maxKeysFileBytes: number = 16 * 2 ** 20

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; keys issue creates it',
  EACCES: 'no permission to read it',
}

/**
 * Reads the list of a keys file, `{ "keys": [ … ] }`, and hands it to `use`, which checks its members. Throws `StartError`
 * that names the first invalid place.
 */
export function readKeysFile<T>(path: string, use: (keys: readonly KeyRecord[]) => T): T {
  try {
    return use(keysOf(parseJsonFile(readSmallFile(path, maxKeysFileBytes))))
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException // all that is thrown above is an Error
    throw new StartError(`keys file ${path}: ${systemErrors[code] ?? message}`)
  }
}

/** Returns the list of a document. */
function keysOf(document: unknown): readonly KeyRecord[] {
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
