import type { KeyRecord, KeySelection } from '../../../core/index.ts'

/** Returns the selected keys of a list, or all of them, by id and then by time of issue. */
export function selectedKeys(keys: readonly KeyRecord[], selection?: KeySelection): readonly KeyRecord[] {
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
