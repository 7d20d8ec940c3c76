import { createKeyStore, type KeyChange, type KeyRecord } from '../../../core/index.ts'
import type { CommandContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { CommandError, explain, withOpen } from '../errors.ts'
import { lastingStorage } from '../storage/storage.ts'
import { readStorage } from '../storage/storage-settings.ts'
import { isNotRevoked } from './changes.ts'
import { readImport } from './read-keys-file.ts'

/** All keys of a storage. */
const all = { sha256: '' }
/** How many bad records a message has. */
const maxProblems = 20

/**
 * Adds the keys of a file to a storage, all of them or none. Resolves with the exit code 0. Rejects with `UsageError`,
 * `StartError` or `CommandError`, which names each bad record.
 */
export async function importKeys(path: string, settings: Settings, context: CommandContext): Promise<number> {
  const storage = lastingStorage(readStorage(settings), 'keys import')
  const keys = readImport(path)
  const open = () => storage.openForCommand({ ...context, creates: true })
  const stored = await withOpen(open, ({ records }) => records.update(all, joiningKeys(keys)))
  const known = keys.length - stored.length
  context.stdout.write(
    `imported ${keyCount(stored.length)} from ${path}${known ? `; ${known} were there already` : ''}\n`,
  )
  return 0
}

/**
 * Returns the change that adds keys to those of a storage. A key that is there stays as it is, unless the new record revokes it.
 * It throws `CommandError` that names each record which is invalid, or whose caller has another plan or other limits.
 */
export function joiningKeys(added: readonly KeyRecord[]): KeyChange {
  return (stored) => {
    const inStorage = new Map(stored.map((key) => [key.sha256, key]))
    const inFile = new Map<string, number>()
    const callers = new Map(stored.filter(isNotRevoked).map((key) => [key.id, key]))
    const problems: string[] = []
    const changed: KeyRecord[] = []
    for (const [i, key] of added.entries()) {
      const existing = inStorage.get(key?.sha256)
      const problem =
        invalidity(key) ?? repetition(inFile.get(key.sha256)) ?? conflict(key, existing, callers.get(key.id))
      if (problem !== undefined) {
        problems.push(`keys[${i}]${problem}`)
        continue
      }
      inFile.set(key.sha256, i)
      if (!existing) changed.push(key)
      else if (key.revokedAt && !existing.revokedAt) changed.push({ ...existing, revokedAt: key.revokedAt })
      if (!existing && isNotRevoked(key)) callers.set(key.id, key)
    }
    if (problems.length > 0) throw new CommandError(`no key was imported:\n${listed(problems)}`)
    return changed
  }
}

/** Returns what is wrong about a record of a file, after its place. */
function invalidity(key: KeyRecord): string | undefined {
  try {
    createKeyStore([key])
    return undefined
  } catch (cause) {
    return explain(cause, false).replace('keys[0]', '')
  }
}

function repetition(place: number | undefined): string | undefined {
  return place === undefined ? undefined : `.sha256 is that of keys[${place}]`
}

function conflict(
  key: KeyRecord,
  existing: KeyRecord | undefined,
  caller: KeyRecord | undefined,
): string | undefined {
  if (existing && existing.id !== key.id) return '.sha256 is that of another id of the storage'
  if (!caller || !isNotRevoked(key) || planOf(key) === planOf(caller)) return undefined
  return `.id is ${JSON.stringify(key.id)}, which has another plan or other limits in the storage or before it in the file`
}

function planOf({ plan, limits }: KeyRecord): string {
  return JSON.stringify([plan, limits?.minute, limits?.day])
}

function listed(problems: readonly string[]): string {
  const more = problems.length - maxProblems
  return [...problems.slice(0, maxProblems), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}

function keyCount(count: number): string {
  return count === 1 ? '1 key' : `${count} keys`
}
