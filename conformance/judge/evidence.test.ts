import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Evidence, RuleResult } from '../report/report.ts'
import { animals, buildTranscript, createHeaders, type Script, scriptJson } from '../testing/recorded.ts'
import { judge } from './judge.ts'

const judgeRule = (rule: string, script: Script): RuleResult =>
  judge(buildTranscript('read', script)).rules.find(({ id }) => id === rule) ?? assert.fail(rule)
const getEvidence = (rule: string, script: Script): Evidence =>
  judgeRule(rule, script).evidence ?? assert.fail(judgeRule(rule, script).reason)

const scriptList = (edit: (animal: (typeof animals)[number]) => unknown): Script => ({
  list: scriptJson(200, animals.slice(0, 20).map(edit)),
})

describe('evidence for a broken rule', () => {
  it('shows the wrong value and the text around it', () => {
    const script = scriptList((animal) => (animal.id === 4 ? { ...animal, name: 7 } : animal))
    const { at, body, status, contentType, exchange } = getEvidence('LIST-4', script)
    assert.equal(at, '$[3].name in the body')
    assert.equal(body?.marked, '7')
    assert.match(body.before, /^….*"id":4,"name":$/)
    assert.match(body.after, /^,"categoryId":\d.*…$/)
    assert.deepEqual([exchange, status, contentType], ['list', 200, 'application/json'])
    assert.match(
      judgeRule('LIST-4', script).reason,
      /^GET \/pets \(list\) has an element \(index 3, id 4\) that has the name 7/,
    )
  })

  it('shows the object that lacks a member', () => {
    const { at, body } = getEvidence(
      'LIST-4',
      scriptList(({ id, name, categoryId }) => (id === 2 ? { id, name } : { id, name, categoryId })),
    )
    assert.equal(at, '$[1].categoryId in the body (missing)')
    assert.equal(body?.marked, '{"id":2,"name":"Pet 2"}')
  })

  it('shows how a body that is not JSON begins', () => {
    const truncatedBody = '[{"id":1,"name":"Ad'
    const { at, body } = getEvidence('LIST-3', { list: { body: truncatedBody } })
    assert.deepEqual([at, body], [undefined, { before: '', marked: '', after: truncatedBody }])
  })

  it('shows the wrong header, or names the missing one', () => {
    const relativeResetResponse = { headers: createHeaders({ 'x-ratelimit-reset': '60' }) }
    const expectedExcerpt = { before: 'x-ratelimit-reset: ', marked: '60', after: '' }
    assert.deepEqual(getEvidence('RATE-6', { list: relativeResetResponse }).header, expectedExcerpt)
    const missingLimitResponse = { headers: createHeaders({ 'x-ratelimit-limit': undefined }) }
    const { at, header } = getEvidence('RATE-1', { list: missingLimitResponse })
    assert.equal(at, 'header x-ratelimit-limit (missing)')
    assert.equal(header, undefined)
  })

  it('shows where a redirect points to', () => {
    const location = {
      status: 308,
      headers: createHeaders({ location: 'https://www.pets.test/v1/pets' }),
      body: '',
    }
    const expectedExcerpt = { before: 'location: ', marked: 'https://www.pets.test/v1/pets', after: '' }
    assert.deepEqual(getEvidence('AUTH-1', { 'no-key-list': location }).header, expectedExcerpt)
  })

  it('shows how the body begins if only the status is wrong', () => {
    const { at, body, status } = getEvidence('AUTH-1', { 'no-key-list': { status: 200, body: '[1,2]' } })
    assert.deepEqual([at, body, status], [undefined, { before: '', marked: '', after: '[1,2]' }, 200])
  })

  it('has no body if the body is empty or truncated', () => {
    assert.ok(!('body' in getEvidence('AUTH-1', { 'no-key-list': { status: 204, body: '' } })))
    assert.ok(
      !('body' in getEvidence('AUTH-1', { 'no-key-list': { status: 200, body: '', truncated: true } })),
    )
  })

  it('shortens long names and values', () => {
    const name = 'x'.repeat(500_000)
    const { body, at } = getEvidence('ERR-1', {
      'no-key-list': scriptJson(401, { [name]: 1, code: [name], message: name, status: 401 }),
    })
    assert.ok(JSON.stringify([body, at]).length < 700)
    assert.match(body?.marked ?? '', /^\["x+…$/)
  })

  it('is absent from rules that hold', () => {
    assert.ok(judge(buildTranscript('read')).rules.every((rule) => !('evidence' in rule)))
  })
})
