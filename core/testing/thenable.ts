import { attempt } from '../base/maybe-promise.ts'

/** Returns the minimum of a promise that a part may return: an object whose `then` returns nothing. */
export function thenable<T>(
  then: (resolve: (value: T) => void, reject: (cause: unknown) => void) => void,
): Promise<T> {
  return { then } as unknown as Promise<T> // the members that it lacks are the point
}

/** Returns the same parts with methods that return the minimum of a promise. */
export function membersLate<T extends object>(parts: T): T {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, late(part)])) as T // only later
}

function late(part: unknown): unknown {
  if (typeof part === 'function')
    return (...call: unknown[]) =>
      thenable((resolve, reject) => attempt(() => resolve(part(...call)), reject))
  return typeof part === 'object' && part !== null ? membersLate(part) : part
}
