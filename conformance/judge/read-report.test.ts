import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Report } from '../index.ts'
import { runConformance } from '../index.ts'
import { formatNames, formats } from '../report/formats.ts'
import { createRunOptions } from '../testing/deployments/trial.ts'
import { createEdits } from '../testing/edits.ts'
import { buildTranscript } from '../testing/recorded.ts'
import { judge } from './judge.ts'
import { readReport } from './read-report.ts'

const transcript = buildTranscript(
  'all',
  { 'list-1': { error: 'reset' } },
  { plan: 'free', categoryId: '-7', endedEarly: 'a 429', network: { insecure: true } },
)
const report = judge(transcript)
const [first, second] = report.exchanges

describe('a saved report', () => {
  it('is read as it was written', () => {
    assert.deepEqual(readReport(formats.json(report, { color: false })), report)
  })

  it('gets the same verdicts when it is judged again', () => {
    assert.deepEqual(judge(readReport(JSON.stringify(report))), report)
  })

  it('decides no rule about parallel requests without their group', () => {
    const complete = judge(buildTranscript('all'))
    const exchanges = complete.exchanges.map((exchange) => ({ ...exchange, group: undefined }))
    const { rules } = judge(readReport(JSON.stringify({ ...complete, exchanges })))
    for (const [id, exchange] of [
      ['CREATE-29', 'create-together-1'],
      ['RATE-17', 'limit-together-1'],
    ] as const) {
      const result = rules.find((rule) => rule.id === id)
      assert.equal(result?.verdict, 'inconclusive')
      assert.match(result.reason, new RegExp(`${exchange} is not marked as part of a group`))
      assert.deepEqual(result.exchanges, [exchange])
    }
  })

  const changeExchange = (change: object): object => ({ exchanges: [{ ...first, ...change }] })
  const request = (headers: unknown, method = 'GET'): object =>
    changeExchange({ request: { method, target: '/', headers } })
  const changeFirstResponse = (change: object): object =>
    changeExchange({ response: { ...first?.response, ...change } })
  const invalidChanges: readonly (readonly [change: object, said: RegExp])[] = [
    ...[
      'pets',
      'file:///etc/passwd',
      'javascript:1',
      ' http://a.test/v1',
      '-o http://a.test',
      'http://[',
    ].map((baseUrl) => [{ target: { baseUrl } }, /\$\.target\.baseUrl must/] as const),
    [{ profile: 'write' }, /\$\.profile must be "read" or "create" or/],
    [{ plan: 'gold' }, /\$\.plan must be/],
    [{ startedAt: 'noon' }, /\$\.startedAt must have the format date-time/],
    [{ startedAt: '2026-13-01T00:00:00Z' }, /\$\.startedAt must have the format date-time/],
    [{ now: 7 }, /\$\.now must be of type string/],
    [{ durationMs: '7' }, /\$\.durationMs must be of type number/],
    [{ durationMs: -1 }, /\$\.durationMs must be at least 0/],
    [{ marker: null }, /\$\.marker must be of type string/],
    [{ categoryId: 'one' }, /\$\.categoryId must match/],
    [{ endedEarly: true }, /\$\.endedEarly must be of type string/],
    [{ exchanges: {} }, /\$\.exchanges must be of type array/],
    [{ exchanges: [first, second, {}] }, /\$\.exchanges\[2\]\.id is missing/],
    [{ exchanges: [first, second, first] }, /\$\.exchanges\[2\]\.id duplicates \$\.exchanges\[0\]/],
    [{ exchanges: Array(20_001).fill(first) }, /\$\.exchanges must have at most 20000 elements/],
    [changeExchange({ credential: 'password' }), /\$\.exchanges\[0\]\.credential must be/],
    [changeExchange({ response: {} }), /\$\.exchanges\[0\]\.response\.status is missing/],
    [changeExchange({ response: undefined }), /\$\.exchanges\[0\] must have either response or error/],
    [changeExchange({ error: 'reset' }), /\$\.exchanges\[0\] must have either response or error/],
    [changeFirstResponse({ utf8: 'yes' }), /\$\.exchanges\[0\]\.response\.utf8 must be of type boolean/],
    [changeFirstResponse({ withheld: false }), /\$\.exchanges\[0\]\.response\.withheld must be true/],
    [request([['a']]), /\$\.exchanges\[0\]\.request\.headers\[0\] must have at least 2 elements/],
    [request([], 'id;'), /\.request\.method must be "GET" or/],
    [
      changeFirstResponse({ body: ' '.repeat(4 * 1024 * 1024 + 1) }),
      /\$\.exchanges\[0\]\.response\.body must have at most 4194304 characters/,
    ],
  ]

  for (const [change, said] of invalidChanges) {
    it(`is rejected with ${JSON.stringify(change).slice(0, 55)}`, () => {
      const reportText = JSON.stringify({ ...report, ...change })
      assert.throws(
        () => readReport(reportText),
        (error) => error instanceof TypeError && said.test(error.message),
      )
    })
  }

  it('is rejected if it is not a JSON object', () => {
    for (const text of ['', 'no', '[]', 'null', '7']) assert.throws(() => readReport(text), TypeError, text)
  })

  for (const profile of ['read', 'all'] as const) {
    it(`is rejected or judged after any edit (${profile})`, async () => {
      const reportText = JSON.stringify(await runConformance(createRunOptions({ does: 'conforms' }, profile)))
      fc.assert(
        fc.property(
          createEdits(JSON.parse(reportText)),
          fc.constantFrom(...formatNames),
          (edited, format) => {
            let read: Report
            try {
              read = readReport(JSON.stringify(edited))
            } catch (error) {
              assert.ok(error instanceof TypeError)
              assert.match(error.message, /^invalid report: \$/)
              return
            }
            assert.ok(formats[format](judge(read), { color: false }).length > 0)
          },
        ),
        { numRuns: 100 },
      )
    })
  }
})
