import assert from 'node:assert/strict'
import { test } from 'node:test'
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

const cases: readonly (readonly [
  gap: string,
  script: Script,
  observed: string | undefined,
  profile?: Profile,
])[] = [
  ['default status', {}, '"available"'],
  ['default status', { 'create-no-status': json(201, { id: 7, name: '', categoryId: 1 }) }, 'none'],
  ['default status', { 'create-no-status': error(400) }, undefined],
  [
    'an invalid limit',
    { 'limit-101': json(200, animals) },
    '0: 400 "e"; -1: 400 "e"; 101: 200 with 25 animals; abc: 400 "e"',
  ],
  ['an undeclared status', { 'status-undeclared': json(200, []) }, '200 with 0 animals'],
  ['an undeclared status', { 'status-undeclared': { error: 'reset' } }, undefined],
  ['a malformed petId', { 'get-word': { status: 404, body: '' } }, '404'],
  ['order of a page', {}, 'ascending id', 'read'],
  ['page links', {}, 'no Link header'],
  [
    'page links',
    { list: { headers: headers({ link: '</pets?page=2>; rel="next"' }) } },
    '</pets?page=2>; rel="next"',
  ],
  [
    'error codes',
    { 'get-word': json(404, { code: 'gone', message: '', status: 404 }) },
    '400 "e"; 401 "e"; 404 "e"; 404 "gone"; 405 "e"',
  ],
  ['the body of a 429', {}, undefined],
  ['the body of a 429', {}, '{"code":"e","message":"No.","status":429}', 'exhaust'],
  ['the body of a 429', { 'burn-4': { body: '' } }, 'empty', 'exhaust'],
  ['the body of a 429', { 'burn-4': { body: 'x'.repeat(300) } }, `${'x'.repeat(199)}…`, 'exhaust'],
  ['deprecation headers', {}, 'none'],
  [
    'deprecation headers',
    { 'get-listed': { headers: headers({ deprecation: '@7', sunset: 'x' }) } },
    'deprecation: @7; sunset: x',
  ],
  ['which limit the headers show', {}, '60 (free, by the minute)'],
  [
    'which limit the headers show',
    { list: { headers: headers({ 'x-ratelimit-limit': '1000' }) } },
    '1000 (free, by the day, business, by the minute); 60 (free, by the minute)',
  ],
  [
    'which limit the headers show',
    { list: { headers: headers({ 'x-ratelimit-limit': '7' }) } },
    '7 (of no plan); 60 (free, by the minute)',
  ],
  [
    'the limits of an anonymous client',
    { 'no-key-list': { headers: [['x-ratelimit-limit', '5']] } },
    'Limit: 5; Remaining: none; Reset: none',
  ],
  ['unknown members of a body', {}, '201, and the response leaves out the unknown member'],
  [
    'unknown members of a body',
    { 'create-own-id': json(201, { nickname: 'Spot' }) },
    '201, and the response shows the unknown member',
  ],
  ['unknown members of a body', { 'create-own-id': error(400) }, '400 "e"'],
  ['which operations lower Remaining', {}, 'listPets, createPet, getPet'],
  [
    'which operations lower Remaining',
    each(['get-listed', 'get-created'], { headers: headers({ 'x-ratelimit-remaining': '60' }) }),
    'listPets, createPet; not getPet',
  ],
  [
    'which operations lower Remaining',
    each([...keyedIds, 'list-after-burn'], { headers: headers() }),
    'none; not listPets, getPet',
    'exhaust',
  ],
  [
    'whether two keys share one limit',
    {
      'limit-beyond-int64': { headers: headers({ 'x-ratelimit-remaining': '20' }) },
      'list-after-burn': { headers: headers({ 'x-ratelimit-remaining': '19' }) },
    },
    'not shared: 20 remained of the first key before the burn, 19 after 3 requests',
    'exhaust',
  ],
  [
    'whether two keys share one limit',
    {
      'limit-beyond-int64': { headers: headers({ 'x-ratelimit-remaining': '20' }) },
      'list-after-burn': { headers: headers({ 'x-ratelimit-remaining': '16' }) },
    },
    'shared: 20 remained of the first key before the burn, 16 after 3 requests',
    'exhaust',
  ],
  [
    'whether two keys share one limit',
    { 'list-after-burn': error(429) },
    'shared: after the burn, the first key returns 429 too',
    'exhaust',
  ],
  [
    'whether two keys share one limit',
    { 'list-after-burn': { headers: headers({ 'x-ratelimit-limit': '1000' }) } },
    undefined,
    'exhaust',
  ],
  ['an unknown path', {}, '404 "e"', 'read'],
  ['a method that a path does not have', {}, '405 "e"'],
  ['a method that a path does not have', {}, undefined, 'read'],
  ['a creation that is sent twice, with an Idempotency-Key', {}, '201, with the same animal'],
  [
    'a creation that is sent twice, with an Idempotency-Key',
    { 'create-once-again': json(201, { id: 900, name: 'Testabcd idm', categoryId: 1 }) },
    '201, with a second animal',
  ],
  ['a creation that is sent twice, with an Idempotency-Key', { 'create-once-again': error(409) }, '409 "e"'],
  ['a body of another media type', { 'create-text-plain': error(415) }, '415 "e"'],
]

for (const [gap, script, observed, profile] of cases) {
  test(`the gap "${gap}" is observed as: ${observed ?? 'not shown'}`, () =>
    assert.equal(seen(gap, script, profile), observed))
}

test('the observed order of a page is by id, by name, or neither', () => {
  const order = (...places: readonly number[]) => {
    const page = json(
      200,
      places.flatMap((n) => animals[n] ?? []),
    )
    return seen('order of a page', { ...each(allPages, json(200, [])), 'list-100': page }, 'read')
  }
  assert.equal(order(3, 2, 1), 'descending id')
  assert.equal(order(0, 10, 9, 1), 'neither by id nor by name')
  assert.equal(order(0, 9, 1), 'by name')
  assert.equal(order(0), undefined)
})

test('a transcript without exchanges has no observations', () => {
  assert.deepEqual(observe(recorded('read', {}, { exchanges: [] })), [])
})
