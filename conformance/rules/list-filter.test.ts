import { type Case, judges } from '../testing/judges.ts'
import {
  type Animal,
  allPages,
  animals,
  each,
  error,
  filteredPages,
  headers,
  json,
  type Script,
  unfilteredPages,
} from '../testing/recorded.ts'

const of = (status: string): readonly Animal[] => animals.filter((animal) => animal.status === status)
const bare = animals.map(({ id, name, categoryId }) => ({ id, name, categoryId }))
const after = (status: string, more: readonly unknown[]) => json(200, [...of(status), ...more])
const pagesOf = (status: string, scripted: Script[string]): Script => ({
  [`list-${status}`]: scripted,
  [`list-${status}-100`]: scripted,
})
const next = headers({ link: '</pets?page=2>; rel="next"' })

const filters = [
  ['LIST-12', 'available', 'sold'],
  ['LIST-13', 'pending', 'available'],
  ['LIST-14', 'sold', 'pending'],
] as const

judges(
  'read',
  filters.flatMap(([rule, status, other]): Case[] => [
    [rule, 'another status breaks it', { [`list-${status}`]: after(status, of(other)) }, 'broken'],
    [rule, 'a page of 100 counts as well', { [`list-${status}-100`]: after(status, of(other)) }, 'broken'],
    [rule, 'a 400 breaks it', { [`list-${status}`]: error(400) }, 'broken'],
    [rule, 'an animal without a status is no evidence', { [`list-${status}`]: after(status, bare) }, 'holds'],
    [rule, 'a null status is LIST-5’s to judge', pagesOf(status, after(status, [{ status: null }])), 'holds'],
    [rule, 'only such leave it open', pagesOf(status, json(200, bare)), 'no-evidence'],
    [rule, 'empty pages leave it open', pagesOf(status, json(200, [])), 'no-evidence'],
    [rule, 'what is no array leaves it open', pagesOf(status, json(200, {})), 'no-evidence'],
    [rule, 'a gateway leaves it open', { [`list-${status}`]: error(502) }, 'no-evidence'],
  ]),
)

const withoutOne = of('sold').slice(1)
const renamed = animals.map((animal) => (animal.id === 3 ? { ...animal, name: 'Renamed' } : animal))
const adopted = animals.map((animal) => (animal.id === 3 ? { ...animal, status: 'available' } : animal))

judges('read', [
  [
    'LIST-15',
    'an animal that its page leaves out breaks it',
    pagesOf('sold', json(200, withoutOne)),
    'broken',
  ],
  [
    'LIST-15',
    'an animal that was renamed meanwhile does not',
    { ...pagesOf('sold', json(200, withoutOne)), 'list-100-last': json(200, renamed) },
    'holds',
  ],
  [
    'LIST-15',
    'an animal that was adopted meanwhile does not',
    { ...pagesOf('sold', json(200, withoutOne)), 'list-100-last': json(200, adopted) },
    'holds',
  ],
  [
    'LIST-15',
    'an animal that was taken away meanwhile does not',
    {
      ...pagesOf('sold', json(200, withoutOne)),
      ...each(['list-last', 'key-other-case'], json(200, [])),
      'list-100-last': json(
        200,
        animals.filter(({ id }) => id !== 3),
      ),
      'limit-101': error(400),
    },
    'holds',
  ],
  [
    'LIST-15',
    'a page without a limit is not complete if the default of the server is lower',
    Object.fromEntries(
      ['list', 'list-last', 'key-other-case', 'list-available', 'list-pending', 'list-sold'].map((id) => {
        const [, filter] = /-(available|pending|sold)$/.exec(id) ?? []
        const selected = animals.filter(({ status }) => filter === undefined || status === filter)
        return [id, json(200, selected.slice(0, 5))]
      }),
    ),
    'holds',
  ],
  [
    'LIST-15',
    'a page that links to the next one is not complete',
    { ...pagesOf('sold', { ...json(200, withoutOne), headers: next }) },
    'holds',
  ],
  [
    'LIST-15',
    'no page is complete where all are as long',
    each(filteredPages, json(200, animals)),
    'no-evidence',
  ],
  ['LIST-16', 'a page longer than its limit breaks it', { 'list-status-1': after('pending', []) }, 'broken'],
  [
    'LIST-16',
    'a filtered page longer than the default limit breaks it',
    { 'list-sold': json(200, animals.slice(0, 21)) },
    'broken',
  ],
  ['LIST-16', 'another status breaks it', { 'list-status-1': json(200, of('sold').slice(0, 1)) }, 'broken'],
  ['LIST-16', 'a 400 breaks it', { 'list-status-1': error(400) }, 'broken'],
  ['LIST-16', 'an empty page leaves it open', { 'list-status-1': json(200, []) }, 'no-evidence'],
  [
    'LIST-16',
    'a page that the filter may have been forgotten on leaves it open',
    each(unfilteredPages, after('pending', animals)),
    'no-evidence',
  ],
  [
    'LIST-16',
    'one animal of the status leaves it open',
    pagesOf('pending', json(200, of('pending').slice(0, 1))),
    'no-evidence',
  ],
  ['LIST-16', 'what is no array leaves it open', { 'list-status-1': json(200, {}) }, 'no-evidence'],
  ['LIST-17', 'animals of another status break it', { 'status-undeclared': json(200, animals) }, 'broken'],
  ['LIST-17', 'a 500 breaks it', { 'status-undeclared': error(500) }, 'broken'],
  [
    'LIST-17',
    'a rejection is no evidence where nothing is listed',
    each(allPages, json(200, [])),
    'no-evidence',
  ],
  ['LIST-17', 'no animals are fine', { 'status-undeclared': json(200, []) }, 'holds'],
  ['LIST-17', 'a 422 is fine', { 'status-undeclared': error(422) }, 'holds'],
  [
    'LIST-17',
    'animals without a status leave it open',
    { 'status-undeclared': json(200, bare) },
    'no-evidence',
  ],
  ['LIST-17', 'what is no array leaves it open', { 'status-undeclared': json(200, {}) }, 'no-evidence'],
])
