import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '../rules/rule.ts'
import type { Profile } from '../steps/profile.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { found, type Script } from './recorded.ts'

/** A change to the transcript of a conforming deployment, and what a rule finds in it. */
export type Case = readonly [
  rule: string,
  sentence: string,
  script: Script,
  outcome: Finding['outcome'],
  more?: Partial<Transcript> | undefined,
]

/** The cases of rules, by their sentences: what the rule finds, in which transcript. */
type Table = Readonly<
  Record<
    string,
    Readonly<
      Record<string, readonly [outcome: Finding['outcome'], script: Script, more?: Partial<Transcript>]>
    >
  >
>

/** Returns the cases of a table. */
export function casesOf(table: Table): readonly Case[] {
  return Object.entries(table).flatMap(([rule, rows]) =>
    Object.entries(rows).map(
      ([sentence, [outcome, script, more]]): Case => [rule, sentence, script, outcome, more],
    ),
  )
}

/** Registers a test for each case. */
export function judges(profile: Profile, cases: readonly Case[]): void {
  for (const [rule, sentence, script, outcome, more] of cases) {
    test(`${rule}: ${sentence}`, () => {
      const finding = found(rule, profile, script, more)
      assert.equal(finding.outcome, outcome, finding.reason)
      assert.notEqual(finding.reason, '')
      if (outcome === 'broken') assert.ok(finding.expected && finding.got && finding.exchanges.length > 0)
    })
  }
}
