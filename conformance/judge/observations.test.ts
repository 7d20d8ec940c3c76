import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Profile } from '../steps/profile.ts'
import {
  animals,
  buildTranscript,
  createHeaders,
  keyStepIds,
  pageStepIds,
  type Script,
  scriptEach,
  scriptError,
  scriptJson,
} from '../testing/recorded.ts'
import { observe } from './observations.ts'

const observeGap = (gap: string, script: Script = {}, profile: Profile = 'create'): string | undefined =>
  observe(buildTranscript(profile, script)).find((observation) => observation.gap === gap)?.observed

const scriptHeader = (name: string, value: string) => ({ headers: createHeaders({ [name]: value }) })
const scriptRemaining = (before: string, after: string): Script => ({
  'limit-beyond-int64': scriptHeader('x-ratelimit-remaining', before),
  'list-after-burn': scriptHeader('x-ratelimit-remaining', after),
})

type Case = readonly [observed: string | undefined, script?: Script, profile?: Profile]

const cases: Readonly<Record<string, readonly Case[]>> = {
  'default status': [
    ['"available"'],
    ['none', { 'create-own-id': scriptJson(201, { id: 7, name: '', categoryId: 1 }) }],
    [
      '"sold"',
      { 'create-own-id': scriptError(400), 'create-no-status': scriptJson(201, { status: 'sold' }) },
    ],
    [undefined, { 'create-own-id': scriptError(400) }],
  ],
  'an invalid limit': [
    [
      '0: 400 "e"; -1: 400 "e"; 101: 200 with 25 animals; abc: 400 "e"',
      { 'limit-101': scriptJson(200, animals) },
    ],
  ],
  'an undeclared status': [
    ['200 with 0 animals', { 'status-undeclared': scriptJson(200, []) }],
    [undefined, { 'status-undeclared': { error: 'reset' } }],
  ],
  'a malformed petId': [['404', { 'get-word': { status: 404, body: '' } }]],
  'the order of animals in a list': [['ascending id', {}, 'read']],
  'page links': [
    ['the response has no Link header'],
    ['</pets?page=2>; rel="next"', { list: scriptHeader('link', '</pets?page=2>; rel="next"') }],
  ],
  'error codes': [
    [
      '400 "e"; 401 "e"; 404 "e"; 404 "gone"; 405 "e"',
      { 'get-word': scriptJson(404, { code: 'gone', message: '', status: 404 }) },
    ],
  ],
  'the body of a 429 response': [
    [undefined],
    ['{"code":"e","message":"No.","status":429}', {}, 'exhaust'],
    ['empty', { 'burn-4': { body: '' } }, 'exhaust'],
    [`${'x'.repeat(199)}…`, { 'burn-4': { body: 'x'.repeat(300) } }, 'exhaust'],
  ],
  'deprecation headers': [
    ['none'],
    [
      'deprecation: @7; sunset: x',
      { 'get-listed': { headers: createHeaders({ deprecation: '@7', sunset: 'x' }) } },
    ],
  ],
  'the limit in the headers': [
    ['60 (free per minute)'],
    [
      '1000 (free per day, business per minute); 60 (free per minute)',
      { list: scriptHeader('x-ratelimit-limit', '1000') },
    ],
    ['7 (no known plan); 60 (free per minute)', { list: scriptHeader('x-ratelimit-limit', '7') }],
  ],
  'limits for anonymous clients': [
    ['Limit: 5; Remaining: none; Reset: none', { 'no-key-list': { headers: [['x-ratelimit-limit', '5']] } }],
  ],
  'unknown members in a body': [
    ['201, without the unknown member'],
    ['201, with the unknown member', { 'create-own-id': scriptJson(201, { nickname: 'Spot' }) }],
    ['400 "e"', { 'create-own-id': scriptError(400) }],
  ],
  'operations that lower X-RateLimit-Remaining': [
    ['listPets, getPet, createPet'],
    [
      'listPets, createPet; not getPet',
      scriptEach(
        ['get-listed', 'get-first', 'get-last', 'get-created'],
        scriptHeader('x-ratelimit-remaining', '60'),
      ),
    ],
    [
      'none; not listPets, getPet',
      scriptEach([...keyStepIds, 'list-after-burn'], { headers: createHeaders() }),
      'exhaust',
    ],
  ],
  'a limit shared by two keys': [
    [
      'not shared: X-RateLimit-Remaining for the first key was 20 before and 19 after 3 requests with the other key',
      scriptRemaining('20', '19'),
      'exhaust',
    ],
    [
      'shared: X-RateLimit-Remaining for the first key was 20 before and 16 after 3 requests with the other key',
      scriptRemaining('20', '16'),
      'exhaust',
    ],
    ['shared: the first key is also rate-limited', { 'list-after-burn': scriptError(429) }, 'exhaust'],
    [undefined, { 'list-after-burn': scriptHeader('x-ratelimit-limit', '1000') }, 'exhaust'],
  ],
  'an unknown path': [['404 "e"', {}, 'read']],
  'an unsupported method': [['405 "e"'], [undefined, {}, 'read']],
  'a creation repeated with its Idempotency-Key': [
    ['201, with the same animal'],
    [
      '201, with a second animal',
      { 'create-again': scriptJson(201, { id: 900, name: 'Testabcd ava', categoryId: 1 }) },
    ],
    ['409 "e"', { 'create-again': scriptError(409) }],
  ],
  'a body with another media type': [['415 "e"', { 'create-text-plain': scriptError(415) }]],
}

describe('observations about a deployment', () => {
  for (const [gap, observations] of Object.entries(cases)) {
    for (const [observed, script, profile] of observations) {
      it(`report ${observed ?? 'nothing'} for ${gap}`, () =>
        assert.equal(observeGap(gap, script, profile), observed))
    }
  }

  it('describe how pages are ordered', () => {
    const observeOrder = (...places: readonly number[]) => {
      const page = places.flatMap((n) => animals[n] ?? [])
      return observeGap(
        'the order of animals in a list',
        { ...scriptEach(pageStepIds, scriptJson(200, [])), 'list-100': scriptJson(200, page) },
        'read',
      )
    }
    assert.equal(observeOrder(3, 2, 1), 'descending id')
    assert.equal(observeOrder(0, 10, 9, 1), 'sorted neither by id nor by name')
    assert.equal(observeOrder(0, 9, 1), 'by name')
    assert.equal(observeOrder(0), undefined)
  })

  it('are empty for a run without exchanges', () => {
    assert.deepEqual(observe(buildTranscript('read', {}, { exchanges: [] })), [])
  })
})
