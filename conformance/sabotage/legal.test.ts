import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Report, runConformance } from '../index.ts'
import { legal } from './legal.ts'
import { idsOf, judgeVariant, trialOptions } from './trial.ts'
import { serveHttp10 } from './unusual-http.ts'

/** The MUST rules that a report does not decide. */
function undecidedMusts({ rules }: Report): readonly string[] {
  return rules
    .filter(({ level, verdict }) => level === 'MUST' && /^(inconclusive|not-run)$/.test(verdict))
    .map(({ id }) => id)
}

for (const variant of legal) {
  const { gap, does, warns = [], unproven = [], endsEarly = false } = variant
  test(`${gap}: a deployment that ${does} fails no rule`, async () => {
    const report = await judgeVariant(variant, 'all')
    assert.deepEqual(idsOf(report, 'fail'), [])
    assert.deepEqual(idsOf(report, 'warn'), warns)
    assert.equal(report.endedEarly !== undefined, endsEarly)
    if (!endsEarly) assert.deepEqual(undecidedMusts(report), unproven)
  })
}

test('HTTP: a deployment behind HTTP/1.0, with headers in lower case and bodies without a length, fails no rule', async () => {
  const options = trialOptions({ does: 'responds over HTTP/1.0' }, 'all')
  const { baseUrl, close } = await serveHttp10(options.fetch)
  try {
    const report = await runConformance({ ...options, baseUrl, fetch })
    assert.deepEqual(idsOf(report, 'fail', 'warn', 'inconclusive'), [])
  } finally {
    await close()
  }
})
