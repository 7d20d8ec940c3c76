import { type KeyRecord, sha256 } from '../../../core/index.ts'
import { createKeyIndex, type KeyIndex } from '../../../core/internal.ts'
import type { KeyChange } from '../../sql/key-records.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { NoSettings, Settings } from '../cli/settings.ts'
import { formatCurlLines } from '../lifecycle/listen-address.ts'
import type { Work } from '../storage/open-storage.ts'
import { issueKey, joiningKeys, type NewKey, revokeKeys, rotateKeys } from './changes.ts'
import { makeKey } from './key.ts'
import { type PlanSettings, readNewKey, readPlan, readSelection } from './key-settings.ts'
import { describedKey, describePlan, formatTable } from './print-keys.ts'
import { readKeysFile } from './read-keys-file.ts'

/** The largest file that is imported: more than a server reads, since a storage has more keys than a file. */
const maxImportMiB = 512

type Json = Pick<Settings, 'json'>
type NewKeySettings = Json & Pick<Settings, 'id' | 'expires'>

/** Makes a key, and shows it once with its record for a keys file. Throws `UsageError`. */
export function keygen(
  settings: PlanSettings & Pick<Settings, 'id'>,
  _operand: string,
  { clock }: ProcessContext,
): string {
  const chosen = { ...readNewKey(settings, clock()), ...readPlan(settings) }
  const key = makeKey()
  return `The key, for its caller. It is shown once and stored nowhere:

${key}

The record, for the list "keys" of the keys file, which the server reads when it changes:

${JSON.stringify({ ...chosen, sha256: sha256(key) })}
`
}

/** Issues the first key of a caller. Throws `UsageError`. */
export function issue(
  settings: PlanSettings & NewKeySettings & Pick<Settings, 'label'>,
  _operand: string,
  { clock }: ProcessContext,
): Work {
  const now = clock()
  return addKey(settings, now, (key) => issueKey({ ...key, ...readPlan(settings) }, now))
}

/** Issues another key of a caller, and ends the older ones. Throws `UsageError`. */
export function rotate(
  settings: NewKeySettings & Pick<Settings, 'overlap'>,
  _operand: string,
  { clock }: ProcessContext,
): Work {
  const now = clock()
  return addKey(settings, now, (key) => rotateKeys(key, settings.overlap?.value, now))
}

/**
 * Makes a key, prints it, and then stores it by a change, so that every stored key was printed. Throws `UsageError`.
 */
function addKey(
  settings: NewKeySettings & Pick<Settings, 'label'>,
  now: number,
  changeFor: (key: NewKey) => KeyChange,
): Work {
  const key = makeKey()
  const record = { ...readNewKey(settings, now), sha256: sha256(key) }
  const change = changeFor(record)
  const { id } = record
  return async ({ records }, print) => {
    let added: KeyRecord | undefined
    // An empty change, to check the real one: an error is thrown before anything is printed.
    await records.update({ id }, (keys) => {
      added = change(keys).at(-1)
      return []
    })
    if (!added) throw new Error('the change returned no key')
    // The line ends once the key is stored: without its end, as after a kill, the key may be invalid.
    await print(shownOnce(added, key, settings))
    await records.update({ id }, change)
    return '\n'
  }
}

/** Lists all keys. */
export function list(settings: Json, _operand: string, { clock }: ProcessContext): Work {
  return async ({ records }) => listed(await records.list(), settings, clock())
}

/** Revokes the keys of a caller, or one key. Throws `UsageError`. */
export function revoke(
  settings: Json & Pick<Settings, 'id' | 'hash'>,
  _operand: string,
  { clock }: ProcessContext,
): Work {
  const now = clock()
  const selection = readSelection(settings)
  return async ({ records }) => {
    const revoked = await records.update(selection, revokeKeys(selection, now))
    if (revoked.length === 0 && !settings.json) return 'nothing to do: already revoked\n'
    return listed(revoked, settings, now)
  }
}

/**
 * Adds the keys of a file to a storage, all or none. Rejects with `StartError`, which names the first invalid record,
 * before the storage is opened.
 */
export async function importKeys(
  _settings: NoSettings,
  path: string,
  { clock }: ProcessContext,
): Promise<Work> {
  const keys: KeyRecord[] = []
  const index: KeyIndex = createKeyIndex(clock)
  await readKeysFile(
    path,
    (key) => {
      index.add(key)
      keys.push(key)
    },
    maxImportMiB,
  )
  return async ({ records }) => {
    const { length } = await records.update({ sha256: '' }, joiningKeys(keys)) // every key has this beginning
    const known = keys.length - length
    const imported = `imported ${length} ${length === 1 ? 'key' : 'keys'} from ${path}`
    return known ? `${imported}; ${known} were there already\n` : `${imported}\n`
  }
}

function listed(keys: readonly KeyRecord[], { json }: Json, now: number): string {
  return json ? `${JSON.stringify(keys.map(describedKey))}\n` : formatTable(keys, now)
}

/** Returns the output that has a new key, without the end of its last line. The key is in no other place. */
function shownOnce(record: KeyRecord, key: string, { json }: Json): string {
  const { id, plan, sha256, expiresAt } = record
  if (json) return `${JSON.stringify({ id, plan, key, sha256, expiresAt })}`
  const { list, add } = formatCurlLines(key, '"http://127.0.0.1:8080/v1/pets"')
  return `The key, for its caller. It is shown once; only its hash is stored:

${key}

${id}: ${describePlan(record)}; ${expiresAt === undefined ? 'it does not expire' : `valid until ${expiresAt}`}.

On a server at the default address, these lines list the animals and add one:

  ${list}
  ${add}`
}
