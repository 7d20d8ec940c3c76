import { type Case, casesOf, judges } from '../testing/judges.ts'
import {
  type Animal,
  allPages,
  animals,
  each,
  error,
  headers,
  json,
  type Script,
  unfilteredPages,
} from '../testing/recorded.ts'

const plain = ['list', 'list-last', 'key-other-case']
const large = ['list-100', 'list-100-last']
const odd = [
  'limit-0',
  'limit-negative',
  'limit-101',
  'limit-word',
  'limit-beyond-int64',
  'status-undeclared',
]

const herd = (count: number): readonly Animal[] =>
  Array.from({ length: count }, (_, n) => ({ id: n + 1, name: 'Pet', categoryId: 1, status: 'sold' }))
const page = (count: number) => json(200, herd(count))
const first = (change: Readonly<Record<string, unknown>>): Script => ({
  'list-100': json(200, [{ ...animals[0], ...change }, ...animals.slice(1)]),
})
const empty: Script = each(allPages, json(200, []))
const html = { headers: headers({ 'content-type': 'text/html' }) }

const singlePages: readonly Case[] = casesOf({
  'LIST-1': {
    'a 500 breaks it': ['broken', { list: error(500) }],
    'a 403 to a key that lists breaks it': ['broken', { 'list-last': error(403) }],
    'a redirect breaks it': ['broken', { list: { status: 302 } }],
    'a page that is served with 206 breaks it': ['broken', { 'list-sold': { status: 206 } }],
    'a gateway is no evidence': ['no-evidence', each([...allPages, ...odd], error(503))],
    'a key that is rejected is no evidence': ['no-evidence', { list: error(401) }],
    'a 401 later is AUTH-9’s to judge': ['holds', { 'list-last': error(401) }],
  },
  'LIST-2': {
    'HTML breaks it': ['broken', { 'list-sold': html }],
    'a 204 is no evidence': ['no-evidence', each(allPages, { status: 204, body: '' })],
  },
  'LIST-3': {
    'an object breaks it': ['broken', { list: json(200, { data: animals }) }],
    'JSON that is cut off breaks it': ['broken', { list: { body: '[{"id":1' } }],
    'an empty body breaks it': ['broken', { list: { status: 204, body: '' } }],
    'invalid UTF-8 breaks it': ['broken', { list: { utf8: false } }],
    'a body longer than the suite reads is no evidence': [
      'no-evidence',
      { list: { body: '', truncated: true } },
    ],
  },
  'LIST-4': {
    'an element without a name breaks it': ['broken', first({ name: undefined })],
    'a null name breaks it': ['broken', first({ name: null })],
    'an id as text breaks it': ['broken', first({ id: '1' })],
    'a category with a fraction breaks it': ['broken', first({ categoryId: 1.5 })],
    'an element that is null breaks it': ['broken', { 'list-100': json(200, [null]) }],
    'an id beyond int64 breaks it': [
      'broken',
      { list: { body: '[{"id":9223372036854775808,"name":"","categoryId":1}]' } },
    ],
    '7.0 and 7e0 are integers': ['holds', { list: { body: '[{"id":7.0,"name":"","categoryId":7e0}]' } }],
    'the last int64 is one': [
      'holds',
      { list: { body: '[{"id":-9223372036854775808,"name":"","categoryId":9223372036854775807}]' } },
    ],
    'empty pages are no evidence': ['no-evidence', empty],
  },
  'LIST-5': {
    'another status breaks it': ['broken', first({ status: 'SOLD' })],
    'null breaks it': ['broken', first({ status: null })],
    'an element without one does not': ['holds', first({ status: undefined })],
    'it does not apply where no animal has one': [
      'not-applicable',
      each(allPages, json(200, [{ id: 1, name: '', categoryId: 1 }])),
    ],
    'empty pages are no evidence': ['no-evidence', empty],
  },
  'LIST-18': {
    'an id twice breaks it': ['broken', { 'list-100': json(200, [...animals, animals[3]]) }],
    'two ids that only a double takes for one do not': [
      'holds',
      {
        list: {
          body: '[{"id":9007199254740993,"name":"","categoryId":1},{"id":9007199254740992,"name":"","categoryId":1}]',
        },
      },
    ],
    'pages of one animal are no evidence': ['no-evidence', each(allPages, page(1))],
  },
})

const limits: readonly Case[] = casesOf({
  'LIST-6': {
    '21 animals break it': ['broken', { list: page(21) }],
    'a page that asks for more does not': ['holds', { 'list-100': page(21) }],
    'empty pages are no evidence': ['no-evidence', empty],
  },
  'LIST-7': {
    'ten animals break it where 25 were there all along': [
      'broken',
      each(plain, json(200, animals.slice(0, 10))),
    ],
    'animals that others add in between do not': ['holds', { list: page(10), 'list-100': page(10) }],
    'a cap at ten is legal, and is no evidence': ['no-evidence', each(unfilteredPages, page(10))],
    'twenty where there is a next page are right': [
      'holds',
      { ...each(allPages, page(20)), list: { ...page(20), headers: headers({ link: '</pets>; rel=next' }) } },
    ],
  },
  'LIST-8': {
    'two animals break it': ['broken', { 'list-1': page(2) }],
    'a 400 breaks it': ['broken', { 'list-1': error(400) }],
    'the page of a status decides where it is the only one with limit=1': [
      'broken',
      { 'list-1': 'left out', 'list-status-1': page(2) },
    ],
    'an empty page is no evidence': ['no-evidence', { 'list-1': page(0) }],
    'one animal is no evidence where there is one': ['no-evidence', each(allPages, page(1))],
    'what is no array is LIST-3’s to judge': ['no-evidence', { 'list-1': json(200, {}) }],
  },
  'LIST-9': {
    '101 animals break it': ['broken', { 'list-100': page(101) }],
    'a 400 breaks it': ['broken', { 'list-100': error(400) }],
    'a page that is capped lower does not': ['holds', each(large, page(20))],
    'empty pages are no evidence': ['no-evidence', empty],
  },
  'LIST-10': {
    '101 animals break it': ['broken', { 'limit-101': page(101) }],
    'a hundred do not': ['holds', { 'limit-101': page(100) }],
    'a 422 does not': ['holds', { 'limit-101': error(422) }],
    'a rejection is no evidence where nothing is listed': ['no-evidence', { ...empty }],
    'a page is no evidence where nothing is listed': ['no-evidence', { ...empty, 'limit-101': page(0) }],
    'what is no array is LIST-3’s to judge': ['no-evidence', { 'limit-101': json(200, {}) }],
  },
  'LIST-11': {
    'a 500 breaks it': ['broken', { 'limit-word': error(500) }],
    'a redirect breaks it': ['broken', { 'limit-0': { status: 301 } }],
    'no animals for 0 are fine': ['holds', { 'limit-0': page(0) }],
    'the default page is fine': ['holds', { 'limit-negative': page(20) }],
    'one that a gateway returns leaves it open': ['no-evidence', { 'limit-0': error(504) }],
  },
  'LIST-19': {
    'five animals break it where there are twenty': ['broken', each(large, json(200, animals.slice(0, 5)))],
    'one animal less breaks it, where others stay': [
      'broken',
      { 'list-100': json(200, animals.slice(0, 19)) },
    ],
    'animals that others take away in between do not': [
      'no-evidence',
      { 'list-100': page(5), 'list-100-last': page(5), ...each(['list-last', 'key-other-case'], page(5)) },
    ],
    'empty pages prove nothing': ['no-evidence', empty],
  },
  'LIST-20': {
    'three animals break it': ['broken', { 'list-2': page(3) }],
    'a 400 breaks it': ['broken', { 'list-2': error(400) }],
    'one animal does not': ['holds', { 'list-2': page(1) }],
    'an empty page proves nothing': ['no-evidence', { 'list-2': page(0) }],
    'two animals prove nothing where there are two': ['no-evidence', each(allPages, page(2))],
    'a gateway proves nothing': ['no-evidence', { 'list-2': error(503) }],
  },
})

judges('read', [...singlePages, ...limits])
