import type { KeyRecord, KeyRecords } from '../../../core/index.ts'
import { sha256 } from '../../../core/index.ts'
import type { CommandName } from '../cli/commands.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { UsageError, withOpen } from '../errors.ts'
import { curlLines } from '../lifecycle/listen-address.ts'
import { lastingStorage } from '../storage/storage.ts'
import { readStorage } from '../storage/storage-settings.ts'
import { issueKey, revokeKeys, rotateKeys } from './changes.ts'
import { makeKey, recordOf } from './key.ts'
import { readIssue, readNewKey, readOverlap, readPlan, readSelection } from './key-settings.ts'
import { describedKey, planText, tableOf } from './print-keys.ts'

export type KeyCommand = Exclude<Extract<CommandName, `keys ${string}`>, 'keys import'>

/** Makes a key, and prints it once with its record for a keys file. Throws `UsageError`. */
export function keygen(settings: Settings, { stdout }: Pick<ProcessContext, 'stdout'>): void {
  const { id } = settings
  if (!id) throw new UsageError('--id is missing: give --id NAME, which names the caller of the key')
  const plan = readPlan(settings)
  const key = makeKey()
  stdout.write(`The key, for its caller. It is shown once and stored nowhere:

${key}

The record, for the list "keys" of the keys file, which the server reads when it changes:

${JSON.stringify(recordOf(id.value, key, plan))}
`)
}

/** What a command does with the records. It returns its output. */
type Work = (records: KeyRecords) => Promise<string>

/** Validates the settings of a command and returns its work. Throws `UsageError`. */
type Prepare = (settings: Settings, now: number) => Work

const preparations: Readonly<Record<KeyCommand, Prepare>> = {
  'keys issue': prepareIssue,
  'keys list': prepareList,
  'keys rotate': prepareRotate,
  'keys revoke': prepareRevoke,
}

/**
 * Runs a command on the keys of a storage. Resolves with the exit code 0. Rejects with `UsageError`, or with
 * `StartError` or `CommandError` where the keys cannot be read or changed: then they are as they were.
 */
export async function runKeyCommand(
  command: KeyCommand,
  settings: Settings,
  context: ProcessContext,
): Promise<number> {
  const storage = lastingStorage(readStorage(settings), command)
  const work = preparations[command](settings, context.clock())
  const options = { ...context, creates: command === 'keys issue' }
  const output = await withOpen(
    () => storage.openForCommand(options),
    ({ records }) => work(records),
    `${command}: `,
  )
  context.stdout.write(output)
  return 0
}

function prepareIssue(settings: Settings, now: number): Work {
  const chosen = readIssue(settings, now)
  const key = makeKey()
  return async (records) => {
    const change = issueKey({ ...chosen, sha256: sha256(key) }, now)
    const [issued] = await records.update({ id: chosen.id }, change)
    return shownOnce(issued, key, settings)
  }
}

function prepareRotate(settings: Settings, now: number): Work {
  const chosen = readNewKey(settings, now)
  const overlapMs = readOverlap(settings)
  const key = makeKey()
  return async (records) => {
    const change = rotateKeys({ ...chosen, sha256: sha256(key) }, overlapMs, now)
    const changed = await records.update({ id: chosen.id }, change)
    return shownOnce(changed.at(-1), key, settings)
  }
}

function prepareList({ json }: Settings, now: number): Work {
  return async (records) => {
    const keys = await records.list()
    return json ? `${JSON.stringify(keys.map(describedKey))}\n` : tableOf(keys, now)
  }
}

function prepareRevoke(settings: Settings, now: number): Work {
  const selection = readSelection(settings)
  return async (records) => {
    const revoked = await records.update(selection, revokeKeys(selection, now))
    if (settings.json) return `${JSON.stringify(revoked.map(describedKey))}\n`
    return revoked.length === 0 ? 'nothing to do: already revoked\n' : tableOf(revoked, now)
  }
}

/** Returns the output that has a new key. The key is in no other place. */
function shownOnce(record: KeyRecord | undefined, key: string, { json }: Settings): string {
  if (!record) throw new Error('the change has returned no key')
  const { id, plan, sha256, expiresAt } = record
  const { list, add } = curlLines(key, '"http://127.0.0.1:8080/v1/pets"')
  if (json) return `${JSON.stringify({ id, plan, key, sha256, expiresAt })}\n`
  return `The key, for its caller. It is shown once; only its hash is stored:

${key}

${id}: ${planText(record)}; ${expiresAt === undefined ? 'it does not expire' : `valid until ${expiresAt}`}.

On a server at the default address, these lines list the animals and add one:

  ${list}
  ${add}
`
}
