import { type TestContext, test } from 'node:test'

type Test = (name: string, body: (t: TestContext) => void | Promise<void>) => unknown

/** Something that a test requires and a machine may lack: the value, or the reason why it is absent. */
export type Part<T> = { readonly value: T } | { readonly absent: string }

/** Returns the `test` of node:test, or, where the part is absent, one that skips each test with the reason. */
export function testWith(part: Part<unknown>): Test {
  return 'value' in part ? test : (name) => test.skip(`${name} (skipped: ${part.absent})`)
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
