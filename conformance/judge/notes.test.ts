import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recorded } from '../testing/recorded.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { notesOn } from './notes.ts'

const texts = (transcript: Transcript): readonly string[] => notesOn(transcript).map(({ message }) => message)

describe('notes on a run', () => {
  it('there are none for a run without incidents', () => {
    assert.deepEqual(notesOn(recorded('all')), [])
  })

  it('a response that a new connection does not repeat is the fault of the exchange before it', () => {
    const transcript = recorded('create')
    const exchanges = transcript.exchanges.map((exchange) =>
      exchange.id === 'list-100-last' ? { ...exchange, remains: '400' } : exchange,
    )
    const before = exchanges[exchanges.findIndex(({ id }) => id === 'list-100-last') - 1]?.id ?? ''
    const [note] = notesOn({ ...transcript, exchanges })
    assert.deepEqual([note?.kind, note?.exchanges], ['connection', [before, 'list-100-last']])
    assert.match(
      note?.message ?? '',
      /^the connection was left unusable by \S+: GET .* \(list-100-last\) returned 400; .* returned 200/,
    )
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
