/** Freezes a table of facts and everything in it, and returns it: a caller of the package cannot change it. */
export function deepFreeze<T extends object>(table: T): T {
  for (const value of Object.values(table)) if (typeof value === 'object' && value !== null) deepFreeze(value)
  return Object.freeze(table)
}
