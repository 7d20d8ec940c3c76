import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exitCode, judge, type Report, readReport, record, runConformance } from '../../index.ts'
import type { Profile } from '../../steps/profile.ts'
import { createRunOptions, listIds } from './trial.ts'
import { type Rejection, serveHttp10, serveRejecting } from './unusual-http.ts'
import { mainKey } from './world.ts'

describe('a server that responds with HTTP/1.0', () => {
  it('passes every rule that can be judged', async () => {
    const options = createRunOptions({ does: 'responds over HTTP/1.0' }, 'all')
    const { baseUrl, close } = await serveHttp10(options.fetch)
    try {
      const report = await runConformance({ ...options, baseUrl, fetch })
      assert.deepEqual(listIds(report, 'fail', 'warn'), [])
      // The suite cannot see which connection `fetch` uses.
      assert.deepEqual(listIds(report, 'inconclusive'), ['AUTH-17'])
    } finally {
      await close()
    }
  })
})

/** Judges a server that rejects some POST requests. */
async function judgeRejecting(rejection: Rejection, profile: Profile = 'create'): Promise<Report> {
  const { fetch, ...run } = createRunOptions({ does: 'rejects before it reads' }, profile)
  const { baseUrl, close } = await serveRejecting(fetch, rejection)
  const transcript = await record({ ...run, baseUrl }).finally(close)
  const report = judge(transcript)
  assert.deepEqual(judge(readReport(JSON.stringify(report))), report)
  assert.equal(exitCode(report), 0)
  return report
}

const lacksKey: Pick<Rejection, 'status' | 'isRejected'> = {
  status: 401,
  isRejected: (header) => header('authorization') !== `Bearer ${mainKey}`,
}
const auth17 = ({ rules }: Report) => rules.find(({ id }) => id === 'AUTH-17')

describe('AUTH-17', () => {
  it('is broken if the server parses a rejected body as a request', async () => {
    const report = await judgeRejecting({ ...lacksKey, body: 'unread' })
    assert.deepEqual(listIds(report, 'fail', 'warn'), ['AUTH-17'])
    assert.match(auth17(report)?.reason ?? '', /returned 400 on the connection of /)
  })

  for (const [body, reaction] of [
    ['read', 'reads the rejected body'],
    ['closed', 'closes the connection with Connection: close'],
    ['closed silently', 'closes the connection without Connection: close'],
  ] as const) {
    it(`holds if the server ${reaction}`, async () => {
      const report = await judgeRejecting({ ...lacksKey, body })
      assert.deepEqual(listIds(report, 'fail', 'warn'), [])
      assert.equal(auth17(report)?.verdict, 'pass', auth17(report)?.reason)
    })
  }

  for (const next of [500, 502]) {
    it(`is inconclusive if the next response has status ${next}`, async () => {
      const report = await judgeRejecting({ ...lacksKey, body: 'read', next })
      assert.deepEqual(listIds(report, 'fail', 'warn'), [])
      assert.equal(auth17(report)?.verdict, 'inconclusive')
    })
  }
})

describe('a server that does not read rejected bodies', () => {
  it('passes if it rejects only unsupported media types', async () => {
    const isRejected: Rejection['isRejected'] = (header) => header('content-type') !== 'application/json'
    const report = await judgeRejecting({ status: 415, isRejected, body: 'unread' }, 'all')
    assert.deepEqual(listIds(report, 'fail', 'warn'), [])
  })
})
