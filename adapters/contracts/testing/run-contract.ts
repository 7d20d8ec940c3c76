import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { TestFunction } from '../runner.ts'

/** Declares a contract's tests with a `test` function. */
export type DeclareCases = (test: TestFunction) => void

/** Maps the description of each defect to the defect, grouped by the contract test that must find it. */
export type Defects<Break> = Readonly<Record<string, Readonly<Record<string, Break>>>>

/** Runs the contract tests whose name contains `text`. Returns the names of the failed tests. */
export async function runContract(declare: DeclareCases, text = ''): Promise<string[]> {
  const cases: [string, () => Promise<void>][] = []
  declare((name, body) => cases.push([name, body]))
  const failedCases: string[] = []
  for (const [name, body] of cases) if (name.includes(text)) await body().catch(() => failedCases.push(name))
  return failedCases
}

/** Declares a test for each defect. The test passes if the contract fails for the defect. */
export function testDefects<Break>(
  broken: Defects<Break>,
  createContract: (breakIt: Break) => DeclareCases,
): void {
  for (const [text, defects] of Object.entries(broken))
    describe(`the contract test "${text}" fails if an implementation`, () => {
      for (const [defect, breakIt] of Object.entries(defects))
        it(defect, async () => {
          assert.notDeepEqual(await runContract(createContract(breakIt), text), [])
        })
    })
}

/** Declares a test for each way to skip a test. Skipped contract tests must show these reasons. */
export function testSkippedCases(declare: DeclareCases, ...reasons: readonly string[]): void {
  for (const way of ['skip', 'ignore', 'test'])
    test(`a contract shows with test.${way} why it skips a test: ${reasons[0]}`, async () => {
      const declaredCases: { name: string; body: () => Promise<void>; by: string }[] = []
      const addCase = (by: string) => (name: string, body: () => Promise<void>) =>
        declaredCases.push({ name, body, by })
      declare(Object.assign(addCase('test'), way !== 'test' && { [way]: addCase(way) }))
      const skippedCases = declaredCases.filter(({ name }) => name.includes('skipped'))
      const skipReasons = skippedCases.map(({ name, by }) => [by, /\(skipped: (.*)\)$/.exec(name)?.[1]])
      assert.deepEqual(
        skipReasons,
        reasons.map((reason) => [way, reason]),
      )
      for (const { body } of skippedCases) await body() // a skipped test must not throw
      if (way !== 'test') assert.equal(declaredCases.filter(({ by }) => by === way).length, reasons.length)
    })
}
