import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { judge, type Report, record } from '../index.ts'
import { readReport } from '../judge/read-report.ts'
import { createRunOptions } from '../testing/deployments/trial.ts'
import { mainKey } from '../testing/deployments/world.ts'
import type { Transcript } from '../transcript/transcript.ts'

const verdicts = ({ rules }: Report): readonly string[] => rules.map(({ id, verdict }) => `${id} ${verdict}`)

/** Records a run against a deployment that accepts the key. */
function recordWith(key: string, more: { readonly baseUrl?: string } = {}): Promise<Transcript> {
  const createOptions = createRunOptions({ does: 'conforms' }, 'create')
  return record({
    ...createOptions,
    ...more,
    apiKey: key,
    fetch(request) {
      const value = request.headers.get('authorization')
      const [scheme = '', token] = value?.split(' ') ?? []
      const headers = new Headers(request.headers)
      if (/^bearer$/i.test(scheme)) headers.set('authorization', `Bearer ${token === key ? mainKey : 'no'}`)
      const url = request.url.replace(`/gate/${encodeURIComponent(key)}`, '')
      return createOptions.fetch(
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

/** Words that occur in responses. */
const redactedWords = [
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

describe('a key that is an ordinary word', () => {
  let expected: readonly string[]

  before(async () => {
    expected = verdicts(judge(await recordWith('an-ordinary-key')))
  })

  for (const word of redactedWords)
    it(`does not change the verdicts if the key is ${word}`, async () => {
      const report = judge(await recordWith(word))
      assert.deepEqual(verdicts(report), expected)
      assert.deepEqual(verdicts(judge(readReport(JSON.stringify(report)))), expected)
    })
})

describe('a header value that is an ordinary word', () => {
  it('is redacted in header values and strings, but not in names', async () => {
    const readOptions = createRunOptions({ does: 'conforms' }, 'read')
    const transcript = await record({
      ...readOptions,
      headers: { 'X-Team': 'pets' },
      fetch: () => Response.json({ pets: 'pets' }, { headers: { 'X-Pets-Region': 'eu pets' } }),
    })
    const { exchanges } = readReport(JSON.stringify(judge(transcript)))
    const { headers, body } = exchanges[0]?.response ?? assert.fail()
    assert.deepEqual(
      headers.find(([name]) => name.includes('region')),
      ['x-pets-region', 'eu $X_TEAM'],
    )
    assert.equal(body, '{"pets":"$X_TEAM"}')
  })
})

describe('a body that redaction makes too long to store', () => {
  it('is judged with the same result after it was saved', async () => {
    const readOptions = createRunOptions({ does: 'conforms' }, 'read')
    const fetch = () => new Response('k '.repeat(500_000))
    const report = judge(await record({ ...readOptions, apiKey: 'k', maxRequests: 1, fetch }))
    assert.deepEqual(judge(readReport(JSON.stringify(report))).rules, report.rules)
  })
})

describe('a secret in the base URL', () => {
  it('is replaced by the placeholder from the headers option', async () => {
    const shelterOptions = createRunOptions({ does: 'conforms', base: '/shelter/v1' }, 'read')
    const headers = { 'X-Gate': { value: 'shelter', shown: 'open $GATE' } }
    const report = judge(await record({ ...shelterOptions, headers }))
    assert.equal(report.target.baseUrl, 'http://reference.test/open $GATE/v1')
    assert.deepEqual(judge(readReport(JSON.stringify(report))), report)
  })

  it("is replaced by the key's placeholder", async () => {
    const key = 'a-key-of-a-gateway'
    const transcript = await recordWith(key, { baseUrl: `http://reference.test/gate/${key}/v1` })
    assert.equal(transcript.target.baseUrl, 'http://reference.test/gate/$PET_ADOPTION_API_KEY/v1')
    assert.ok(!JSON.stringify(transcript).includes(key))
    assert.match(judge(transcript, {}).exchanges[0]?.request.target ?? '', /^\/pets/)
  })
})
