import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testRules } from '../testing/judges.ts'
import {
  buildTranscript,
  createHeaders,
  judgeRule,
  pageStepIds,
  scriptEach,
  scriptError,
  scriptJson,
  validCreationIds,
} from '../testing/recorded.ts'
import { catalogue } from './catalogue.ts'

describe('the rules', () => {
  it('have unique titles and existing sections', () => {
    const titles = catalogue.map(({ title }) => title)
    assert.equal(new Set(titles).size, catalogue.length)
    for (const { section } of catalogue) assert.match(section, /^[1-9](\.[1-4])?$/)
  })

  it('hold for a deployment that conforms', () => {
    const transcript = buildTranscript('all')
    const failedIds = catalogue
      .filter((rule) => rule.judge(transcript).outcome !== 'holds')
      .map(({ id }) => id)
    assert.deepEqual(failedIds, ['GET-7', 'GET-8', 'GET-9', 'RATE-8'])
  })

  it('are not decided by a transcript without exchanges', () => {
    const outcomes = catalogue.map(
      (rule) => rule.judge(buildTranscript('all', {}, { exchanges: [] })).outcome,
    )
    assert.ok(outcomes.every((outcome) => outcome === 'no-evidence' || outcome === 'not-applicable'))
  })

  it('are not broken by a transcript that lacks one exchange', () => {
    const transcript = buildTranscript('all')
    for (const { id } of transcript.exchanges) {
      const exchanges = transcript.exchanges.filter((exchange) => exchange.id !== id)
      const brokenRules = catalogue.filter(
        (rule) => rule.judge({ ...transcript, exchanges }).outcome === 'broken',
      )
      assert.deepEqual(brokenRules, [], `without ${id}`)
    }
  })

  it('are not run if the run ended before the first exchange', () => {
    const transcript = buildTranscript('all', {}, { exchanges: [], endedEarly: 'a 429' })
    const judgedIds = catalogue
      .filter((rule) => rule.judge(transcript).outcome !== 'not-run')
      .map(({ id }) => id)
    assert.deepEqual(judgedIds, ['GET-7', 'RATE-7', 'RATE-8'])
  })

  it('cite only exchanges from the transcript, each at most once', () => {
    const transcript = buildTranscript('all')
    const ids = new Set(transcript.exchanges.map(({ id }) => id))
    for (const rule of catalogue) {
      const { exchanges } = rule.judge(transcript)
      assert.ok(exchanges.every((id) => ids.has(id)))
      assert.equal(new Set(exchanges).size, exchanges.length, rule.id)
    }
  })
})

const rejection = scriptJson(400, {
  code: 'unknown_category',
  message: 'There is no category 1.',
  status: 400,
})

describe('a finding about a rejected valid body', () => {
  it("quotes the server's error and suggests --category-id", () => {
    const { outcome, reason } = judgeRule('CREATE-23', 'create', { 'create-own-id': rejection })
    assert.equal(outcome, 'no-evidence')
    assert.match(reason, /; the deployment says "unknown_category: There is no category 1\."; /)
    assert.match(reason, /--category-id/)
  })

  it('suggests --category-id only if no category was given', () => {
    const emptyListScript = {
      list: scriptJson(200, []),
      'list-100': scriptJson(200, []),
      ...scriptEach(validCreationIds, rejection),
    }
    const { reason } = judgeRule('CREATE-1', 'create', emptyListScript)
    assert.match(reason, /the deployment says "unknown_category/)
    assert.equal(reason.match(/--category-id/g)?.length, 1)
    const findingWithCategory = judgeRule(
      'CREATE-23',
      'create',
      { 'create-own-id': rejection },
      { categoryId: '7' },
    )
    assert.doesNotMatch(findingWithCategory.reason, /--category-id/)
  })

  it('reports a 400 that has no error message', () => {
    const { reason } = judgeRule('CREATE-23', 'create', { 'create-own-id': { status: 400, body: '' } })
    assert.match(reason, /the 400 has no error message/)
  })
})

describe('a finding about a broken rule', () => {
  it('names the accepted invalid body that created the broken animal', () => {
    const animal = { id: 900, name: 'Testabcd bey', categoryId: 9223372036854775808n }
    const { outcome, reason } = judgeRule('LIST-4', 'create', {
      'refuse-beyond-int64': scriptJson(201, animal),
      'list-100-last': scriptJson(200, [animal]),
    })
    assert.equal(outcome, 'broken')
    assert.match(
      reason,
      /this run created that animal: the server accepted the invalid body from refuse-beyond-int64/,
    )
    const lastPageFinding = judgeRule('LIST-4', 'create', { 'list-100-last': scriptJson(200, [animal]) })
    assert.doesNotMatch(lastPageFinding.reason, /this run created/)
  })

  it('counts the values of a repeated header', () => {
    const repeatedHeaders = [...createHeaders(), ['x-ratelimit-limit', '60'] as const]
    const { reason } = judgeRule('RATE-4', 'read', { list: { headers: repeatedHeaders } })
    assert.match(reason, /has 2 X-RateLimit-Limit headers: 60, 60/)
  })

  it('reports a server clock that is 5 hours ahead', () => {
    const serverDate = 'Fri, 20 Nov 2026 17:00:00 GMT'
    const { reason } = judgeRule('RATE-6', 'read', { list: { headers: createHeaders({ date: serverDate }) } })
    assert.match(
      reason,
      /s in the past according to its Date header, which is 5 hours ahead of the suite's clock/,
    )
  })

  it('suggests a firewall as the cause if only one body returned 403', () => {
    const finding403 = judgeRule('CREATE-22', 'create', { 'create-unusual-name': scriptError(403) })
    assert.equal(finding403.outcome, 'no-evidence')
    assert.match(finding403.reason, /no other body returned 403: a firewall/)
    const findingForAllRejected = judgeRule(
      'CREATE-22',
      'create',
      scriptEach([...validCreationIds, 'create-text-plain', 'create-again'], scriptError(403)),
    )
    assert.match(findingForAllRejected.reason, /the key may not create animals/)
  })

  it('does not excuse a 403 to an invalid body', () => {
    assert.equal(
      judgeRule('CREATE-9', 'create', { 'refuse-empty-object': scriptError(403) }).outcome,
      'broken',
    )
  })
})

testRules('read', {
  'VER-1 is inconclusive if no operation is found': [
    'no-evidence',
    scriptEach(pageStepIds, scriptJson(200, {})),
  ],
})
