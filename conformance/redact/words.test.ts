import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge, record } from '../index.ts'
import { readTranscript, writeTranscript } from '../judge/saved-transcript.ts'
import { trialOptions } from '../testing/deployments/trial.ts'
import { mainKey } from '../testing/deployments/world.ts'
import type { Transcript } from '../transcript/transcript.ts'

const verdicts = (transcript: Transcript) =>
  judge(transcript).rules.map(({ id, verdict }) => `${id} ${verdict}`)

/** Records a run with a key that the deployment accepts instead of its own. */
function recordWith(key: string, more: { readonly baseUrl?: string } = {}): Promise<Transcript> {
  const trial = trialOptions({ does: 'conforms' }, 'create')
  return record({
    ...trial,
    ...more,
    key,
    fetch(request) {
      const value = request.headers.get('authorization')
      const [scheme = '', token] = value?.split(' ') ?? []
      const headers = new Headers(request.headers)
      if (/^bearer$/i.test(scheme)) headers.set('authorization', `Bearer ${token === key ? mainKey : 'no'}`)
      const url = request.url.replace(`/gate/${encodeURIComponent(key)}`, '')
      return trial.fetch(
        new Request(url, {
          method: request.method,
          headers,
          body: request.body,
          duplex: 'half',
        } as RequestInit),
      )
    },
  })
}

/** Words of the interface, of HTTP and of the suite, and numbers in its responses. */
const words = [
  'limit',
  '60',
  'json',
  'application/json',
  'category',
  'categoryId',
  'name',
  'status',
  'available',
  'sold',
  'code',
  'bearer',
  'next',
  'GMT',
  'date',
  'pets',
  'v1',
  'x-ratelimit-limit',
  'ratelimit',
  'true',
  'null',
  '1',
  '2026',
  'Ada',
  'ava',
]

describe('a key that is a word of the interface', () => {
  for (const word of words)
    it(`changes no verdict: ${word}`, async () => {
      const expected = verdicts(await recordWith('an-ordinary-key'))
      const transcript = await recordWith(word)
      assert.deepEqual(verdicts(transcript), expected)
      assert.deepEqual(verdicts(readTranscript(writeTranscript(transcript))), expected)
    })
})

describe('a key in the path of the base URL', () => {
  it('is in no transcript', async () => {
    const key = 'a-key-of-a-gateway'
    const transcript = await recordWith(key, { baseUrl: `http://reference.test/gate/${key}/v1` })
    assert.equal(transcript.baseUrl, 'http://reference.test/gate/$PET_ADOPTION_API_KEY/v1')
    assert.ok(!writeTranscript(transcript).includes(key))
    assert.match(judge(transcript, {}).exchanges[0]?.request.target ?? '', /^\/pets/)
  })
})
