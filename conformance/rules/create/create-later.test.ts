import { type Case, judges } from '../../testing/judges.ts'
import { allPages, each, firstNewId, json, type Script } from '../../testing/recorded.ts'

const page = (name: string, categoryId: number) => json(200, [{ id: firstNewId, name, categoryId }])
const sent = 'Testabcd ava'
const everyPage = (name: string, categoryId = 1): Script => each(allPages, page(name, categoryId))
const got = (name: string): Script =>
  each(['get-created', 'get-created-again'], json(200, { id: firstNewId, name, categoryId: 1 }))

const cases: readonly Case[] = [
  ['CREATE-26', 'a page with another name breaks it', everyPage('Rex'), 'broken'],
  ['CREATE-26', 'a page with another category breaks it', everyPage(sent, 2), 'broken'],
  ['CREATE-26', 'a getPet with another name breaks it', got('Rex'), 'broken'],
  [
    'CREATE-26',
    'only the last page that shows the animal counts',
    { ...everyPage('Rex'), 'list-100-last': page(sent, 1) },
    'holds',
  ],
  [
    'CREATE-26',
    'a difference that only one page shows is no evidence',
    { ...everyPage(sent), 'list-100-last': page('Rex', 1) },
    'no-evidence',
  ],
  [
    'CREATE-26',
    'a difference that only one getPet shows is no evidence',
    { 'get-created': json(200, { id: firstNewId, name: 'Rex', categoryId: 1 }) },
    'no-evidence',
  ],
  [
    'CREATE-26',
    'another status is no evidence: it may be another client’s work',
    { 'get-created': json(200, { id: firstNewId, name: sent, categoryId: 1, status: 'sold' }) },
    'no-evidence',
  ],
  [
    'CREATE-26',
    'getPet does not count once it may be gone',
    got('Rex'),
    'holds',
    { now: '2030-12-05T00:00:00Z' },
  ],
  [
    'CREATE-26',
    'an int64 that later loses its last digit breaks it',
    {
      'create-int64': {
        status: 201,
        body: '{"id":777,"name":"Testabcd big","categoryId":9007199254740993,"status":"sold"}',
      },
      ...each(['list-sold-100', 'list-100-last'], {
        body: '[{"id":777,"name":"Testabcd big","categoryId":9007199254740992,"status":"sold"}]',
      }),
    },
    'broken',
  ],
  [
    'CREATE-26',
    'a creation whose own response differs is CREATE-3’s to judge',
    {
      'create-available': json(201, { id: firstNewId, name: 'Rex', categoryId: 1 }),
      ...got('Rex'),
    },
    'holds',
  ],
  [
    'CREATE-26',
    'there is no evidence if no later response shows a new animal',
    {
      ...each(allPages, json(200, [])),
      ...each(['get-created', 'get-created-again'], 'left out'),
    },
    'no-evidence',
  ],
]

judges('create', cases)
