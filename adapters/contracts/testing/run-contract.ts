import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestFunction } from '../runner.ts'

/** Declares the cases of a contract by a runner. */
export type Declare = (test: TestFunction) => void

/** The cases of a contract that must fail, each with defects that they must find: what it does, and how it is made. */
export type Broken<Break> = Readonly<Record<string, Readonly<Record<string, Break>>>>

/** Returns the names of the cases that fail, of those whose name includes a text. */
export async function failuresOf(declare: Declare, text = ''): Promise<string[]> {
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
        assert.notDeepEqual(await failuresOf(contractOf(breakIt), text), [])
      })
}

/** Returns the names of the cases that a contract skips, and of those that it runs. */
export function declaredBy(declare: Declare): { readonly skipped: string[]; readonly run: string[] } {
  const names = { skipped: [] as string[], run: [] as string[] }
  declare(
    Object.assign((name: string) => names.run.push(name), {
      skip: (name: string) => names.skipped.push(name),
    }),
  )
  return names
}
