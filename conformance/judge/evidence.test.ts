import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Evidence, RuleResult } from '../report/report.ts'
import { animals, headers, json, recorded, type Script } from '../testing/recorded.ts'
import { judge } from './judge.ts'

const judged = (rule: string, script: Script): RuleResult =>
  judge(recorded('read', script)).rules.find(({ id }) => id === rule) ?? assert.fail(rule)
const evidence = (rule: string, script: Script): Evidence =>
  judged(rule, script).evidence ?? assert.fail(judged(rule, script).reason)

const list = (edit: (animal: (typeof animals)[number]) => unknown): Script => ({
  list: json(200, animals.slice(0, 20).map(edit)),
})

describe('evidence', () => {
  it('marks the wrong value; the reason has its index and id', () => {
    const script = list((animal) => (animal.id === 4 ? { ...animal, name: 7 } : animal))
    const { at, body, status, contentType, exchange } = evidence('LIST-4', script)
    assert.equal(at, '$[3].name in the body')
    assert.equal(body?.marked, '7')
    assert.match(body.before, /^….*"id":4,"name":$/)
    assert.match(body.after, /^,"categoryId":\d.*…$/)
    assert.deepEqual([exchange, status, contentType], ['list', 200, 'application/json'])
    assert.match(
      judged('LIST-4', script).reason,
      /^GET \/pets \(list\) has an element \(index 3, id 4\) that has the name 7/,
    )
  })

  it('marks the object that lacks a member', () => {
    const { at, body } = evidence(
      'LIST-4',
      list(({ id, name, categoryId }) => (id === 2 ? { id, name } : { id, name, categoryId })),
    )
    assert.equal(at, '$[1].categoryId in the body, which is missing')
    assert.equal(body?.marked, '{"id":2,"name":"Pet 2"}')
  })

  it('marks the first invalid character of a body that is not JSON', () => {
    const cut = '[{"id":1,"name":"Ad'
    const { at, body } = evidence('LIST-3', { list: { body: cut } })
    assert.equal(body?.before + (body?.marked ?? '') + body?.after, cut)
    assert.match(at ?? '', /^character \d+ of the body, where it stops being JSON$/)
    assert.equal(evidence('LIST-3', { list: { body: '\ufeff[]' } }).body?.marked, '\ufeff')
  })

  it('has the line of a header, or says that it is missing', () => {
    const reset = { headers: headers({ 'x-ratelimit-reset': '60' }) }
    const expected = { before: 'x-ratelimit-reset: ', marked: '60', after: '' }
    assert.deepEqual(evidence('RATE-6', { list: reset }).header, expected)
    const missing = { headers: headers({ 'x-ratelimit-limit': undefined }) }
    const { at, header } = evidence('RATE-1', { list: missing })
    assert.equal(at, 'the header x-ratelimit-limit, which is missing')
    assert.equal(header, undefined)
  })

  it('has the Location of a redirect', () => {
    const location = {
      status: 308,
      headers: headers({ location: 'https://www.pets.test/v1/pets' }),
      body: '',
    }
    const expected = { before: 'location: ', marked: 'https://www.pets.test/v1/pets', after: '' }
    assert.deepEqual(evidence('AUTH-1', { 'no-key-list': location }).header, expected)
  })

  it('is the start of the body, without a mark, for a status', () => {
    const { at, body, status } = evidence('AUTH-1', { 'no-key-list': { status: 200, body: '[1,2]' } })
    assert.deepEqual([at, body, status], [undefined, { before: '', marked: '', after: '[1,2]' }, 200])
  })

  it('has no body if the response has none, or if it was not read', () => {
    assert.ok(!('body' in evidence('AUTH-1', { 'no-key-list': { status: 204, body: '' } })))
    assert.ok(!('body' in evidence('AUTH-1', { 'no-key-list': { status: 200, body: '', truncated: true } })))
  })

  it('is short, however long a body is', () => {
    const name = 'x'.repeat(500_000)
    const { body, at } = evidence('ERR-1', {
      'no-key-list': json(401, { [name]: 1, code: [name], message: name, status: 401 }),
    })
    assert.ok(JSON.stringify([body, at]).length < 700)
    assert.match(body?.marked ?? '', /^\["x+…$/)
  })

  it('is absent if a rule holds', () => {
    assert.ok(judge(recorded('read')).rules.every((rule) => !('evidence' in rule)))
  })
})
