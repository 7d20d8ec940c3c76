import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '../rules/rule.ts'
import type { Profile } from '../steps/profile.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { judgeRule, type Script } from './recorded.ts'

/**
 * The expected outcome, the changed responses, and other changes to the transcript.
 */
export type RuleCase = readonly [outcome: Finding['outcome'], script: Script, more?: Partial<Transcript>]

/** Defines a test for each case. The name begins with the rule's ID. */
export function testRules(profile: Profile, cases: Readonly<Record<string, RuleCase>>): void {
  for (const [name, [outcome, script, more]] of Object.entries(cases)) {
    test(name, () => {
      const finding = judgeRule(name.split(' ')[0] ?? '', profile, script, more)
      assert.equal(finding.outcome, outcome, finding.reason)
      assert.notEqual(finding.reason, '')
      if (outcome === 'broken') assert.ok(finding.expected && finding.got && finding.exchanges.length > 0)
    })
  }
}
