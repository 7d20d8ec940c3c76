import { createKeyStore, type KeyChange, type KeyRecord } from '../../../core/index.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { CommandError, withOpen } from '../errors.ts'
import { lastingStorage } from '../storage/storage.ts'
import { readStorage } from '../storage/storage-settings.ts'
import { isNotRevoked } from './changes.ts'
import { readImport } from './read-keys-file.ts'

/** All keys of a storage. */
const all = { sha256: '' }

/**
 * Adds the keys of a file to a storage, all of them or none. Resolves with the exit code 0. Rejects with `UsageError`,
 * `StartError` or `CommandError`, which names the first bad record.
 */
export async function importKeys(path: string, settings: Settings, context: ProcessContext): Promise<number> {
  const storage = lastingStorage(readStorage(settings), 'keys import')
  const keys = readImport(path, (records) => {
    createKeyStore(records)
    return records
  })
  const open = () => storage.openForCommand({ ...context, creates: true })
  const stored = await withOpen(open, ({ records }) => records.update(all, joiningKeys(keys)), `${path}: `)
  const known = keys.length - stored.length
  const count = stored.length === 1 ? '1 key' : `${stored.length} keys`
  context.stdout.write(`imported ${count} from ${path}${known ? `; ${known} were there already` : ''}\n`)
  return 0
}

/**
 * Returns the change that adds keys to those of a storage. A key that is there stays as it is, unless the new record revokes it.
 * It throws `CommandError` that names the first record whose hash another id has, or whose caller has another plan or other limits.
 */
export function joiningKeys(added: readonly KeyRecord[]): KeyChange {
  return (stored) => {
    const byHash = new Map(stored.map((key) => [key.sha256, key]))
    const byId = new Map(stored.filter(isNotRevoked).map((key) => [key.id, key]))
    return added.flatMap((key, i) => {
      const existing = byHash.get(key.sha256)
      const sameId = byId.get(key.id)
      if (existing && existing.id !== key.id)
        throw new CommandError(`keys[${i}].sha256 is that of another id of the storage`)
      if (sameId && isNotRevoked(key) && planOf(key) !== planOf(sameId))
        throw new CommandError(`keys[${i}].id has another plan or other limits in the storage`)
      if (!existing) return [key]
      return key.revokedAt && !existing.revokedAt ? [{ ...existing, revokedAt: key.revokedAt }] : []
    })
  }
}

function planOf({ plan, limits }: KeyRecord): string {
  return JSON.stringify([plan, limits?.minute, limits?.day])
}
