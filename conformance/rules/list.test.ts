import { type Case, judges } from '../testing/judges.ts'
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

const singlePages: readonly Case[] = [
  ['LIST-1', 'a 500 breaks it', { list: error(500) }, 'broken'],
  ['LIST-1', 'a 403 to a key that lists breaks it', { 'list-last': error(403) }, 'broken'],
  ['LIST-1', 'a redirect breaks it', { list: { status: 302 } }, 'broken'],
  ['LIST-1', 'a page that is served with 206 breaks it', { 'list-sold': { status: 206 } }, 'broken'],
  ['LIST-1', 'a gateway is no evidence', each([...allPages, ...odd], error(503)), 'no-evidence'],
  ['LIST-1', 'a key that is rejected is no evidence', { list: error(401) }, 'no-evidence'],
  ['LIST-1', 'a 401 later is AUTH-9’s to judge', { 'list-last': error(401) }, 'holds'],
  ['LIST-2', 'HTML breaks it', { 'list-sold': html }, 'broken'],
  ['LIST-2', 'a 204 is no evidence', each(allPages, { status: 204, body: '' }), 'no-evidence'],
  ['LIST-3', 'an object breaks it', { list: json(200, { data: animals }) }, 'broken'],
  ['LIST-3', 'JSON that is cut off breaks it', { list: { body: '[{"id":1' } }, 'broken'],
  ['LIST-3', 'an empty body breaks it', { list: { status: 204, body: '' } }, 'broken'],
  ['LIST-3', 'invalid UTF-8 breaks it', { list: { utf8: false } }, 'broken'],
  [
    'LIST-3',
    'a body longer than the suite reads is no evidence',
    { list: { body: '', truncated: true } },
    'no-evidence',
  ],
  ['LIST-4', 'an element without a name breaks it', first({ name: undefined }), 'broken'],
  ['LIST-4', 'a null name breaks it', first({ name: null }), 'broken'],
  ['LIST-4', 'an id as text breaks it', first({ id: '1' }), 'broken'],
  ['LIST-4', 'a category with a fraction breaks it', first({ categoryId: 1.5 }), 'broken'],
  ['LIST-4', 'an element that is null breaks it', { 'list-100': json(200, [null]) }, 'broken'],
  [
    'LIST-4',
    'an id beyond int64 breaks it',
    { list: { body: '[{"id":9223372036854775808,"name":"","categoryId":1}]' } },
    'broken',
  ],
  [
    'LIST-4',
    '7.0 and 7e0 are integers',
    { list: { body: '[{"id":7.0,"name":"","categoryId":7e0}]' } },
    'holds',
  ],
  [
    'LIST-4',
    'the last int64 is one',
    { list: { body: '[{"id":-9223372036854775808,"name":"","categoryId":9223372036854775807}]' } },
    'holds',
  ],
  ['LIST-4', 'empty pages are no evidence', empty, 'no-evidence'],
  ['LIST-5', 'another status breaks it', first({ status: 'SOLD' }), 'broken'],
  ['LIST-5', 'null breaks it', first({ status: null }), 'broken'],
  ['LIST-5', 'an element without one does not', first({ status: undefined }), 'holds'],
  [
    'LIST-5',
    'it does not apply where no animal has one',
    each(allPages, json(200, [{ id: 1, name: '', categoryId: 1 }])),
    'not-applicable',
  ],
  ['LIST-5', 'empty pages are no evidence', empty, 'no-evidence'],
  ['LIST-18', 'an id twice breaks it', { 'list-100': json(200, [...animals, animals[3]]) }, 'broken'],
  [
    'LIST-18',
    'two ids that only a double takes for one do not',
    {
      list: {
        body: '[{"id":9007199254740993,"name":"","categoryId":1},{"id":9007199254740992,"name":"","categoryId":1}]',
      },
    },
    'holds',
  ],
  ['LIST-18', 'pages of one animal are no evidence', each(allPages, page(1)), 'no-evidence'],
]

const limits: readonly Case[] = [
  ['LIST-6', '21 animals break it', { list: page(21) }, 'broken'],
  ['LIST-6', 'a page that asks for more does not', { 'list-100': page(21) }, 'holds'],
  ['LIST-6', 'empty pages are no evidence', empty, 'no-evidence'],
  [
    'LIST-7',
    'ten animals break it where 25 were there all along',
    each(plain, json(200, animals.slice(0, 10))),
    'broken',
  ],
  ['LIST-7', 'animals that others add in between do not', { list: page(10), 'list-100': page(10) }, 'holds'],
  ['LIST-7', 'a cap at ten is legal, and is no evidence', each(unfilteredPages, page(10)), 'no-evidence'],
  [
    'LIST-7',
    'twenty where there is a next page are right',
    { ...each(allPages, page(20)), list: { ...page(20), headers: headers({ link: '</pets>; rel=next' }) } },
    'holds',
  ],
  ['LIST-8', 'two animals break it', { 'list-1': page(2) }, 'broken'],
  ['LIST-8', 'a 400 breaks it', { 'list-1': error(400) }, 'broken'],
  [
    'LIST-8',
    'the page of a status decides where it is the only one with limit=1',
    { 'list-1': 'left out', 'list-status-1': page(2) },
    'broken',
  ],
  ['LIST-8', 'an empty page is no evidence', { 'list-1': page(0) }, 'no-evidence'],
  ['LIST-8', 'one animal is no evidence where there is one', each(allPages, page(1)), 'no-evidence'],
  ['LIST-8', 'what is no array is LIST-3’s to judge', { 'list-1': json(200, {}) }, 'no-evidence'],
  ['LIST-9', '101 animals break it', { 'list-100': page(101) }, 'broken'],
  ['LIST-9', 'a 400 breaks it', { 'list-100': error(400) }, 'broken'],
  ['LIST-9', 'a page that is capped lower does not', each(large, page(20)), 'holds'],
  ['LIST-9', 'empty pages are no evidence', empty, 'no-evidence'],
  ['LIST-10', '101 animals break it', { 'limit-101': page(101) }, 'broken'],
  ['LIST-10', 'a hundred do not', { 'limit-101': page(100) }, 'holds'],
  ['LIST-10', 'a 422 does not', { 'limit-101': error(422) }, 'holds'],
  ['LIST-10', 'a rejection is no evidence where nothing is listed', { ...empty }, 'no-evidence'],
  [
    'LIST-10',
    'a page is no evidence where nothing is listed',
    { ...empty, 'limit-101': page(0) },
    'no-evidence',
  ],
  ['LIST-10', 'what is no array is LIST-3’s to judge', { 'limit-101': json(200, {}) }, 'no-evidence'],
  ['LIST-11', 'a 500 breaks it', { 'limit-word': error(500) }, 'broken'],
  ['LIST-11', 'a redirect breaks it', { 'limit-0': { status: 301 } }, 'broken'],
  ['LIST-11', 'no animals for 0 are fine', { 'limit-0': page(0) }, 'holds'],
  ['LIST-11', 'the default page is fine', { 'limit-negative': page(20) }, 'holds'],
  ['LIST-11', 'one that a gateway returns leaves it open', { 'limit-0': error(504) }, 'no-evidence'],
  [
    'LIST-19',
    'five animals break it where there are twenty',
    each(large, json(200, animals.slice(0, 5))),
    'broken',
  ],
  [
    'LIST-19',
    'one animal less breaks it, where others stay',
    { 'list-100': json(200, animals.slice(0, 19)) },
    'broken',
  ],
  [
    'LIST-19',
    'animals that others take away in between do not',
    { 'list-100': page(5), 'list-100-last': page(5), ...each(['list-last', 'key-other-case'], page(5)) },
    'no-evidence',
  ],
  ['LIST-19', 'empty pages prove nothing', empty, 'no-evidence'],
  ['LIST-20', 'three animals break it', { 'list-2': page(3) }, 'broken'],
  ['LIST-20', 'a 400 breaks it', { 'list-2': error(400) }, 'broken'],
  ['LIST-20', 'one animal does not', { 'list-2': page(1) }, 'holds'],
  ['LIST-20', 'an empty page proves nothing', { 'list-2': page(0) }, 'no-evidence'],
  ['LIST-20', 'two animals prove nothing where there are two', each(allPages, page(2)), 'no-evidence'],
  ['LIST-20', 'a gateway proves nothing', { 'list-2': error(503) }, 'no-evidence'],
]

judges('read', [...singlePages, ...limits])
