import { type Case, judges } from '../testing/judges.ts'
import { allPages, each, firstNewId, json, type Script } from '../testing/recorded.ts'

const page = (name: string, categoryId: number) => json(200, [{ id: firstNewId, name, categoryId }])
const sent = 'Trial abcdef available'
const everyPage = (name: string, categoryId = 1): Script =>
  each([...allPages, 'list-100-after'], page(name, categoryId))
const got = (name: string): Script =>
  each(['get-created', 'get-created-after'], json(200, { id: firstNewId, name, categoryId: 1 }))

const cases: readonly Case[] = [
  ['CREATE-26', 'a page with another name breaks it', everyPage('Rex'), 'broken'],
  ['CREATE-26', 'a page with another category breaks it', everyPage(sent, 2), 'broken'],
  ['CREATE-26', 'a getPet with another name breaks it', got('Rex'), 'broken'],
  [
    'CREATE-26',
    'only the last page that shows the animal counts',
    { ...everyPage('Rex'), 'list-last': page(sent, 1), 'list-100-last': page(sent, 1) },
    'holds',
  ],
  [
    'CREATE-26',
    'an int64 that later loses its last digit breaks it',
    {
      'create-int64': {
        status: 201,
        body: '{"id":777,"name":"Trial abcdef int","categoryId":9007199254740993,"status":"sold"}',
      },
      'list-100-last': {
        body: '[{"id":777,"name":"Trial abcdef int","categoryId":9007199254740992,"status":"sold"}]',
      },
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
      ...each([...allPages, 'list-100-after'], json(200, [])),
      ...each(['get-created', 'get-created-after'], 'left out'),
    },
    'no-evidence',
  ],
]

judges('create', cases)
