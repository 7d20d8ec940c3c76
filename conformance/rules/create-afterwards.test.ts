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

const isNew = { id: firstNewId, name: 'Trial abcdef available', categoryId: 1, status: 'available' }
const of = (status: string) => animals.filter((animal) => animal.status === status)
const unshown: Script = {
  'list-available-100': json(200, of('available')),
  'list-last': json(200, animals.slice(0, 20)),
  'list-100-last': json(200, animals),
}
const ghost = (name: string) => ({ id: 900, name: `Trial abcdef ${name}`, categoryId: 1, status: 'sold' })
const next = { headers: headers({ link: '</pets?page=2>; rel="next"' }) }
const takenAway: Script = { 'list-100-last': json(200, animals.slice(1, 20)) }

const cases: readonly Case[] = [
  [
    'CREATE-7',
    'a 404 twice breaks it',
    { 'get-created': error(404), 'get-created-again': error(404) },
    'broken',
  ],
  [
    'CREATE-7',
    'being slow by a second does not',
    { 'get-created': error(404), 'get-created-again': json(200, isNew) },
    'holds',
  ],
  ['CREATE-7', 'another animal breaks it', { 'get-created': json(200, { ...isNew, id: 1 }) }, 'broken'],
  ['CREATE-7', 'what is no Pet is GET-1’s to judge', { 'get-created': json(200, {}) }, 'no-evidence'],
  [
    'CREATE-7',
    'there is no evidence if other clients remove animals',
    { 'get-created': error(404), 'get-created-again': error(404), ...takenAway },
    'no-evidence',
  ],
  [
    'CREATE-7',
    'it does not apply once getPet may be gone',
    {},
    'not-applicable',
    { now: '2031-01-01T00:00:00Z' },
  ],
  ['CREATE-8', 'a complete page without it breaks it', unshown, 'broken'],
  [
    'CREATE-8',
    'a page that is not complete leaves it open',
    { ...unshown, 'list-available-100': { ...json(200, of('available')), ...next } },
    'holds',
  ],
  [
    'CREATE-8',
    'others may have adopted it',
    { ...unshown, 'get-created-after': json(200, { ...isNew, status: 'sold' }) },
    'no-evidence',
  ],
  [
    'CREATE-8',
    'others may have taken it away',
    { ...unshown, 'get-created-after': error(404) },
    'no-evidence',
  ],
  [
    'CREATE-24',
    'an animal from a rejected body breaks it',
    { 'list-sold-100': json(200, [...of('sold'), ghost('fraction')]) },
    'broken',
  ],
  [
    'CREATE-24',
    'one from a malformed body breaks it',
    { 'list-100-last': json(200, [...animals, ghost('malformed')]) },
    'broken',
  ],
  [
    'CREATE-24',
    'a body of another media type that is rejected counts as well',
    { 'create-text-plain': error(415), 'list-100-last': json(200, [ghost('typed')]) },
    'broken',
  ],
  [
    'CREATE-24',
    'a body of another media type that is accepted does not',
    { 'list-100-last': json(200, [...animals, ghost('typed')]) },
    'holds',
  ],
  [
    'CREATE-24',
    'pages that are not complete leave it open',
    each([...allPages, 'list-100-after'], next),
    'no-evidence',
  ],
  [
    'CREATE-24',
    'nothing is proved where nothing is rejected',
    each(
      [
        'no-category',
        'category-text',
        'category-fraction',
        'status',
        'malformed',
        'array',
        'beyond-int64',
      ].map((id) => `refuse-${id}`),
      error(500),
    ),
    'no-evidence',
  ],
]

judges('create', cases)
