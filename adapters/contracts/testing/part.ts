import { type TestContext, test } from 'node:test'

type Test = (name: string, body: (t: TestContext) => void | Promise<void>) => unknown

/** Something that a test needs and a machine may lack; a reason says why this one does. */
export type Part<T> = { readonly value: T } | { readonly absent: string }

/** The `test` of node:test where the part is there; else one that skips with the reason. */
export function testWith(part: Part<unknown>): Test {
  return 'value' in part ? test : (name) => test.skip(`${name} (skipped: ${part.absent})`)
}

/** A service that CI provides: there, its absence is a failure and no reason to skip. */
export async function service<T>(connect: () => Promise<T>): Promise<Part<T>> {
  try {
    return { value: await connect() }
  } catch (error) {
    if (process.env.CI === 'true') throw error
    return { absent: String(error) }
  }
}
