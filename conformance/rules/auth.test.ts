import { type Case, casesOf, judges } from '../testing/judges.ts'
import {
  allPages,
  animals,
  each,
  error,
  headers,
  json,
  keyedIds,
  otherIds,
  type Script,
} from '../testing/recorded.ts'

const listed = json(200, animals.slice(0, 20))
const rejected = { ...error(401), headers: headers() }
const onlyFirst = (status: number): Script => ({ list: error(status), 'list-100': 'left out' })

const burnt = ['burn-1', 'burn-2', 'burn-3', 'burn-4', 'after-burn', 'after-reset']
const nearly = ['longer-key', 'shorter-key', 'swapped-case-key', 'key-in-query', 'key-in-header']

const unauthorized: readonly (readonly [rule: string, id: string])[] = [
  ['AUTH-1', 'no-key-list'],
  ['AUTH-2', 'no-key-get-unknown'],
  ['AUTH-3', 'no-key-create'],
  ['AUTH-4', 'unknown-key-list'],
  ['AUTH-5', 'unknown-key-get'],
  ['AUTH-6', 'unknown-key-create'],
]

judges(
  'create',
  unauthorized.flatMap(([rule, id]): Case[] => [
    [rule, 'a 200 breaks it', { [id]: listed }, 'broken'],
    [rule, 'a 403 breaks it', { [id]: error(403) }, 'broken'],
    [rule, 'a 400 breaks it', { [id]: error(400) }, 'broken'],
    [rule, 'a 500 breaks it', { [id]: error(500) }, 'broken'],
    [rule, 'a gateway is no evidence', { [id]: error(502) }, 'no-evidence'],
    [rule, 'a lost connection is no evidence', { [id]: { error: 'reset' } }, 'no-evidence'],
    [rule, 'a 429 is no verdict', { [id]: error(429) }, 'not-run'],
    [rule, 'it holds where the key is rejected', { list: error(401) }, 'holds'],
  ]),
)

judges('exhaust', [
  ...casesOf({
    'AUTH-2': {
      'it does not apply once getPet may be gone': ['not-applicable', {}, { now: '2030-12-04T00:00:00Z' }],
    },
    'AUTH-7': {
      'being served under another scheme breaks it': ['broken', { 'other-scheme': listed }],
      'a 400 is allowed': ['not-applicable', { 'other-scheme': error(400) }],
      'a 401 is no evidence of a key that is rejected': ['no-evidence', { list: error(401) }],
    },
    'AUTH-8': {
      'being served breaks it': ['broken', { 'empty-token': listed }],
      'a 400 is allowed': ['not-applicable', { 'empty-token': error(400) }],
    },
    'AUTH-9': {
      'a 401 after a page breaks it': ['broken', { 'limit-101': rejected }],
      'a 403 after a page does not': ['holds', { 'get-listed': error(403) }],
      'a key that is rejected with 401 is not judged': ['no-evidence', onlyFirst(401)],
      'a key that is rejected with 403 is not judged': ['no-evidence', onlyFirst(403)],
      'a gateway before the first page is no evidence about the key': ['holds', { list: error(503) }],
      'nothing is proved where only a 429 comes': [
        'no-evidence',
        { ...each([...keyedIds, 'list-after-burn', ...otherIds], 'left out'), list: error(429) },
      ],
    },
    'AUTH-10': {
      'a 401 without a challenge breaks it': ['broken', { 'no-key-list': rejected }],
      'a challenge for another scheme breaks it': [
        'broken',
        { 'no-key-list': { headers: headers({ 'www-authenticate': 'Basic realm="bearers"' }) } },
      ],
      'a challenge among others is enough': [
        'holds',
        { 'no-key-list': { headers: headers({ 'www-authenticate': 'Basic realm="a", bearer realm="b"' }) } },
      ],
      'there is no evidence if no request returns 401': [
        'no-evidence',
        each([...nearly, ...otherIds], listed),
      ],
    },
    'AUTH-11': {
      'a 401 breaks it': ['broken', { 'key-other-case': rejected }],
      'a 500 is no evidence': ['no-evidence', { 'key-other-case': error(500) }],
    },
    'AUTH-12': {
      'being served breaks it': ['broken', { 'key-in-query': listed }],
      'a 400 is no evidence': ['no-evidence', { 'key-in-query': error(400) }],
      'a 401 is no evidence if the key was never accepted': ['no-evidence', each(burnt, rejected)],
    },
    'AUTH-15': {
      'a 400 to one of them is allowed': ['holds', { 'longer-key': error(400) }],
      'it does not apply where each of them is malformed': [
        'not-applicable',
        each(['longer-key', 'shorter-key', 'swapped-case-key'], error(400)),
      ],
      'a key without letters has no other case': ['holds', { 'swapped-case-key': 'left out' }],
      'a 401 is no evidence if the key was never accepted': ['no-evidence', each(burnt, rejected)],
    },
    'AUTH-16': {
      'being served breaks it': ['broken', { 'key-in-header': listed }],
      'a 403 is no evidence': ['no-evidence', { 'key-in-header': error(403) }],
      'a 401 is no evidence if the key was never accepted': ['no-evidence', each(burnt, rejected)],
    },
  }),
  ...['longer-key', 'shorter-key', 'swapped-case-key'].flatMap((id): Case[] => [
    ['AUTH-15', `${id} being served breaks it`, { [id]: listed }, 'broken'],
    ['AUTH-15', `a 403 to ${id} breaks it`, { [id]: error(403) }, 'broken'],
    ['AUTH-15', `a gateway in place of ${id} is no evidence`, { [id]: error(502) }, 'no-evidence'],
  ]),
])

judges(
  'read',
  casesOf({
    'AUTH-2': { 'a 200 to the id of a listed animal breaks it': ['broken', { 'no-key-get': listed }] },
    'AUTH-9': {
      'a 200 that holds no page shows no acceptance': ['no-evidence', each(allPages, json(200, {}))],
    },
  }),
)
