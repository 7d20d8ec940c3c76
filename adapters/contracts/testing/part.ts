import { type TestContext, test } from 'node:test'

type Test<T> = (name: string, body: (t: TestContext, value: T) => void | Promise<void>) => unknown

/** Something that a test requires and a machine may lack: the value, or the reason why it is absent. */
export type Part<T> = { readonly value: T } | { readonly absent: string }

/** Returns a `test` that passes the part's value to the body. If the part is absent, it skips with the reason. */
export function testWith<T>(part: Part<T>): Test<T> {
  return (name, body) =>
    'value' in part ? test(name, (t) => body(t, part.value)) : test.skip(`${name} (skipped: ${part.absent})`)
}

/** Returns the value of a part. Throws an `Error` with the reason if it is absent. */
export function partValue<T>(part: Part<T>): T {
  if ('value' in part) return part.value
  throw new Error(part.absent)
}

/** Returns several parts as one: the values in their order, or the reason of the first that is absent. */
export function allOf<T extends readonly unknown[]>(
  ...parts: { readonly [K in keyof T]: Part<T[K]> }
): Part<T> {
  const absent = parts.find((part) => 'absent' in part)
  // every part has a value here, in the order of T
  return absent ?? { value: parts.map(partValue) as unknown as T }
}

/** Returns a part that CI provides: there, throws an `Error` if it is absent. */
export function required<T>(part: Part<T>): Part<T> {
  if ('absent' in part && process.env.CI === 'true') throw new Error(part.absent)
  return part
}

/** Returns a part whose value is made from the value of another. */
export function mapPart<T, U>(part: Part<T>, make: (value: T) => U): Part<U> {
  return 'value' in part ? { value: make(part.value) } : part
}

/** Connects to a service that CI provides. Its absence is a failure in CI, and elsewhere a reason to skip. */
export async function service<T>(connect: () => Promise<T>): Promise<Part<T>> {
  try {
    return { value: await connect() }
  } catch (error) {
    if (process.env.CI === 'true') throw error
    return { absent: String(error) }
  }
}
