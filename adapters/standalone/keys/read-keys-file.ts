import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { type KeyRecord, plans } from '../../../core/index.ts'
import { StartError } from '../errors.ts'

/** The bound of a keys file. About 100,000 keys: they are parsed synchronously, and no request is handled meanwhile. */
const maxKeysFileBytes: number = 16 * 2 ** 20

/** The newest version of keys files that this program knows. A file without a version is not newer. */
const newestVersion = 2

const keyMembers = ['id', 'sha256', 'plan', 'limits', 'label', 'createdAt', 'expiresAt', 'revokedAt']

/** 0 where the system has no such flag (Windows), on which opening never waits. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'no permission to read it',
}

/**
 * Reads the list of a keys file, `{ "keys": [ … ] }`, and passes it to `use`, which validates its members. What a file of a
 * newer version has besides is ignored. Throws `StartError` that names the first invalid place.
 */
export function readKeysFile<T>(path: string, use: (keys: readonly KeyRecord[]) => T): T {
  return readFrom(path, maxKeysFileBytes, (document) => use(keysOf(document)))
}

/** The bound of a file that is imported: more than a server reads, since a storage has more keys than a file. */
const maxImportBytes = 512 * 2 ** 20

/** Reads what `keys list --json` prints, or a keys file, as `readKeysFile` does. */
export function readImport<T>(path: string, use: (keys: readonly KeyRecord[]) => T): T {
  return readFrom(path, maxImportBytes, (document) =>
    use(Array.isArray(document) ? document.map(withoutLimitsOfPlan) : keysOf(document)),
  )
}

/** `keys list --json` prints the limits of each key. A record has those of the plan `enterprise` only. */
function withoutLimitsOfPlan(listed: KeyRecord): KeyRecord {
  if (!isObject(listed)) return listed
  const { limits, ...record } = listed
  const ofPlan = plans[record.plan as keyof typeof plans]
  const areOfPlan = limits?.minute === ofPlan?.minute && limits?.day === ofPlan?.day
  return limits && !areOfPlan ? { ...record, limits } : record
}

function readFrom<T>(path: string, maxBytes: number, use: (document: unknown) => T): T {
  try {
    return use(parseJsonFile(readSmallFile(path, maxBytes)))
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException // all that is thrown above is an Error
    throw new StartError(`keys file ${path}: ${systemErrors[code] ?? message}`)
  }
}

function keysOf(document: unknown): readonly KeyRecord[] {
  if (!isObject(document) || !('keys' in document)) throw new TypeError('must be an object { "keys": [ … ] }')
  const { version = newestVersion, keys, ...others } = document
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new TypeError('version must be a whole number from 1')
  const [other] = Object.keys(others)
  if (other !== undefined && version <= newestVersion)
    throw new TypeError(`${JSON.stringify(other)} is not a member of it: only "version" and "keys" are`)
  if (!Array.isArray(keys)) throw new TypeError('keys must be an array')
  return version <= newestVersion ? keys : keys.map(withoutUnknown)
}

function withoutUnknown(key: unknown): KeyRecord {
  const members = Object.entries(key ?? {}).filter(([member]) => keyMembers.includes(member))
  return Object.fromEntries(members) as unknown as KeyRecord // `use` validates it
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
