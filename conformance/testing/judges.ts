import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '../rules/rule.ts'
import type { Profile } from '../steps/profile.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { found, type Script } from './recorded.ts'

/** The result of a rule for the transcript of a conforming deployment with some exchanges replaced. */
export type Case = readonly [outcome: Finding['outcome'], script: Script, more?: Partial<Transcript>]

/** Declares a test for each case, named by the id of a rule and a sentence: `LIST-20 is broken by three animals`. */
export function judges(profile: Profile, cases: Readonly<Record<string, Case>>): void {
  for (const [name, [outcome, script, more]] of Object.entries(cases)) {
    test(name, () => {
      const finding = found(name.split(' ')[0] ?? '', profile, script, more)
      assert.equal(finding.outcome, outcome, finding.reason)
      assert.notEqual(finding.reason, '')
      if (outcome === 'broken') assert.ok(finding.expected && finding.got && finding.exchanges.length > 0)
    })
  }
}
