import { type Case, judges } from '../testing/judges.ts'
import {
  allPages,
  animals,
  each,
  error,
  firstNewId,
  headers,
  json,
  type Script,
} from '../testing/recorded.ts'

const ordinary = ['create-available', 'create-pending', 'create-sold', 'create-no-status']
const special = [
  'create-int64',
  'create-scripts',
  'create-own-id',
  'create-unknown-member',
  'create-text-plain',
]
const noneAccepted = (status: number): Script => each([...ordinary, ...special], error(status))
const first = { id: firstNewId, name: 'Trial abcdef available', categoryId: 1, status: 'available' }
const created = (change: Readonly<Record<string, unknown>>): Script => ({
  'create-available': json(201, { ...first, ...change }),
})
const html = { headers: headers({ 'content-type': 'text/html' }) }
const unlisted = each(allPages, json(200, []))

const responses: readonly Case[] = [
  ['CREATE-1', 'a 200 breaks it', { 'create-available': { status: 200 } }, 'broken'],
  ['CREATE-1', 'a 200 to another valid body breaks it', { 'create-int64': { status: 200 } }, 'broken'],
  [
    'CREATE-1',
    'a 400 in the category of a listed animal breaks it',
    { 'create-available': error(400) },
    'broken',
  ],
  [
    'CREATE-1',
    'a 400 in a category that was given breaks it',
    { ...unlisted, 'create-available': error(400) },
    'broken',
    { categoryId: '1' },
  ],
  [
    'CREATE-1',
    'a 400 in a category that no animal has is no evidence',
    { ...unlisted, 'create-available': error(400) },
    'no-evidence',
  ],
  ['CREATE-1', 'a 422 breaks it even so', { ...unlisted, 'create-available': error(422) }, 'broken'],
  ['CREATE-1', 'a key that may only read is no evidence', { 'create-available': error(403) }, 'no-evidence'],
  ['CREATE-2', 'a response without an id breaks it', created({ id: undefined }), 'broken'],
  ['CREATE-2', 'an id as text breaks it', created({ id: '101' }), 'broken'],
  ['CREATE-2', 'an empty body breaks it', { 'create-sold': { body: '' } }, 'broken'],
  [
    'CREATE-2',
    'a body longer than the suite reads is no evidence',
    { 'create-sold': { body: '', truncated: true } },
    'no-evidence',
  ],
  ['CREATE-2', 'nothing is proved where nothing is accepted', noneAccepted(400), 'no-evidence'],
  ['CREATE-3', 'another name breaks it', created({ name: 'Trial abcdef Available' }), 'broken'],
  ['CREATE-3', 'another category breaks it', created({ categoryId: 2 }), 'broken'],
  [
    'CREATE-3',
    'a response without them is CREATE-2’s to judge',
    each(ordinary, json(201, {})),
    'no-evidence',
  ],
  ['CREATE-4', 'a rejected status breaks it', { 'create-sold': error(400) }, 'broken'],
  [
    'CREATE-4',
    'another status breaks it',
    { 'create-sold': json(201, { ...first, status: 'available' }) },
    'broken',
  ],
  ['CREATE-4', 'null breaks it', created({ status: null }), 'broken'],
  ['CREATE-4', 'a response without a status does not', created({ status: undefined }), 'holds'],
  ['CREATE-4', 'nothing is proved where nothing is accepted', noneAccepted(400), 'no-evidence'],
  ['CREATE-4', 'a response that is no Pet leaves it open', { 'create-sold': json(201, {}) }, 'no-evidence'],
  ['CREATE-5', 'a 400 breaks it', { 'create-no-status': error(400) }, 'broken'],
  [
    'CREATE-5',
    'an unknown default breaks it',
    { 'create-no-status': json(201, { ...first, status: 'new' }) },
    'broken',
  ],
  [
    'CREATE-5',
    'no default is fine',
    { 'create-no-status': json(201, { ...first, status: undefined }) },
    'holds',
  ],
  ['CREATE-6', 'an id twice breaks it', { 'create-sold': json(201, first) }, 'broken'],
  ['CREATE-6', 'the id of a listed animal breaks it', created({ id: animals[0]?.id }), 'broken'],
  [
    'CREATE-6',
    'one that is created without an id is no evidence',
    each([...ordinary, ...special], json(201, {})),
    'no-evidence',
  ],
  ['CREATE-25', 'HTML breaks it', { 'create-sold': html }, 'broken'],
]

const spelt = (id: number, name: string, categoryId: string) => ({
  status: 201,
  body: `{"id":${id},"name":"${name}","categoryId":${categoryId}}`,
})
const large = (categoryId: string): Script => ({ 'create-int64': spelt(105, 'Trial abcdef int', categoryId) })

const exact: readonly Case[] = [
  ['CREATE-21', 'a double breaks it', large('9007199254740992'), 'broken'],
  ['CREATE-21', 'text breaks it', large('"9007199254740993"'), 'broken'],
  ['CREATE-21', '9007199254740993.0 is the same integer', large('9007199254740993.0'), 'holds'],
  [
    'CREATE-21',
    'a 400 is no evidence: the category may be unknown',
    { 'create-int64': error(400) },
    'no-evidence',
  ],
  ['CREATE-21', 'a 500 breaks it', { 'create-int64': error(500) }, 'broken'],
  [
    'CREATE-21',
    'no category comes back as sent: that is CREATE-3’s to judge',
    { ...large('9'), ...created({ categoryId: 9 }) },
    'no-evidence',
  ],
  [
    'CREATE-21',
    'a response without one is CREATE-2’s to judge',
    { 'create-int64': json(201, {}) },
    'no-evidence',
  ],
  ['CREATE-22', 'question marks break it', { 'create-scripts': spelt(106, 'Trial abcdef ?', '1') }, 'broken'],
  [
    'CREATE-22',
    'a 400 is no evidence: limits on names are a gap',
    { 'create-scripts': error(400) },
    'no-evidence',
  ],
  [
    'CREATE-23',
    'the id that the body asked for breaks it',
    { 'create-own-id': spelt(20000000000000, 'Trial abcdef own id', '1') },
    'broken',
  ],
  ['CREATE-23', 'a 400 is no evidence', { 'create-own-id': error(400) }, 'no-evidence'],
  ['CREATE-23', 'a 500 breaks it', { 'create-own-id': error(500) }, 'broken'],
  [
    'CREATE-23',
    'a response without an id is CREATE-2’s to judge',
    { 'create-own-id': json(201, {}) },
    'no-evidence',
  ],
]

judges('create', [...responses, ...exact])
