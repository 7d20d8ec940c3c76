import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleResult } from '../index.ts'
import { legal } from './legal.ts'
import { idsOf, tryOut } from './trial.ts'

for (const variant of legal) {
  const { gap, does, warns = [], unproven = [], endsEarly = false } = variant
  test(`${gap}: a deployment that ${does} is not accused`, async () => {
    const report = await tryOut(variant, 'all')
    assert.deepEqual(idsOf(report, 'fail'), [])
    assert.deepEqual(idsOf(report, 'warn'), warns)
    assert.equal(report.endedEarly !== undefined, endsEarly)
    const isOpen = ({ level, verdict }: RuleResult): boolean =>
      level === 'MUST' && (verdict === 'inconclusive' || verdict === 'not-run')
    if (!endsEarly)
      assert.deepEqual(
        report.rules.filter(isOpen).map(({ id }) => id),
        unproven,
      )
  })
}
