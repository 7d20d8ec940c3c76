import { type TestContext, test } from 'node:test'

type Test<T> = (name: string, body: (t: TestContext, value: T) => void | Promise<void>) => unknown

/** Something that a test requires and a machine may lack: the value, or the reason why it is absent. */
export type Part<T> = { readonly value: T } | { readonly absent: string }

type ValueOf<P> = P extends { readonly value: infer T } ? T : never

/** Returns a `test` that passes the part to its body, or that skips with the reason where the part is absent. */
export function testWith<P extends Part<unknown>>(part: P): Test<ValueOf<P>> {
  return 'value' in part
    ? (name, body) => test(name, (t) => body(t, part.value as ValueOf<P>)) // the one value of the part
    : (name) => test.skip(`${name} (skipped: ${part.absent})`)
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
