import { type KeyRecord, sha256 } from '../../../core/index.ts'
import { type IssuedKey, type IssueOptions, type KeyManagement, makeKey } from '../../backend/index.ts'
import type { StoreTask } from '../backends/open-store.ts'
import { formatCount } from '../cli/print.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { NoSettings, Settings } from '../cli/settings.ts'
import { formatCurlCommands } from '../lifecycle/listen-address.ts'
import { type PlanSettings, readNewKey, readPlan, readSelection } from './key-settings.ts'
import { describePlan, formatTable, toKeyJson } from './print-keys.ts'
import { readKeysFile } from './read-keys-file.ts'

/** Largest file that can be imported, in MiB. A storage holds more keys than a keys file. */
const maxImportMiB = 512

type Json = Pick<Settings, 'json'>
type NewKeySettings = Json & Pick<Settings, 'id' | 'expires'>

/**
 * Runs `keygen`: creates a key and prints it with its record for a keys file. Nothing is stored.
 *
 * @throws {UsageError} If a setting is invalid.
 */
export function generateKey(
  settings: PlanSettings & Pick<Settings, 'id'>,
  _operand: string,
  { clock }: ProcessContext,
): string {
  const chosen = { ...readNewKey(settings, clock()), ...readPlan(settings) }
  const key = makeKey()
  return `API key for the caller. It is shown only once and is not stored:

${key}

Record for "keys" in the keys file. The server reads the file when it changes:

${JSON.stringify({ ...chosen, sha256: sha256(key) })}
`
}

/**
 * Runs `keys issue`, which creates a caller's first key.
 *
 * @throws {UsageError} If a setting is invalid.
 */
export function issueKey(
  settings: PlanSettings & NewKeySettings & Pick<Settings, 'label'>,
  _operand: string,
  { clock }: ProcessContext,
): StoreTask {
  const newKey = { ...readNewKey(settings, clock()), ...readPlan(settings) }
  return addKey(settings, (keys, options) => keys.issue(newKey, options))
}

/**
 * Runs `keys rotate`, which issues a new key and lets the older ones expire.
 *
 * @throws {UsageError} If a setting is invalid.
 */
export function rotateKey(
  settings: NewKeySettings & Pick<Settings, 'overlap'>,
  _operand: string,
  { clock }: ProcessContext,
): StoreTask {
  const overlapMs = settings.overlap?.value
  const rotation = { ...readNewKey(settings, clock()), ...(overlapMs !== undefined && { overlapMs }) }
  return addKey(settings, (keys, options) => keys.rotate(rotation, options))
}

/** Prints a new key and then stores it, so that every stored key was printed. */
function addKey(
  settings: Json,
  add: (keys: KeyManagement, options: IssueOptions) => Promise<IssuedKey>,
): StoreTask {
  return async ({ keys }, print) => {
    // The final newline follows once the key is stored. Output without it, for example after a kill, may show a key
    // that is not valid.
    await add(keys, { show: ({ key, record }) => print(formatNewKey(record, key, settings)) })
    return '\n'
  }
}

/** Runs `keys list`. */
export function listKeys(settings: Json, _operand: string, { clock }: ProcessContext): StoreTask {
  return async ({ keys }) => formatKeys(await keys.list(), settings, clock())
}

/**
 * Runs `keys revoke`, which revokes all of a caller's keys, or one key.
 *
 * @throws {UsageError} If a setting is invalid.
 */
export function revokeKeys(
  settings: Json & Pick<Settings, 'id' | 'hash'>,
  _operand: string,
  { clock }: ProcessContext,
): StoreTask {
  const selection = readSelection(settings)
  return async ({ keys }) => {
    const revoked = await keys.revoke(selection)
    if (revoked.length === 0 && !settings.json) return 'nothing to do: already revoked\n'
    return formatKeys(revoked, settings, clock())
  }
}

/**
 * Runs `keys import`: stores all keys from a file, or none. Keys that the storage already has are skipped.
 *
 * @throws {StartError} If a record is invalid. The storage is not opened then.
 */
export async function importKeys(
  _settings: NoSettings,
  path: string,
  { clock }: ProcessContext,
): Promise<StoreTask> {
  const records: KeyRecord[] = []
  await readKeysFile(path, clock, { maxMiB: maxImportMiB, onKey: (key) => records.push(key) })
  return async ({ keys }) => {
    const count = await keys.import(records)
    const known = records.length - count
    const imported = `imported ${formatCount(count, 'key')} from ${path}`
    return known ? `${imported}; ${known} already existed\n` : `${imported}\n`
  }
}

function formatKeys(keys: readonly KeyRecord[], { json }: Json, now: number): string {
  return json ? `${JSON.stringify(keys.map(toKeyJson))}\n` : formatTable(keys, now)
}

/** Formats a new key without the final newline. No other output contains the key. */
function formatNewKey(record: KeyRecord, key: string, { json }: Json): string {
  const { id, plan, sha256, expiresAt } = record
  if (json) return `${JSON.stringify({ id, plan, key, sha256, expiresAt })}`
  const { list, add } = formatCurlCommands(key, '"http://127.0.0.1:8080/v1/pets"')
  return `API key for the caller. It is shown only once, and only its hash is stored:

${key}

${id}: ${describePlan(record)}; ${expiresAt === undefined ? 'it does not expire' : `valid until ${expiresAt}`}.

On a server at the default address, these commands list animals and create one:

  ${list}
  ${add}`
}
