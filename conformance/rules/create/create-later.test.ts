import { type Case, casesOf, judges } from '../../testing/judges.ts'
import { allPages, each, firstNewId, json, type Script } from '../../testing/recorded.ts'

const page = (name: string, categoryId: number) => json(200, [{ id: firstNewId, name, categoryId }])
const sent = 'Testabcd ava'
const everyPage = (name: string, categoryId = 1): Script => each(allPages, page(name, categoryId))
const got = (name: string): Script =>
  each(['get-created', 'get-created-again'], json(200, { id: firstNewId, name, categoryId: 1 }))

const cases: readonly Case[] = casesOf({
  'CREATE-26': {
    'a page with another name breaks it': ['broken', everyPage('Rex')],
    'a page with another category breaks it': ['broken', everyPage(sent, 2)],
    'a getPet with another name breaks it': ['broken', got('Rex')],
    'only the last page that shows the animal counts': [
      'holds',
      { ...everyPage('Rex'), 'list-100-last': page(sent, 1) },
    ],
    'a difference that only one page shows is no evidence': [
      'no-evidence',
      { ...everyPage(sent), 'list-100-last': page('Rex', 1) },
    ],
    'a difference that only one getPet shows is no evidence': [
      'no-evidence',
      { 'get-created': json(200, { id: firstNewId, name: 'Rex', categoryId: 1 }) },
    ],
    'another status is no evidence: it may be another client’s work': [
      'no-evidence',
      { 'get-created': json(200, { id: firstNewId, name: sent, categoryId: 1, status: 'sold' }) },
    ],
    'getPet does not count once it may be gone': ['holds', got('Rex'), { now: '2030-12-05T00:00:00Z' }],
    'an int64 that later loses its last digit breaks it': [
      'broken',
      {
        'create-int64': {
          status: 201,
          body: '{"id":777,"name":"Testabcd big","categoryId":9007199254740993,"status":"sold"}',
        },
        ...each(['list-sold-100', 'list-100-last'], {
          body: '[{"id":777,"name":"Testabcd big","categoryId":9007199254740992,"status":"sold"}]',
        }),
      },
    ],
    'a creation whose own response differs is CREATE-3’s to judge': [
      'holds',
      {
        'create-available': json(201, { id: firstNewId, name: 'Rex', categoryId: 1 }),
        ...got('Rex'),
      },
    ],
    'there is no evidence if no later response shows a new animal': [
      'no-evidence',
      {
        ...each(allPages, json(200, [])),
        ...each(['get-created', 'get-created-again'], 'left out'),
      },
    ],
  },
})

judges('create', cases)
