import { type Case, judges } from '../testing/judges.ts'
import { each, error, json, type Script } from '../testing/recorded.ts'

const bodies = [
  [9, 'empty-object'],
  [10, 'no-name'],
  [11, 'no-category'],
  [12, 'name-number'],
  [13, 'category-text'],
  [14, 'category-fraction'],
  [15, 'status'],
  [16, 'malformed'],
  [17, 'no-body'],
  [18, 'array'],
  [19, 'nulls'],
  [20, 'beyond-int64'],
] as const

const created = json(201, { id: 7, name: 'Trial abcdef', categoryId: 1 })
const valid = [
  'available',
  'pending',
  'sold',
  'no-status',
  'int64',
  'scripts',
  'own-id',
  'unknown-member',
  'text-plain',
]
const noneAccepted: Script = each(
  valid.map((id) => `create-${id}`),
  error(400),
)
const threeAccepted: Script = Object.fromEntries(
  bodies.map(([, id], n) => [`refuse-${id}`, n < 3 ? created : 'left out']),
)

judges(
  'create',
  bodies.flatMap(([number, id]): Case[] => {
    const rule = `CREATE-${number}`
    return [
      [rule, 'a 201 breaks it', { [`refuse-${id}`]: created }, 'broken'],
      [rule, 'a 422 breaks it', { [`refuse-${id}`]: error(422) }, 'broken'],
      [rule, 'a 500 breaks it', { [`refuse-${id}`]: error(500) }, 'broken'],
      [rule, 'a 403 is no evidence: the key may only read', { [`refuse-${id}`]: error(403) }, 'no-evidence'],
      [rule, 'a gateway is no evidence', { [`refuse-${id}`]: error(503) }, 'no-evidence'],
      [rule, 'a 400 is no evidence where no valid body is accepted', noneAccepted, 'no-evidence'],
      [rule, 'after three that were accepted', threeAccepted, number < 12 ? 'broken' : 'not-run'],
    ]
  }),
)
