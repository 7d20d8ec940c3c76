import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { record } from '../index.ts'
import { formatNames, formats } from '../report/formats.ts'
import { trialOptions } from '../sabotage/trial.ts'
import { edits } from '../testing/edits.ts'
import { recorded } from '../testing/recorded.ts'
import { judge } from './judge.ts'
import { readTranscript, writeTranscript } from './saved-transcript.ts'

const transcript = recorded(
  'all',
  { list: { error: 'reset' } },
  { plan: 'free', categoryId: '-7', endedEarly: 'a 429' },
)

test('a transcript is read as it was written', () => {
  assert.deepEqual(readTranscript(writeTranscript(transcript)), transcript)
})

test('a transcript may have requests of any method', () => {
  const text = writeTranscript(transcript).replaceAll('"method": "POST"', '"method": "DELETE"')
  assert.match(writeTranscript(readTranscript(text)), /"method": "DELETE"/)
})

/** Ways to spoil a transcript, and what is said of each. */
const spoilt: readonly (readonly [change: object, said: RegExp])[] = [
  [{ version: 3 }, /version/],
  [{ baseUrl: 'pets' }, /baseUrl/],
  [{ profile: 'write' }, /profile/],
  [{ plan: 'gold' }, /plan/],
  [{ startedAt: 'noon' }, /startedAt/],
  [{ now: 7 }, /now/],
  [{ durationMs: '7' }, /durationMs/],
  [{ marker: null }, /marker/],
  [{ categoryId: 'one' }, /categoryId/],
  [{ endedEarly: true }, /endedEarly/],
  [{ exchanges: {} }, /exchanges/],
  [{ exchanges: [...transcript.exchanges.slice(0, 2), {}] }, /\$\.exchanges\[2\]\.id is missing/],
  [
    { exchanges: [{ ...transcript.exchanges[0], outcome: { kind: 'response', response: {} } }] },
    /\$\.exchanges\[0\]\.outcome\.response\.status is missing/,
  ],
  [
    { exchanges: [{ ...transcript.exchanges[0], outcome: { kind: 'lost' } }] },
    /\$\.exchanges\[0\]\.outcome\.kind must be/,
  ],
  [
    {
      exchanges: [{ ...transcript.exchanges[0], request: { method: 'GET', target: '/', headers: [['a']] } }],
    },
    /\$\.exchanges\[0\]\.request\.headers\[0\] must have 2 elements/,
  ],
]

for (const [change, said] of spoilt) {
  test(`a transcript with ${JSON.stringify(change).slice(0, 60)} is rejected: ${said.source}`, () => {
    assert.throws(
      () => readTranscript(JSON.stringify({ ...transcript, ...change })),
      (error) => {
        assert.ok(error instanceof TypeError)
        assert.match(error.message, said)
        return true
      },
    )
  })
}

for (const text of ['', 'no', '[]', 'null', '7']) {
  test(`${JSON.stringify(text)} is not a transcript`, () =>
    assert.throws(() => readTranscript(text), TypeError))
}

test('a body of more than the suite reads is cut off in a transcript that is read', () => {
  const long = recorded('read', { list: { body: ' '.repeat(1024 * 1024 + 1) } })
  const [first] = readTranscript(writeTranscript(long)).exchanges
  assert.ok(first?.outcome.kind === 'response' && first.outcome.response.truncated)
  assert.equal(first.outcome.response.body, '')
})

test('a base URL that is not one of HTTP is rejected', () => {
  for (const baseUrl of ['file:///etc/passwd', 'javascript:1', ' http://a.test/v1', '-o http://a.test']) {
    assert.throws(() => readTranscript(writeTranscript({ ...recorded('read'), baseUrl })), /baseUrl/)
  }
})

/** More than a run records, and what is said of it. */
const boundless: readonly (readonly [what: string, change: (exchange: unknown) => object, said: RegExp])[] = [
  [
    'exchanges',
    (exchange) => ({ exchanges: Array(20_001).fill(exchange) }),
    /\$\.exchanges must have at most 20000 elements/,
  ],
  [
    'headers of one response',
    (exchange) => ({ exchanges: [headed(exchange, Array(32_769).fill(['a', 'b']))] }),
    /response\.headers must have at most 32768 elements/,
  ],
  [
    'headers of a run',
    (exchange) => ({
      exchanges: Array.from({ length: 64 }, (_, n) => ({
        ...headed(exchange, Array(1_000).fill(['a', 'b'.repeat(1_050)])),
        id: `list-${n}`,
      })),
    }),
    /\$\.exchanges must have headers of at most 67108864 characters/,
  ],
]

function headed(exchange: unknown, headers: readonly unknown[]): object {
  const response = { status: 200, headers, body: '', utf8: true, truncated: false, ms: 1 }
  return { ...(exchange as object), outcome: { kind: 'response', response } }
}

for (const [what, change, said] of boundless) {
  test(`a transcript with more ${what} than a run records is rejected`, () => {
    const text = JSON.stringify({ ...transcript, ...change(transcript.exchanges[0]) })
    assert.throws(
      () => readTranscript(text),
      (error) => error instanceof TypeError && said.test(error.message),
    )
  })
}

test('names of headers are read in any case', () => {
  const shouted = writeTranscript(transcript).replaceAll(/"(content-type|x-ratelimit-\w+|date)"/g, (name) =>
    name.toUpperCase(),
  )
  assert.match(shouted, /"X-RATELIMIT-RESET"/)
  assert.deepEqual(readTranscript(shouted), transcript)
})

test('an id that occurs twice is named with both places', () => {
  const [first, second] = transcript.exchanges
  const exchanges = [first, second, first]
  assert.throws(
    () => readTranscript(JSON.stringify({ ...transcript, exchanges })),
    /\$\.exchanges\[2\]\.id repeats that of \$\.exchanges\[0\]/,
  )
})

for (const profile of ['read', 'all'] as const) {
  test(`a transcript of ${profile} that was edited into anything is judged, or its first wrong place is named`, async () => {
    const transcript = JSON.parse(writeTranscript(await record(trialOptions({ does: 'conforms' }, profile))))
    fc.assert(
      fc.property(edits(transcript), fc.constantFrom(...formatNames), (edited, format) => {
        let read: typeof transcript
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
