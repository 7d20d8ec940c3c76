import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Profile } from '../steps/profile.ts'
import {
  allPages,
  animals,
  each,
  error,
  headers,
  json,
  keyedIds,
  recorded,
  type Script,
} from '../testing/recorded.ts'
import { observe } from './observations.ts'

const seen = (gap: string, script: Script = {}, profile: Profile = 'create'): string | undefined =>
  observe(recorded(profile, script)).find((observation) => observation.gap === gap)?.observed

const withHeader = (name: string, value: string) => ({ headers: headers({ [name]: value }) })
/** The remaining requests of the first key before and after the burn of the second one. */
const aroundBurn = (before: string, after: string): Script => ({
  'limit-beyond-int64': withHeader('x-ratelimit-remaining', before),
  'list-after-burn': withHeader('x-ratelimit-remaining', after),
})

type Case = readonly [observed: string | undefined, script?: Script, profile?: Profile]

const cases: Readonly<Record<string, readonly Case[]>> = {
  'default status': [
    ['"available"'],
    ['none', { 'create-no-status': json(201, { id: 7, name: '', categoryId: 1 }) }],
    [undefined, { 'create-no-status': error(400) }],
  ],
  'an invalid limit': [
    ['0: 400 "e"; -1: 400 "e"; 101: 200 with 25 animals; abc: 400 "e"', { 'limit-101': json(200, animals) }],
  ],
  'an undeclared status': [
    ['200 with 0 animals', { 'status-undeclared': json(200, []) }],
    [undefined, { 'status-undeclared': { error: 'reset' } }],
  ],
  'a malformed petId': [['404', { 'get-word': { status: 404, body: '' } }]],
  'order of a page': [['ascending id', {}, 'read']],
  'page links': [
    ['no Link header'],
    ['</pets?page=2>; rel="next"', { list: withHeader('link', '</pets?page=2>; rel="next"') }],
  ],
  'error codes': [
    [
      '400 "e"; 401 "e"; 404 "e"; 404 "gone"; 405 "e"',
      { 'get-word': json(404, { code: 'gone', message: '', status: 404 }) },
    ],
  ],
  'the body of a 429': [
    [undefined],
    ['{"code":"e","message":"No.","status":429}', {}, 'exhaust'],
    ['empty', { 'burn-4': { body: '' } }, 'exhaust'],
    [`${'x'.repeat(199)}…`, { 'burn-4': { body: 'x'.repeat(300) } }, 'exhaust'],
  ],
  'deprecation headers': [
    ['none'],
    [
      'deprecation: @7; sunset: x',
      { 'get-listed': { headers: headers({ deprecation: '@7', sunset: 'x' }) } },
    ],
  ],
  'which limit the headers show': [
    ['60 (free per minute)'],
    [
      '1000 (free per day, business per minute); 60 (free per minute)',
      { list: withHeader('x-ratelimit-limit', '1000') },
    ],
    ['7 (of no plan); 60 (free per minute)', { list: withHeader('x-ratelimit-limit', '7') }],
  ],
  'the limits of an anonymous client': [
    ['Limit: 5; Remaining: none; Reset: none', { 'no-key-list': { headers: [['x-ratelimit-limit', '5']] } }],
  ],
  'unknown members of a body': [
    ['201, and the response leaves out the unknown member'],
    ['201, and the response shows the unknown member', { 'create-own-id': json(201, { nickname: 'Spot' }) }],
    ['400 "e"', { 'create-own-id': error(400) }],
  ],
  'which operations lower Remaining': [
    ['listPets, getPet, createPet'],
    [
      'listPets, createPet; not getPet',
      each(['get-listed', 'get-first', 'get-last', 'get-created'], withHeader('x-ratelimit-remaining', '60')),
    ],
    ['none; not listPets, getPet', each([...keyedIds, 'list-after-burn'], { headers: headers() }), 'exhaust'],
  ],
  'whether two keys share one limit': [
    [
      'not shared: 20 remained of the first key before the burn, 19 after 3 requests',
      aroundBurn('20', '19'),
      'exhaust',
    ],
    [
      'shared: 20 remained of the first key before the burn, 16 after 3 requests',
      aroundBurn('20', '16'),
      'exhaust',
    ],
    ['shared: after the burn, the first key returns 429 too', { 'list-after-burn': error(429) }, 'exhaust'],
    [undefined, { 'list-after-burn': withHeader('x-ratelimit-limit', '1000') }, 'exhaust'],
  ],
  'an unknown path': [['404 "e"', {}, 'read']],
  'a method that a path does not have': [['405 "e"'], [undefined, {}, 'read']],
  'a creation that is sent twice, with an Idempotency-Key': [
    ['201, with the same animal'],
    [
      '201, with a second animal',
      { 'create-again': json(201, { id: 900, name: 'Testabcd non', categoryId: 1 }) },
    ],
    ['409 "e"', { 'create-again': error(409) }],
  ],
  'a body of another media type': [['415 "e"', { 'create-text-plain': error(415) }]],
}

describe('the observations', () => {
  for (const [gap, observations] of Object.entries(cases)) {
    for (const [observed, script, profile] of observations) {
      it(`show ${observed ?? 'nothing'} of the gap "${gap}"`, () =>
        assert.equal(seen(gap, script, profile), observed))
    }
  }

  it('have the order of a page: by id, by name, or neither', () => {
    const order = (...places: readonly number[]) => {
      const page = places.flatMap((n) => animals[n] ?? [])
      return seen(
        'order of a page',
        { ...each(allPages, json(200, [])), 'list-100': json(200, page) },
        'read',
      )
    }
    assert.equal(order(3, 2, 1), 'descending id')
    assert.equal(order(0, 10, 9, 1), 'neither by id nor by name')
    assert.equal(order(0, 9, 1), 'by name')
    assert.equal(order(0), undefined)
  })

  it('are absent for a transcript without exchanges', () => {
    assert.deepEqual(observe(recorded('read', {}, { exchanges: [] })), [])
  })
})
