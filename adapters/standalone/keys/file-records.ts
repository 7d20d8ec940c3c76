import {
  createKeyStore,
  type KeyChange,
  type KeyRecord,
  type KeyRecords,
  type KeySelection,
} from '../../../core/index.ts'
import { CommandError } from '../errors.ts'
import { changeFile } from '../replace-file.ts'
import { createKeyCounter } from './open-keys.ts'
import { maxKeysFileBytes, readKeysFile, textOfKeys } from './read-keys-file.ts'

/** Why the system does not let the file be written. */
const systemErrors: Readonly<Record<string, string>> = {
  EACCES: 'no permission to write to its folder',
  EPERM: 'no permission to write to its folder',
  EROFS: 'its file system is read-only: change the file where it is made, such as the secret of a deployment',
  ENOENT: 'its folder does not exist: create it first',
  ENOSPC: 'its disk is full',
}

/**
 * Returns the records of a keys file, which the first change creates. The methods throw `StartError` for an invalid file, and
 * `CommandError` for one that cannot be written. `warn` is told what of a file of a newer version is ignored.
 */
export function createFileRecords(path: string, warn: (message: string) => void = () => {}): KeyRecords {
  const read = (from: string, writes = false) => readKeysFile(from, checked, { warn, writes })

  function list(selection?: KeySelection): readonly KeyRecord[] {
    return selectedKeys(read(path), selection)
  }

  async function update(selection: KeySelection, change: KeyChange): Promise<readonly KeyRecord[]> {
    let stored: readonly KeyRecord[] = []
    try {
      await changeFile(path, (existing) => {
        const keys = existing === undefined ? [] : read(existing, true)
        stored = change(selectedKeys(keys, selection))
        return stored.length === 0 ? undefined : textOf(checked(withChanges(keys, stored)))
      })
    } catch (cause) {
      const problem = systemErrors[(cause as NodeJS.ErrnoException).code ?? ''] // undefined for other errors
      throw problem === undefined ? cause : new CommandError(`keys file ${path}: ${problem}`, { cause })
    }
    return stored
  }

  return { list, update, count: (now) => createKeyCounter(read(path))(now) }
}

function checked(keys: readonly KeyRecord[]): readonly KeyRecord[] {
  createKeyStore(keys)
  return keys
}

/** Replaces keys in their places, and adds new ones at the end. */
function withChanges(keys: readonly KeyRecord[], changed: readonly KeyRecord[]): readonly KeyRecord[] {
  const byHash = new Map(keys.map((key) => [key.sha256, key]))
  for (const key of changed) {
    if ((byHash.get(key.sha256) ?? key).id !== key.id)
      throw new TypeError('the sha256 of a key is that of another caller')
    byHash.set(key.sha256, key)
  }
  return [...byHash.values()]
}

function textOf(keys: readonly KeyRecord[]): string {
  const text = textOfKeys(keys)
  if (Buffer.byteLength(text) > maxKeysFileBytes)
    throw new CommandError(
      `a keys file has at most ${maxKeysFileBytes / 2 ** 20} MiB: remove revoked keys from it, or issue keys in a database`,
    )
  return text
}

/** Returns the selected keys of a list, or all of them, by id and then by time of issue. */
function selectedKeys(keys: readonly KeyRecord[], selection?: KeySelection): readonly KeyRecord[] {
  return keys.filter((key) => isSelected(key, selection)).sort(byIdAndIssue)
}

function isSelected({ id, sha256 }: KeyRecord, selection: KeySelection | undefined): boolean {
  if (!selection) return true
  return 'id' in selection ? id === selection.id : sha256.startsWith(selection.sha256)
}

/** Keys without a time of issue are the oldest, in the order of the list. */
function byIdAndIssue(a: KeyRecord, b: KeyRecord): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1
  return issuedAt(a) - issuedAt(b)
}

function issuedAt({ createdAt }: KeyRecord): number {
  return createdAt === undefined ? 0 : Date.parse(createdAt)
}
