import { type Case, casesOf, judges } from '../../testing/judges.ts'
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

const responses: readonly Case[] = casesOf({
  'CREATE-1': {
    'a 200 breaks it': ['broken', { 'create-available': { status: 200 } }],
    'a 200 to another valid body breaks it': ['broken', { 'create-int64': { status: 200 } }],
    'a 400 is no evidence where no valid body is accepted: the category may take no animals': [
      'no-evidence',
      noneAccepted(400),
    ],
    'a 400 in a category that was given breaks it': ['broken', noneAccepted(400), { categoryId: '1' }],
    'a 400 to one status is CREATE-4’s to judge': ['holds', { 'create-available': error(400) }],
    'a 422 breaks it': ['broken', { ...unlisted, ...noneAccepted(422) }],
    'a key that may only read is no evidence': ['no-evidence', { 'create-available': error(403) }],
  },
  'CREATE-2': {
    'a response without an id breaks it': ['broken', created({ id: undefined })],
    'an id as text breaks it': ['broken', created({ id: '101' })],
    'an empty body breaks it': ['broken', { 'create-sold': { body: '' } }],
    'a body longer than the suite reads is no evidence': [
      'no-evidence',
      { 'create-sold': { body: '', truncated: true } },
    ],
    'nothing is proved where nothing is accepted': ['no-evidence', noneAccepted(400)],
  },
  'CREATE-3': {
    'another name breaks it': ['broken', created({ name: 'Testabcd Ava' })],
    'another category breaks it': ['broken', created({ categoryId: 2 })],
    'a response without them is CREATE-2’s to judge': ['no-evidence', each(ordinary, json(201, {}))],
  },
  'CREATE-4': {
    'a rejected status breaks it': ['broken', { 'create-sold': error(400) }],
    'another status breaks it': ['broken', { 'create-sold': json(201, { ...first, status: 'available' }) }],
    'a rejected status is no evidence where only unusual bodies are accepted': [
      'no-evidence',
      each(ordinary, error(400)),
    ],
    'a 422 breaks it even so': ['broken', each(ordinary, error(422))],
    'null breaks it': ['broken', created({ status: null })],
    'a response without a status does not': ['holds', created({ status: undefined })],
    'nothing is proved where nothing is accepted': ['no-evidence', noneAccepted(400)],
    'a response that is no Pet leaves it open': ['no-evidence', { 'create-sold': json(201, {}) }],
  },
  'CREATE-5': {
    'a 400 breaks it': ['broken', { 'create-no-status': error(400) }],
    'an unknown default breaks it': [
      'broken',
      { 'create-no-status': json(201, { ...first, status: 'new' }) },
    ],
    'no default is fine': ['holds', { 'create-no-status': json(201, { ...first, status: undefined }) }],
  },
  'CREATE-6': {
    'an id twice breaks it': ['broken', { 'create-sold': json(201, first) }],
    'the id of a listed animal breaks it': ['broken', created({ id: animals[0]?.id })],
    'one that is created without an id is no evidence': [
      'no-evidence',
      each([...validIds, ...others, 'create-once-again'], json(201, {})),
    ],
  },
  'CREATE-25': { 'HTML breaks it': ['broken', { 'create-sold': html }] },
})

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

const exact: readonly Case[] = casesOf({
  'CREATE-21': {
    'a double breaks it': ['broken', large('9007199254740992')],
    'text breaks it': ['broken', large('"9007199254740993"')],
    '9007199254740993.0 is the same integer': ['holds', large('9007199254740993.0')],
    'a 400 is no evidence if the small category was not tried': [
      'no-evidence',
      { 'create-int64': error(400) },
    ],
    'a 400 breaks it where a small category is accepted': [
      'broken',
      { 'create-int64': error(400), 'create-small-category': spelt(105, 'Testabcd sml', '123456789') },
    ],
    'it does not apply where a small category is rejected too': [
      'not-applicable',
      { 'create-int64': error(400), 'create-small-category': error(400) },
    ],
    'nothing is proved where nothing is accepted': [
      'no-evidence',
      { ...noneAccepted(400), 'create-small-category': error(400) },
    ],
    'a 500 breaks it': ['broken', { 'create-int64': error(500) }],
    'no category comes back as sent: that is CREATE-3’s to judge': [
      'no-evidence',
      { ...large('9'), ...created({ categoryId: 9 }) },
    ],
    'a response without one is CREATE-2’s to judge': ['no-evidence', { 'create-int64': json(201, {}) }],
  },
  'CREATE-22': {
    'question marks break it': ['broken', unusual('????? &<"\'')],
    'punctuation is CREATE-28’s to judge': ['holds', unusual('ŁΩК猫𠮷ש &amp;')],
    'a name in another normal form does not break it': ['holds', unusual('ŁΩК猫𠮷ש &<"\'')],
    'it does not apply where the name is rejected: limits on names are a gap': [
      'not-applicable',
      { 'create-unusual-name': error(400) },
    ],
    'nothing is proved where nothing is accepted': ['no-evidence', noneAccepted(400)],
  },
  'CREATE-28': {
    'entities break it': ['broken', unusual('ŁΩК猫𠮷ש &amp;&lt;&quot;&#39;')],
    'doubled quotes break it': ['broken', unusual("ŁΩК猫𠮷ש &<\"''")],
    'letters are CREATE-22’s to judge': ['holds', unusual('? &<"\'')],
    'it does not apply where the name is rejected': ['not-applicable', { 'create-unusual-name': error(400) }],
    'two later pages with entities break it': [
      'broken',
      each(
        ['list-pending-100', 'list-100-last'],
        json(200, [{ ...shownLater, name: 'Testabcd ŁΩК猫𠮷ש &amp;' }]),
      ),
    ],
    'one later page does not': [
      'holds',
      { 'list-pending-100': json(200, [{ ...shownLater, name: 'Testabcd ŁΩК猫𠮷ש &amp;' }]) },
    ],
  },
  'CREATE-23': {
    'the id that the body asked for breaks it': [
      'broken',
      { 'create-own-id': spelt(20000000000000, 'Testabcd own', '1') },
    ],
    'a 400 is no evidence': ['no-evidence', { 'create-own-id': error(400) }],
    'a 500 breaks it': ['broken', { 'create-own-id': error(500) }],
    'a response without an id is CREATE-2’s to judge': ['no-evidence', { 'create-own-id': json(201, {}) }],
  },
})

judges('create', [...responses, ...exact])
