import { readFile, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { type KeyRecord, plans } from '../../../core/index.ts'
import { isObject, keyMembers } from '../../../core/internal.ts'
import { explain, StartError } from '../errors.ts'

/** The newest version of keys files that this program knows. A file without a version is not newer. */
const newestVersion = 2

/** Number of keys that are added in one turn of the event loop. */
const keysPerTurn = 500

/**
 * Reads a keys file, `{ "keys": [ … ] }`, or the output of `keys list --json`, and passes each key to `add`, which
 * validates it. Requests are handled in between. Unknown members are ignored if the file has a newer version. Rejects
 * with `StartError` that names the first invalid place.
 *
 * @param maxMiB - The largest file. 16 MiB are about 100,000 keys. Their JSON is parsed in one turn of the event loop.
 */
export async function readKeysFile(path: string, add: (key: KeyRecord) => void, maxMiB = 16): Promise<void> {
  try {
    const status = await stat(path)
    if (!status.isFile()) throw new Error('it is a directory, a pipe or a device') // which could wait for a writer
    if (status.size > maxMiB * 2 ** 20) throw new Error(`it is larger than ${maxMiB} MiB`)
    const { keys, toRecord } = findKeys(parseKeysJson(await readFile(path, 'utf8')))
    for (const [i, key] of keys.entries()) {
      if (i % keysPerTurn === 0) await setImmediate()
      add(toRecord(key))
    }
  } catch (cause) {
    throw new StartError(`keys file ${path}: ${explain(cause, false)}`)
  }
}

/** Parses a text with or without a byte order mark. Its error quotes nothing of the text, which may have a secret. */
function parseKeysJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new SyntaxError('it is not JSON: a JSON tool, such as jq, shows the line')
  }
}

/** Finds the keys of a parsed file. `toRecord` returns the record of one of them, which has not been validated. */
function findKeys(document: unknown): {
  keys: readonly KeyRecord[]
  toRecord: (key: KeyRecord) => KeyRecord
} {
  if (Array.isArray(document)) return { keys: document, toRecord: removePlanLimits }
  if (!isObject(document) || !Array.isArray(document.keys))
    throw new TypeError('must be an object { "keys": [ … ] }')
  const { version, keys, ...others } = document
  if (Number(version) > newestVersion) return { keys: document.keys, toRecord: removeUnknown }
  const [other] = Object.keys(others)
  if (other === undefined) return { keys: document.keys, toRecord: (key) => key }
  throw new TypeError(`${JSON.stringify(other)} is not a member of it: only "version" and "keys" are`)
}

/** Removes limits that `keys list --json` has added: a record has limits only with the plan `enterprise`. */
function removePlanLimits(listed: KeyRecord): KeyRecord {
  if (!isObject(listed)) return listed
  const { limits, ...record } = listed
  const ofPlan = plans[record.plan as keyof typeof plans]
  const areOfPlan = limits?.minute === ofPlan?.minute && limits?.day === ofPlan?.day
  return limits && !areOfPlan ? { ...record, limits } : record
}

function removeUnknown(key: unknown): KeyRecord {
  const members = Object.entries(key ?? {}).filter(([member]) => Object.hasOwn(keyMembers, member))
  return Object.fromEntries(members) as unknown as KeyRecord // it is validated later
}
