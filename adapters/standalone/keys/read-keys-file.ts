import { readFileSync, statSync } from 'node:fs'
import { type KeyRecord, plans } from '../../../core/index.ts'
import { isObject, keyMembers } from '../../../core/internal.ts'
import { explain, StartError } from '../errors.ts'

/** The newest version of keys files that this program knows. A file without a version is not newer. */
const newestVersion = 2

/**
 * Reads the list of a keys file, `{ "keys": [ … ] }`, or what `keys list --json` prints, and passes it to `use`, which
 * validates its members. What a file of a newer version has besides is ignored. Throws `StartError` that names the
 * first invalid place.
 *
 * @param maxMiB - The largest file. 16 MiB are about 100,000 keys: no request is handled while they are read.
 */
export function readKeysFile<T>(path: string, use: (keys: readonly KeyRecord[]) => T, maxMiB = 16): T {
  try {
    const status = statSync(path)
    if (!status.isFile()) throw new Error('it is a directory, a pipe or a device') // which could wait for a writer
    if (status.size > maxMiB * 2 ** 20) throw new Error(`it is larger than ${maxMiB} MiB`)
    return use(keysOf(parseJson(readFileSync(path, 'utf8'))))
  } catch (cause) {
    throw new StartError(`keys file ${path}: ${explain(cause, false)}`)
  }
}

/** Parses a text with or without a byte order mark. Its error quotes nothing of the text, which may have a secret. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new SyntaxError('it is not JSON: a JSON tool, such as jq, shows the line')
  }
}

function keysOf(document: unknown): readonly KeyRecord[] {
  if (Array.isArray(document)) return document.map(withoutLimitsOfPlan)
  if (!isObject(document) || !Array.isArray(document.keys))
    throw new TypeError('must be an object { "keys": [ … ] }')
  const { version, keys, ...others } = document
  if (Number(version) > newestVersion) return document.keys.map(withoutUnknown)
  const [other] = Object.keys(others)
  if (other === undefined) return document.keys
  throw new TypeError(`${JSON.stringify(other)} is not a member of it: only "version" and "keys" are`)
}

/** `keys list --json` prints the limits of each key. A record has those of the plan `enterprise` only. */
function withoutLimitsOfPlan(listed: KeyRecord): KeyRecord {
  if (!isObject(listed)) return listed
  const { limits, ...record } = listed
  const ofPlan = plans[record.plan as keyof typeof plans]
  const areOfPlan = limits?.minute === ofPlan?.minute && limits?.day === ofPlan?.day
  return limits && !areOfPlan ? { ...record, limits } : record
}

function withoutUnknown(key: unknown): KeyRecord {
  const members = Object.entries(key ?? {}).filter(([member]) => Object.hasOwn(keyMembers, member))
  return Object.fromEntries(members) as unknown as KeyRecord // `use` validates it
}
