import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { record, type Transcript } from '../index.ts'
import { formatNames, formats } from '../report/formats.ts'
import { trialOptions } from '../testing/deployments/trial.ts'
import { edits } from '../testing/edits.ts'
import { recorded } from '../testing/recorded.ts'
import { judge } from './judge.ts'
import { readTranscript, writeTranscript } from './saved-transcript.ts'

const transcript = recorded(
  'all',
  { list: { error: 'reset' } },
  { plan: 'free', categoryId: '-7', endedEarly: 'a 429' },
)
const [first, second] = transcript.exchanges
const response = { status: 200, headers: [], body: '', utf8: true, truncated: false, ms: 1 }

describe('a saved transcript', () => {
  it('is read as it was written', () => {
    assert.deepEqual(readTranscript(writeTranscript(transcript)), transcript)
  })

  /** A transcript of one exchange, with other members of it. */
  const exchange = (change: object): object => ({ exchanges: [{ ...first, ...change }] })
  const request = (headers: unknown, method = 'GET'): object =>
    exchange({ request: { method, target: '/', headers } })
  const returning = (change: object): object => exchange({ outcome: { kind: 'response', response: change } })
  /** Ways to spoil a transcript, and the message for each. */
  const spoilt: readonly (readonly [change: object, said: RegExp])[] = [
    [{ version: 3 }, /\$\.version must be/],
    ...[
      'pets',
      'file:///etc/passwd',
      'javascript:1',
      ' http://a.test/v1',
      '-o http://a.test',
      'http://[',
    ].map((baseUrl) => [{ baseUrl }, /\$\.baseUrl must/] as const),
    [{ profile: 'write' }, /\$\.profile must be "read" or "create" or/],
    [{ plan: 'gold' }, /\$\.plan must be/],
    [{ startedAt: 'noon' }, /\$\.startedAt must be an ISO time/],
    [{ startedAt: '2026-13-01T00:00:00Z' }, /\$\.startedAt must be an ISO time/],
    [{ now: 7 }, /\$\.now must be an ISO time/],
    [{ durationMs: '7' }, /\$\.durationMs must be a number/],
    [{ durationMs: -1 }, /\$\.durationMs must be a number/],
    [{ marker: null }, /\$\.marker must be a text/],
    [{ categoryId: 'one' }, /\$\.categoryId must match/],
    [{ endedEarly: true }, /\$\.endedEarly must be a text/],
    [{ exchanges: {} }, /\$\.exchanges must be an array/],
    [{ exchanges: [first, second, {}] }, /\$\.exchanges\[2\]\.id is missing/],
    [{ exchanges: [first, second, first] }, /\$\.exchanges\[2\]\.id repeats that of \$\.exchanges\[0\]/],
    [{ exchanges: Array(20_001).fill(first) }, /\$\.exchanges must have at most 20000 elements/],
    [exchange({ credential: 'password' }), /\$\.exchanges\[0\]\.credential must be/],
    [returning({}), /\$\.exchanges\[0\]\.outcome\.response\.status is missing/],
    [exchange({ outcome: { kind: 'lost' } }), /\$\.exchanges\[0\]\.outcome\.kind must be/],
    [request([['a']]), /\$\.exchanges\[0\]\.request\.headers\[0\] must have 2 elements/],
    [request([['Accept', '*/*']]), /\$\.exchanges\[0\]\.request\.headers\[0\]\[0\] must match/],
    [request([], 'id;'), /\.request\.method must be "GET" or/],
    [
      returning({ ...response, body: ' '.repeat(4 * 1024 * 1024 + 1) }),
      /\$\.exchanges\[0\]\.outcome\.response\.body must have at most 4194304 characters/,
    ],
  ]

  for (const [change, said] of spoilt) {
    it(`is rejected with ${JSON.stringify(change).slice(0, 55)}`, () => {
      const text = JSON.stringify({ ...transcript, ...change })
      assert.throws(
        () => readTranscript(text),
        (error) => error instanceof TypeError && said.test(error.message),
      )
    })
  }

  it('is rejected if it is not a JSON object', () => {
    for (const text of ['', 'no', '[]', 'null', '7'])
      assert.throws(() => readTranscript(text), TypeError, text)
  })

  for (const profile of ['read', 'all'] as const) {
    it(`is judged after an edit of ${profile}, or its first error is named`, async () => {
      const text = writeTranscript(await record(trialOptions({ does: 'conforms' }, profile)))
      fc.assert(
        fc.property(edits(JSON.parse(text)), fc.constantFrom(...formatNames), (edited, format) => {
          let read: Transcript
          try {
            read = readTranscript(JSON.stringify(edited))
          } catch (error) {
            assert.ok(error instanceof TypeError)
            assert.match(error.message, /^the transcript cannot be read: \$/)
            return
          }
          assert.ok(formats[format](judge(read), { color: false }).length > 0)
        }),
        { numRuns: 100 },
      )
    })
  }
})
