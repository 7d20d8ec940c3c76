/** The largest id that a store assigns: JavaScript clients read it exactly. */
const maxId = 9_007_199_254_740_991n

/** Throws a `TypeError` unless a value can be the id of an animal that is imported with it. */
export function requireImportableId(id: bigint): void {
  if (typeof id !== 'bigint' || id < 1n || id > maxId)
    throw new TypeError(`the id of an imported animal must be a bigint from 1 to ${maxId}, not ${id}`)
}
