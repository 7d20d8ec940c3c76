// node:test as the suites use it in every runtime: `node --test`, `deno test` and `bun test` all have it.
import { after, it as declare, describe } from 'node:test'

export { after, describe }

/** Declares a test. Its cleanup is run here: the `t.after` of Deno 2.9 never calls its hooks. */
export function it(name, body) {
  declare(name, async () => {
    const cleanups = []
    try {
      await body({ after: (cleanup) => cleanups.push(cleanup) })
    } finally {
      for (const cleanup of cleanups) await cleanup()
    }
  })
}
it.skip = declare.skip

/**
 * Declares a suite on a service or module of this machine. If opening it fails, the suite is skipped with the reason;
 * with CI=true it fails.
 *
 * @param {string} part
 * @param {() => Promise<{ declare: () => void, close: () => unknown }>} open
 * @param {string | false} [missing] Why the runtime cannot have the part: the suite is skipped, in CI too.
 */
export async function describePart(part, open, missing) {
  const opened = missing ? { missing } : await open().catch((cause) => ({ missing: cause.message }))
  describe(part, () => {
    if ('declare' in opened) {
      opened.declare()
      after(() => opened.close())
    } else if (process.env.CI === 'true' && !missing)
      it('is available', () => Promise.reject(new Error(opened.missing)))
    else it.skip(`skipped: ${opened.missing}`, () => {})
  })
}
