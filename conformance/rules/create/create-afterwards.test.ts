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
} from '../../testing/recorded.ts'

const isNew = { id: firstNewId, name: 'Testabcd ava', categoryId: 1, status: 'available' }
const of = (status: string) => animals.filter((animal) => animal.status === status)
const short = json(200, of('available'))
/** Every animal that the run may create as `available`. */
const allNew = Array.from({ length: 12 }, (_, n) => ({ ...isNew, id: firstNewId + n }))
const unshown: Script = { 'list-available-100': short, 'list-available-again': short }
const ghost = (name: string) => ({ id: 900, name: `Testabcd ${name}`, categoryId: 1, status: 'sold' })
const next = { headers: headers({ link: '</pets?page=2>; rel="next"' }) }
const takenAway: Script = { 'list-100-last': json(200, animals.slice(1, 20)) }

/** The invalid bodies that have a name. */
const bodies = [
  'no-category',
  'category-text',
  'category-fraction',
  'status',
  'malformed',
  'array',
  'beyond-int64',
  'category-true',
  'trailing',
  'null-category',
  'below-int64',
  'status-null',
  'status-number',
]

const cases: readonly Case[] = [
  ...casesOf({
    'CREATE-7': {
      'a 404 twice breaks it': ['broken', { 'get-created': error(404), 'get-created-again': error(404) }],
      'being slow by a second does not': [
        'holds',
        { 'get-created': error(404), 'get-created-again': json(200, isNew) },
      ],
      'another animal breaks it': ['broken', { 'get-created': json(200, { ...isNew, id: 1 }) }],
      'another name breaks it': ['broken', { 'get-created': json(200, { ...isNew, name: 'Rex' }) }],
      'the name of its 201 does not': [
        'holds',
        {
          'create-available': json(201, { ...isNew, name: 'Rex' }),
          'get-created': json(200, { ...isNew, name: 'Rex' }),
        },
      ],
      'what is no Pet is GET-1’s to judge': ['no-evidence', { 'get-created': json(200, {}) }],
      'there is no evidence if other clients remove animals': [
        'no-evidence',
        { 'get-created': error(404), 'get-created-again': error(404), ...takenAway },
      ],
      'it does not apply once getPet may be gone': ['not-applicable', {}, { now: '2031-01-01T00:00:00Z' }],
    },
    'CREATE-8': {
      'a complete page without it breaks it, if it is asked twice': ['broken', unshown],
      'a complete page that is asked once does not': ['no-evidence', { 'list-available-100': short }],
      'being slow by two seconds does not': [
        'holds',
        { ...unshown, 'list-available-again': json(200, allNew) },
      ],
      'a page that is not complete leaves it open': [
        'holds',
        { ...unshown, 'list-available-again': { ...short, ...next } },
      ],
      'others may have adopted it': [
        'no-evidence',
        { ...unshown, 'get-created': json(200, { ...isNew, status: 'sold' }) },
      ],
      'others may have taken it away': [
        'no-evidence',
        { ...unshown, ...each(['get-created', 'get-created-again'], error(404)) },
      ],
    },
    'CREATE-24': {
      'an animal from a rejected body breaks it': [
        'broken',
        { 'list-sold-100': json(200, [...of('sold'), ghost('fra')]) },
      ],
      'one from a malformed body breaks it': [
        'broken',
        { 'list-100-last': json(200, [...animals, ghost('mal')]) },
      ],
      'a name in another normal form is found': [
        'broken',
        {
          'create-unusual-name': error(400),
          'list-100-last': json(200, [ghost('ŁΩК猫𠮷ש &<"\'')]),
        },
      ],
      'pages that are not complete leave it open': ['no-evidence', each(allPages, next)],
      'nothing is proved where nothing is rejected': [
        'no-evidence',
        each(
          [...bodies.map((id) => `refuse-${id}`), 'odd-nul-name', 'unknown-key-create', 'no-key-create'],
          error(500),
        ),
      ],
    },
  }),
  ...['ano', 'unk'].map(
    (tag): Case => [
      'CREATE-24',
      `one from a creation without a valid key (${tag}) breaks it`,
      { 'list-100-last': json(200, [...animals, ghost(tag)]), 'unknown-key-create': error(401) },
      'broken',
    ],
  ),
]

judges('create', cases)
