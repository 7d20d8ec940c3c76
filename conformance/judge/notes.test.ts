import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recorded } from '../testing/recorded.ts'
import type { Attempt, Outcome, Transcript } from '../transcript/transcript.ts'
import { notesOn } from './notes.ts'

const returned = (status: number): Outcome => ({
  kind: 'response',
  response: { status, headers: [], body: '', utf8: true, truncated: false, ms: 1 },
})

/** The transcript of a run in which an exchange had attempts before its response. */
function withAttempts(id: string, earlier: readonly Omit<Attempt, 'at'>[], last?: Outcome): Transcript {
  const transcript = recorded('create')
  const attempts = earlier.map((attempt) => ({ ...attempt, at: 1 }))
  const exchanges = transcript.exchanges.map((exchange) =>
    exchange.id === id ? { ...exchange, attempts, outcome: last ?? exchange.outcome } : exchange,
  )
  return { ...transcript, exchanges }
}

const texts = (transcript: Transcript): readonly string[] => notesOn(transcript).map(({ message }) => message)

describe('notes on a run', () => {
  it('there are none for a run without incidents', () => {
    assert.deepEqual(notesOn(recorded('all')), [])
  })

  it('a response that a new connection does not repeat is the fault of the exchange before it', () => {
    const transcript = withAttempts('list-2', [
      { reason: 'unexpected', after: 'create-sold', outcome: returned(400) },
    ])
    const [note] = notesOn(transcript)
    assert.equal(note?.kind, 'connection')
    assert.deepEqual(note?.exchanges, ['create-sold', 'list-2'])
    assert.match(
      note?.message ?? '',
      /^the connection was left unusable by create-sold: GET .* \(list-2\) returned 400; .* returned 200/,
    )
  })

  it('no exchange is at fault where a new connection repeats the response, or where the connection is not known', () => {
    const attempt = { reason: 'unexpected', outcome: returned(500) } as const
    for (const transcript of [
      withAttempts('list-2', [{ ...attempt, after: 'create-sold' }], returned(500)),
      withAttempts('list-2', [attempt]),
    ]) {
      const [note] = notesOn(transcript)
      assert.deepEqual([note?.kind, note?.exchanges], ['repeated', ['list-2']])
    }
  })

  it('a closed connection and a 429 are told, each with what came then', () => {
    const closed: Attempt['outcome'] = { kind: 'error', error: 'reset' }
    assert.match(
      texts(withAttempts('list-2', [{ reason: 'closed', after: 'list', outcome: closed }])).join(),
      /^GET \S+ \(list-2\): the connection closed before a response; on a new connection it returned 200$/,
    )
    assert.match(
      texts(withAttempts('list-2', [{ reason: 'rate-limited', outcome: returned(429) }])).join(),
      /\(list-2\) was rejected with 429; the run waited for its Retry-After, and then it returned 200$/,
    )
    const post = withAttempts('create-sold', [{ reason: 'rate-limited', outcome: returned(429) }], closed)
    assert.match(
      texts(post).join(),
      /\(create-sold\) was rejected with 429; .* as a POST it was not sent again$/,
    )
  })

  it('two attempts are told one after the other', () => {
    const attempts = [
      { reason: 'rate-limited', outcome: returned(429) },
      { reason: 'unexpected', after: 'list', outcome: returned(500) },
    ] as const
    const [first = '', second = ''] = texts(withAttempts('list-2', attempts))
    assert.match(first, /then it returned 500$/)
    assert.match(second, /\(list-2\) returned 500; .* returned 200/)
  })

  it('bytes behind responses are told once', () => {
    const transcript = recorded('read', { list: { followed: true }, 'list-2': { followed: true } })
    const [note, ...others] = notesOn(transcript)
    assert.deepEqual([note?.kind, note?.exchanges, others], ['connection', ['list', 'list-2'], []])
    assert.match(note?.message ?? '', /^the response of list and of 1 other has more bytes/)
  })

  it('unverified certificates, a proxy and waits are told', () => {
    const transcript: Transcript = {
      ...recorded('read'),
      network: { insecure: true, proxy: 'http://proxy.test' },
      waits: [
        { before: 'list', reason: 'X-RateLimit-Remaining', ms: 41_200 },
        { before: 'list-2', reason: 'Retry-After', ms: 1000 },
      ],
    }
    const [insecure, proxy, waits] = texts(transcript)
    assert.match(insecure ?? '', /not verified/)
    assert.match(proxy ?? '', /http:\/\/proxy\.test$/)
    assert.match(waits ?? '', /waited 43 s .*X-RateLimit-Remaining and Retry-After/)
  })
})
