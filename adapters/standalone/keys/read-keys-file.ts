import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import type { KeyRecord } from '../../../core/index.ts'
import { StartError } from '../errors.ts'

/** The bound of a keys file. About 100,000 keys: they are parsed synchronously, and no request is handled meanwhile. */
export const maxKeysFileBytes: number = 16 * 2 ** 20

/** The members of a key by the version of the file that has introduced them. A file without a version has version 1. */
const membersOfVersion: readonly (readonly string[])[] = [
  ['id', 'sha256', 'plan', 'limits', 'expiresAt'],
  ['label', 'createdAt', 'revokedAt'],
]

/** The newest version of keys files that this program knows, and writes. */
const newestVersion = membersOfVersion.length

/** 0 where the system has no such flag (Windows), on which opening never waits. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; keys issue creates it',
  EACCES: 'no permission to read it',
}

/** How a keys file is read. */
export interface ReadOptions {
  /** Called with the places in a file of a newer version that this program ignores. */
  readonly warn: (message: string) => void
  /** Whether the file will be written, which one of a newer version must not be. */
  readonly writes?: boolean
  readonly maxBytes?: number
}

/**
 * Reads the list of a keys file, `{ "version": 2, "keys": [ … ] }`, and hands it to `use`, which checks its members. Throws
 * `StartError` that names the first invalid place.
 */
export function readKeysFile<T>(
  path: string,
  use: (keys: readonly KeyRecord[]) => T,
  { warn, writes = false, maxBytes = maxKeysFileBytes }: ReadOptions,
): T {
  try {
    const { version, keys, unknown } = documentOf(parseJsonFile(readSmallFile(path, maxBytes)))
    if (version <= newestVersion) return use(keys as readonly KeyRecord[]) // use checks them
    if (writes)
      throw new TypeError(
        `it has version ${version}, and this program writes ${newestVersion}: change it with the program that wrote it`,
      )
    const ignored = [...unknown]
    const known = keys.map((key, i) => withoutUnknown(key, `keys[${i}]`, ignored) as KeyRecord) // likewise
    if (ignored.length > 0) warn(`keys file ${path} has version ${version}: ${listOf(ignored)} ignored`)
    return use(known)
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException // all that is thrown above is an Error
    throw new StartError(`keys file ${path}: ${systemErrors[code] ?? message}`)
  }
}

/** Returns the text of a keys file, with the lowest version that its members need. */
export function textOfKeys(keys: readonly KeyRecord[]): string {
  const used = new Set(keys.flatMap((key) => Object.keys(key)))
  const version = membersOfVersion.findLastIndex((members) => members.some((member) => used.has(member))) + 1
  return `${JSON.stringify({ ...(version > 1 && { version }), keys }, null, 2)}\n`
}

interface KeysDocument {
  readonly version: number
  readonly keys: readonly unknown[]
  /** Its other members, which only a newer version has. */
  readonly unknown: readonly string[]
}

function documentOf(document: unknown): KeysDocument {
  if (!isObject(document) || !('keys' in document)) throw new TypeError('must be an object { "keys": [ … ] }')
  const { version = 1, keys, ...others } = document
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new TypeError('version must be a whole number from 1')
  const unknown = Object.keys(others)
  const [other] = unknown
  if (other !== undefined && version <= newestVersion)
    throw new TypeError(`${JSON.stringify(other)} is not a member of it: only "version" and "keys" are`)
  if (!Array.isArray(keys)) throw new TypeError('keys must be an array')
  return { version, keys, unknown }
}

/** Returns a key without the members that this program does not know, whose places it adds to a list. */
function withoutUnknown(key: unknown, place: string, ignored: string[]): unknown {
  if (!isObject(key)) return key
  const known = membersOfVersion.flat()
  return Object.fromEntries(
    Object.entries(key).filter(([member]) => {
      if (known.includes(member)) return true
      ignored.push(`${place}.${member}`)
      return false
    }),
  )
}

/** Returns the beginning of a list in words, with its verb. */
function listOf(places: readonly string[]): string {
  const [first = '', ...others] = places
  return others.length === 0 ? `${first} is` : `${first} and ${others.length} more are`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads a file of at most `maxBytes` as UTF-8, and never waits for a writer. Throws an `Error` where the file is larger,
 * a directory, a pipe or a device, or the error of the system.
 */
function readSmallFile(path: string, maxBytes: number): string {
  const file = openSync(path, constants.O_RDONLY | withoutWaiting)
  try {
    const status = fstatSync(file)
    if (status.isDirectory()) throw new Error('it is a directory')
    if (!status.isFile()) throw new Error('it is a pipe or a device, not a file')
    if (status.size > maxBytes) throw new Error(`it is larger than ${maxBytes / 2 ** 20} MiB`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/**
 * Parses the text of a JSON file, with or without a byte order mark. Throws a `SyntaxError` that names the first line
 * that is not JSON. The message contains nothing of the text, which may have a secret.
 */
function parseJsonFile(text: string): unknown {
  const bare = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(bare)
  } catch {
    throw new SyntaxError(
      isUnfinished(bare) ? 'it ends before its JSON does' : `line ${firstBadLine(bare)} is not JSON`,
    )
  }
}

/** Returns the number of the first line after which no further text can complete the JSON. */
function firstBadLine(text: string): number {
  const ends = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) ends.push(end + 1)
  let [good, bad] = [0, ends.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUnfinished(text.slice(0, ends[middle]))) good = middle
    else bad = middle
  }
  return bad
}

/** Whether more text can complete a text to JSON: the engine finds the error at its end. */
function isUnfinished(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? []
    return position === undefined ? /end of JSON input/.test(String(error)) : Number(position) >= text.length
  }
}
