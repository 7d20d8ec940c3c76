import assert from 'node:assert/strict'
import type { TestFunction } from '../runner.ts'

/** How one test of a contract ended. */
export interface TestResult {
  readonly name: string
  readonly failed: boolean
}

/** Runs the tests that a contract declares, one after the other. */
export async function runContract(declare: (test: TestFunction) => void): Promise<TestResult[]> {
  const tests: [string, () => Promise<void>][] = []
  declare((name, body) => tests.push([name, body]))
  const results: TestResult[] = []
  for (const [name, body] of tests)
    results.push({
      name,
      failed: await body().then(
        () => false,
        () => true,
      ),
    })
  return results
}

/** Asserts that one of the tests that failed has a name that matches. */
export function assertCaught(results: readonly TestResult[], by: RegExp): void {
  const failed = results.filter((result) => result.failed).map(({ name }) => name)
  assert.ok(
    failed.some((name) => by.test(name)),
    `only failed: ${failed.join('; ')}`,
  )
}
