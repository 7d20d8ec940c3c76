/** Freezes an object and all objects in it, and returns it. */
export function deepFreeze<T extends object>(table: T): T {
  for (const value of Object.values(table)) if (typeof value === 'object' && value !== null) deepFreeze(value)
  return Object.freeze(table)
}
