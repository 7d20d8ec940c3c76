import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Case, judges } from '../../testing/judges.ts'
import { each, error, found, json, type Script, validIds } from '../../testing/recorded.ts'

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
  [13, 'category-true'],
  [16, 'trailing'],
  [18, 'null'],
  [18, 'number'],
  [18, 'string'],
  [19, 'null-name'],
  [19, 'null-category'],
  [20, 'below-int64'],
  [27, 'status-null'],
  [27, 'status-number'],
] as const

const created = json(201, { id: 7, name: 'Testabcd', categoryId: 1 })
const noneAccepted: Script = each(
  [...validIds, 'create-once', 'create-once-again', 'create-text-plain'],
  error(400),
)
const twelveAccepted: Script = Object.fromEntries(
  bodies.map(([, id], n) => [`refuse-${id}`, n < 12 ? created : 'left out']),
)

judges(
  'create',
  bodies.flatMap(([number, id]): Case[] => {
    const rule = `CREATE-${number}`
    const exchange = `refuse-${id}`
    return [
      [rule, `a 201 to ${id} breaks it`, { [exchange]: created }, 'broken'],
      [rule, `a 422 to ${id} breaks it`, { [exchange]: error(422) }, 'broken'],
      [rule, `a 500 to ${id} breaks it`, { [exchange]: error(500) }, 'broken'],
      [
        rule,
        `a 403 to ${id} is no evidence: the key may only read`,
        { [exchange]: error(403) },
        'no-evidence',
      ],
      [rule, `a gateway in place of ${id} is no evidence`, { [exchange]: error(503) }, 'no-evidence'],
      [rule, `a 400 to ${id} is no evidence where no valid body is accepted`, noneAccepted, 'no-evidence'],
      [rule, `${id} after twelve that were accepted`, twelveAccepted, number === 27 ? 'not-run' : 'broken'],
    ]
  }),
)

test('a run is no evidence for a rule without one of its bodies', () => {
  for (const [number, id] of bodies) {
    const { outcome } = found(`CREATE-${number}`, 'create', { [`refuse-${id}`]: { error: 'reset' } })
    assert.equal(outcome, 'no-evidence', id)
  }
})
