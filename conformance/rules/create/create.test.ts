import { type Case, judges } from '../../testing/judges.ts'
import {
  allPages,
  animals,
  each,
  error,
  firstNewId,
  headers,
  json,
  type Script,
  validIds,
} from '../../testing/recorded.ts'

const ordinary = ['create-available', 'create-pending', 'create-sold', 'create-no-status']
const others = ['create-once', 'create-text-plain']
const noneAccepted = (status: number): Script => each([...validIds, ...others], error(status))
const first = { id: firstNewId, name: 'Testabcd ava', categoryId: 1, status: 'available' }
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
    'a 400 is no evidence where no valid body is accepted: the category may take no animals',
    noneAccepted(400),
    'no-evidence',
  ],
  [
    'CREATE-1',
    'a 400 in a category that was given breaks it',
    noneAccepted(400),
    'broken',
    { categoryId: '1' },
  ],
  ['CREATE-1', 'a 400 to one status is CREATE-4’s to judge', { 'create-available': error(400) }, 'holds'],
  ['CREATE-1', 'a 422 breaks it', { ...unlisted, ...noneAccepted(422) }, 'broken'],
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
  ['CREATE-3', 'another name breaks it', created({ name: 'Testabcd Ava' }), 'broken'],
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
  [
    'CREATE-4',
    'a rejected status is no evidence where only unusual bodies are accepted',
    each(ordinary, error(400)),
    'no-evidence',
  ],
  ['CREATE-4', 'a 422 breaks it even so', each(ordinary, error(422)), 'broken'],
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
    each([...validIds, ...others, 'create-once-again'], json(201, {})),
    'no-evidence',
  ],
  ['CREATE-25', 'HTML breaks it', { 'create-sold': html }, 'broken'],
]

const spelt = (id: number, name: string, categoryId: string) => ({
  status: 201,
  body: `{"id":${id},"name":"${name}","categoryId":${categoryId}}`,
})
const large = (categoryId: string): Script => ({ 'create-int64': spelt(105, 'Testabcd big', categoryId) })

/** The response to the unusual name, with another end of the name. */
const unusual = (end: string): Script => ({
  'create-unusual-name': json(201, { id: 106, name: `Testabcd ${end}`, categoryId: 1, status: 'pending' }),
})
const shownLater = { id: 106, categoryId: 1, status: 'pending' }

const exact: readonly Case[] = [
  ['CREATE-21', 'a double breaks it', large('9007199254740992'), 'broken'],
  ['CREATE-21', 'text breaks it', large('"9007199254740993"'), 'broken'],
  ['CREATE-21', '9007199254740993.0 is the same integer', large('9007199254740993.0'), 'holds'],
  [
    'CREATE-21',
    'a 400 is no evidence if the small category was not tried',
    { 'create-int64': error(400) },
    'no-evidence',
  ],
  [
    'CREATE-21',
    'a 400 breaks it where a small category is accepted',
    { 'create-int64': error(400), 'create-small-category': spelt(105, 'Testabcd sml', '123456789') },
    'broken',
  ],
  [
    'CREATE-21',
    'it does not apply where a small category is rejected too',
    { 'create-int64': error(400), 'create-small-category': error(400) },
    'not-applicable',
  ],
  [
    'CREATE-21',
    'nothing is proved where nothing is accepted',
    { ...noneAccepted(400), 'create-small-category': error(400) },
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
  ['CREATE-22', 'question marks break it', unusual('????? &<"\''), 'broken'],
  ['CREATE-22', 'punctuation is CREATE-28’s to judge', unusual('ŁΩК猫𠮷ש &amp;'), 'holds'],
  ['CREATE-22', 'a name in another normal form does not break it', unusual('ŁΩК猫𠮷ש &<"\''), 'holds'],
  [
    'CREATE-22',
    'it does not apply where the name is rejected: limits on names are a gap',
    { 'create-unusual-name': error(400) },
    'not-applicable',
  ],
  ['CREATE-22', 'nothing is proved where nothing is accepted', noneAccepted(400), 'no-evidence'],
  ['CREATE-28', 'entities break it', unusual('ŁΩК猫𠮷ש &amp;&lt;&quot;&#39;'), 'broken'],
  ['CREATE-28', 'doubled quotes break it', unusual("ŁΩК猫𠮷ש &<\"''"), 'broken'],
  ['CREATE-28', 'letters are CREATE-22’s to judge', unusual('? &<"\''), 'holds'],
  [
    'CREATE-28',
    'it does not apply where the name is rejected',
    { 'create-unusual-name': error(400) },
    'not-applicable',
  ],
  [
    'CREATE-28',
    'two later pages with entities break it',
    each(
      ['list-pending-100', 'list-100-last'],
      json(200, [{ ...shownLater, name: 'Testabcd ŁΩК猫𠮷ש &amp;' }]),
    ),
    'broken',
  ],
  [
    'CREATE-28',
    'one later page does not',
    { 'list-pending-100': json(200, [{ ...shownLater, name: 'Testabcd ŁΩК猫𠮷ש &amp;' }]) },
    'holds',
  ],
  [
    'CREATE-23',
    'the id that the body asked for breaks it',
    { 'create-own-id': spelt(20000000000000, 'Testabcd own', '1') },
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
