import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  exitCode,
  judge,
  type Report,
  readTranscript,
  record,
  runConformance,
  writeTranscript,
} from '../../index.ts'
import type { Profile } from '../../steps/profile.ts'
import { listIds, trialOptions } from './trial.ts'
import { type Rejection, serveHttp10, serveRejecting } from './unusual-http.ts'
import { mainKey } from './world.ts'

describe('unusual HTTP', () => {
  it('fails no rule: HTTP/1.0, lower-case headers, bodies without a length', async () => {
    const options = trialOptions({ does: 'responds over HTTP/1.0' }, 'all')
    const { baseUrl, close } = await serveHttp10(options.fetch)
    try {
      const report = await runConformance({ ...options, baseUrl, fetch })
      assert.deepEqual(listIds(report, 'fail', 'warn'), [])
      // fetch does not say which connection it used
      assert.deepEqual(listIds(report, 'inconclusive'), ['AUTH-17'])
    } finally {
      await close()
    }
  })
})

/** Judges a deployment that rejects some POSTs before it reads their bodies. */
async function judgeRejecting(rejection: Rejection, profile: Profile = 'create'): Promise<Report> {
  const { fetch, ...run } = trialOptions({ does: 'rejects before it reads' }, profile)
  const { baseUrl, close } = await serveRejecting(fetch, rejection)
  const transcript = await record({ ...run, baseUrl }).finally(close)
  const report = judge(transcript)
  assert.deepEqual(judge(readTranscript(writeTranscript(transcript))), report)
  assert.equal(exitCode(report), 0)
  return report
}

const lacksKey: Pick<Rejection, 'status' | 'isRejected'> = {
  status: 401,
  isRejected: (header) => header('authorization') !== `Bearer ${mainKey}`,
}
const auth17 = ({ rules }: Report) => rules.find(({ id }) => id === 'AUTH-17')

describe('AUTH-17', () => {
  it('warns if the body of a createPet without a key stays unread', async () => {
    const report = await judgeRejecting({ ...lacksKey, body: 'left' })
    assert.deepEqual(listIds(report, 'fail', 'warn'), ['AUTH-17'])
    assert.match(auth17(report)?.reason ?? '', /returned 400 on the connection of /)
    assert.deepEqual(
      report.causes.map(({ id, rules }) => [id, rules]),
      [['unread-body', ['AUTH-17']]],
    )
  })

  for (const body of ['read', 'closed', 'closed without a word'] as const) {
    it(`passes if the body or the connection is ${body}`, async () => {
      const report = await judgeRejecting({ ...lacksKey, body })
      assert.deepEqual(listIds(report, 'fail', 'warn'), [])
      assert.equal(auth17(report)?.verdict, 'pass', auth17(report)?.reason)
    })
  }

  for (const next of [500, 502]) {
    it(`is inconclusive if the next response is a ${next}`, async () => {
      const report = await judgeRejecting({ ...lacksKey, body: 'read', next })
      assert.deepEqual(listIds(report, 'fail', 'warn'), [])
      assert.equal(auth17(report)?.verdict, 'inconclusive')
      assert.deepEqual(report.causes, [])
      assert.doesNotMatch(report.notes.map(({ message }) => message).join(), /unusable|body/)
    })
  }
})

describe('another unread body', () => {
  it('fails no rule, and the report names its exchange', async () => {
    const isRejected: Rejection['isRejected'] = (header) => header('content-type') !== 'application/json'
    const report = await judgeRejecting({ status: 415, isRejected, body: 'left' }, 'all')
    assert.deepEqual(listIds(report, 'fail', 'warn'), [])
    const [note, ...others] = report.notes.filter(({ kind }) => kind === 'connection')
    assert.deepEqual([note?.kind, note?.exchanges[0], others], ['connection', 'create-text-plain', []])
  })
})
