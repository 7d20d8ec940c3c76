import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judges } from '../testing/judges.ts'
import { allPages, each, error, found, headers, json, recorded, validIds } from '../testing/recorded.ts'
import { catalogue } from './catalogue.ts'

describe('the rules', () => {
  it('have a unique title, and a section of the spec', () => {
    const titles = catalogue.map(({ title }) => title)
    assert.equal(new Set(titles).size, catalogue.length)
    for (const { section } of catalogue) assert.match(section, /^[1-9](\.[1-4])?$/)
  })

  it('hold on a conforming deployment, or do not apply', () => {
    const transcript = recorded('all')
    const other = catalogue.filter((rule) => rule.judge(transcript).outcome !== 'holds').map(({ id }) => id)
    assert.deepEqual(other, ['GET-7', 'GET-8', 'GET-9', 'RATE-8'])
  })

  it('do not pass on a transcript without exchanges', () => {
    const outcomes = catalogue.map((rule) => rule.judge(recorded('all', {}, { exchanges: [] })).outcome)
    assert.ok(outcomes.every((outcome) => outcome === 'no-evidence' || outcome === 'not-applicable'))
  })

  it('do not fail without one of their exchanges', () => {
    const transcript = recorded('all')
    for (const { id } of transcript.exchanges) {
      const exchanges = transcript.exchanges.filter((exchange) => exchange.id !== id)
      const broken = catalogue.filter((rule) => rule.judge({ ...transcript, exchanges }).outcome === 'broken')
      assert.deepEqual(broken, [], `without ${id}`)
    }
  })

  it('are not-run without evidence when the run ended early', () => {
    const transcript = recorded('all', {}, { exchanges: [], endedEarly: 'a 429' })
    const open = catalogue.filter((rule) => rule.judge(transcript).outcome !== 'not-run').map(({ id }) => id)
    assert.deepEqual(open, ['GET-7', 'RATE-7', 'RATE-8'])
  })

  it('refer only to exchanges of the transcript, to each once', () => {
    const transcript = recorded('all')
    const ids = new Set(transcript.exchanges.map(({ id }) => id))
    for (const rule of catalogue) {
      const { exchanges } = rule.judge(transcript)
      assert.ok(exchanges.every((id) => ids.has(id)))
      assert.equal(new Set(exchanges).size, exchanges.length, rule.id)
    }
  })
})

const rejected = json(400, { code: 'unknown_category', message: 'There is no category 1.', status: 400 })
const created = ['create-available', 'create-pending', 'create-sold', 'create-no-status', 'create-int64']

describe('the reason of missing evidence', () => {
  it('quotes the deployment and names --category-id for a rejected body', () => {
    const { outcome, reason } = found('CREATE-23', 'create', { 'create-own-id': rejected })
    assert.equal(outcome, 'no-evidence')
    assert.match(reason, /; the deployment says "unknown_category: There is no category 1\."; /)
    assert.match(reason, /--category-id/)
  })

  it('names --category-id once, and not if it was given', () => {
    const script = { list: json(200, []), 'list-100': json(200, []), ...each(created, rejected) }
    const { reason } = found('CREATE-1', 'create', script)
    assert.match(reason, /the deployment says "unknown_category/)
    assert.equal(reason.match(/--category-id/g)?.length, 1)
    const given = found('CREATE-23', 'create', { 'create-own-id': rejected }, { categoryId: '7' })
    assert.doesNotMatch(given.reason, /--category-id/)
  })

  it('says that a 400 without a body gives no reason', () => {
    const { reason } = found('CREATE-23', 'create', { 'create-own-id': { status: 400, body: '' } })
    assert.match(reason, /the 400 gives no reason/)
  })
})

describe('the reason of a broken rule', () => {
  it('names the accepted invalid body that caused it', () => {
    const animal = { id: 900, name: 'Testabcd bey', categoryId: 9223372036854775808n }
    const { outcome, reason } = found('LIST-4', 'create', {
      'refuse-beyond-int64': json(201, animal),
      'list-100-last': json(200, [animal]),
    })
    assert.equal(outcome, 'broken')
    assert.match(reason, /this run added that animal: the invalid body of refuse-beyond-int64 was accepted/)
    const other = found('LIST-4', 'create', { 'list-100-last': json(200, [animal]) })
    assert.doesNotMatch(other.reason, /this run added/)
  })

  it('says that a header came twice', () => {
    const twice = [...headers(), ['x-ratelimit-limit', '60'] as const]
    const { reason } = found('RATE-4', 'read', { list: { headers: twice } })
    assert.match(reason, /has 2 X-RateLimit-Limit headers: 60, 60/)
  })

  it('says that the server’s clock differs', () => {
    const date = 'Fri, 20 Nov 2026 17:00:00 GMT'
    const { reason } = found('RATE-6', 'read', { list: { headers: headers({ date }) } })
    assert.match(reason, /s past by its Date, which is 5 hours ahead of the clock of the suite/)
  })

  it('mentions a key that may not create only if every creation gets a 403', () => {
    const one = found('CREATE-22', 'create', { 'create-unusual-name': error(403) })
    assert.equal(one.outcome, 'no-evidence')
    assert.match(one.reason, /only this body returned 403: a firewall/)
    const all = found(
      'CREATE-22',
      'create',
      each([...validIds, 'create-text-plain', 'create-again'], error(403)),
    )
    assert.match(all.reason, /the key may not create animals/)
  })

  it('counts a 403 to one invalid body as another status than 400', () => {
    assert.equal(found('CREATE-9', 'create', { 'refuse-empty-object': error(403) }).outcome, 'broken')
  })
})

judges('read', {
  'VER-1 has no evidence if no operation is found': ['no-evidence', each(allPages, json(200, {}))],
})
