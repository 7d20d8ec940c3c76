import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestFunction } from '../runner.ts'

/** Declares the cases of a contract by a runner. */
export type Declare = (test: TestFunction) => void

/** The defects that a contract must find, by a text in the names of the cases, and by a description. */
export type Broken<Break> = Readonly<Record<string, Readonly<Record<string, Break>>>>

/** Runs the cases whose name includes a text, and returns the names of the failures. */
export async function runContract(declare: Declare, text = ''): Promise<string[]> {
  const cases: [string, () => Promise<void>][] = []
  declare((name, body) => cases.push([name, body]))
  const failed: string[] = []
  for (const [name, body] of cases) if (name.includes(text)) await body().catch(() => failed.push(name))
  return failed
}

/** Declares a test for each defect: a case of the contract with that text in its name finds it. */
export function contractFinds<Break>(broken: Broken<Break>, contractOf: (breakIt: Break) => Declare): void {
  for (const [text, defects] of Object.entries(broken))
    for (const [defect, breakIt] of Object.entries(defects))
      test(`the case "${text}" fails on one that ${defect}`, async () => {
        assert.notDeepEqual(await runContract(contractOf(breakIt), text), [])
      })
}

/** Declares a test: cases of the contract are skipped for these reasons, with the means of the runner. */
export function contractSkips(declare: Declare, ...reasons: readonly string[]): void {
  for (const way of ['skip', 'ignore', 'test'])
    test(`test.${way} shows the reason of a case that is skipped: ${reasons.join(', ')}`, async () => {
      const declared: { name: string; body: () => Promise<void>; by: string }[] = []
      const add = (by: string) => (name: string, body: () => Promise<void>) =>
        declared.push({ name, body, by })
      declare(Object.assign(add('test'), way !== 'test' && { [way]: add(way) }))
      const skipped = declared.filter(({ name }) => name.includes('skipped'))
      const shown = skipped.map(({ name, by }) => [by, /\(skipped: (.*)\)$/.exec(name)?.[1]])
      assert.deepEqual(
        shown,
        reasons.map((reason) => [way, reason]),
      )
      for (const { body } of skipped) await body() // it does nothing
      if (way !== 'test') assert.equal(declared.filter(({ by }) => by === way).length, reasons.length)
    })
}
