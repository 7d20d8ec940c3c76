/** Returns the same parts, whose methods return the minimum of a promise: an object whose `then` returns nothing. */
export function membersLate<T extends object>(parts: T): T {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, late(part)])) as T // only later
}

function late(part: unknown): unknown {
  if (typeof part !== 'function') return typeof part === 'object' && part !== null ? membersLate(part) : part
  return (...call: unknown[]) => {
    const then = (resolve: (value: unknown) => void, reject: (cause: unknown) => void) => {
      try {
        resolve(part(...call))
      } catch (cause) {
        reject(cause)
      }
    }
    return { then }
  }
}
