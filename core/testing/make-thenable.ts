/** Makes all functions in an object return thenables. */
export function makeThenable<T extends object>(parts: T): T {
  // The copy has the same members.
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, wrapPart(part)])) as T
}

function wrapPart(part: unknown): unknown {
  if (typeof part !== 'function') return typeof part === 'object' && part !== null ? makeThenable(part) : part
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
