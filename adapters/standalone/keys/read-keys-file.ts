import { readFile, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { type KeyRecord, plans } from '../../../core/index.ts'
import { isObject, keyRules } from '../../../core/internal.ts'
import { explain, StartError } from '../errors.ts'
import { createKeyList, type KeyList } from './key-list.ts'

/** Latest file format version that this program knows. A file without a version is not newer. */
const latestFormatVersion = 2

/** Keys added per event loop turn. */
const keysPerTurn = 500

/** Options for {@link readKeysFile}. */
export interface KeysFileOptions {
  /**
   * Maximum file size in MiB, 16 by default: about 100,000 keys. The JSON is parsed in one turn of the event
   * loop.
   */
  readonly maxMiB?: number
  /** Called with each valid key. */
  readonly onKey?: (key: KeyRecord) => void
}

/**
 * Reads a keys file, `{ "keys": [ … ] }`, or what `keys list --json` prints. The server handles requests in the
 * meantime. Unknown members are ignored if the file has a later version.
 *
 * @throws {StartError} If the file is invalid or too large. The message names the first invalid place.
 */
export async function readKeysFile(
  path: string,
  clock: () => number,
  { maxMiB = 16, onKey }: KeysFileOptions = {},
): Promise<KeyList> {
  const list: KeyList = createKeyList(clock)
  try {
    const status = await stat(path)
    if (!status.isFile()) throw new Error('it is a directory, a pipe or a device') // opening a pipe could wait for a writer
    if (status.size > maxMiB * 2 ** 20) throw new Error(`it is larger than ${maxMiB} MiB`)
    const { keys, toRecord } = findKeys(parseKeysJson(await readFile(path, 'utf8')))
    for (const [i, key] of keys.entries()) {
      if (i % keysPerTurn === 0) await setImmediate()
      const record = toRecord(key)
      list.add(record)
      onKey?.(record)
    }
    return list
  } catch (cause) {
    throw new StartError(`keys file ${path}: ${explain(cause, false)}`)
  }
}

/** Parses JSON with or without a byte order mark. The error quotes no text, because a file may contain secrets. */
function parseKeysJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new SyntaxError('not JSON: a tool such as jq shows the line')
  }
}

/** Finds the keys in a parsed file. `toRecord` returns a key's record, which is not validated yet. */
function findKeys(document: unknown): {
  keys: readonly KeyRecord[]
  toRecord: (key: KeyRecord) => KeyRecord
} {
  if (Array.isArray(document)) return { keys: document, toRecord: removePlanLimits }
  if (!isObject(document) || !Array.isArray(document.keys))
    throw new TypeError('must be an object { "keys": [ … ] }')
  const { version, keys, ...others } = document
  if (Number(version) > latestFormatVersion) return { keys: document.keys, toRecord: removeUnknownMembers }
  const [other] = Object.keys(others)
  if (other === undefined) return { keys: document.keys, toRecord: (key) => key }
  throw new TypeError(`unknown member ${JSON.stringify(other)}; expected one of version, keys`)
}

/** Removes limits that `keys list --json` added. Only enterprise records may have limits. */
function removePlanLimits(listed: KeyRecord): KeyRecord {
  if (!isObject(listed)) return listed
  const { limits, ...record } = listed
  const planLimits = plans[record.plan as keyof typeof plans]
  const isPlanDefault = limits?.minute === planLimits?.minute && limits?.day === planLimits?.day
  return limits && !isPlanDefault ? { ...record, limits } : record
}

function removeUnknownMembers(key: unknown): KeyRecord {
  const members = Object.entries(key ?? {}).filter(([member]) => Object.hasOwn(keyRules, member))
  return Object.fromEntries(members) as unknown as KeyRecord // validated later
}
