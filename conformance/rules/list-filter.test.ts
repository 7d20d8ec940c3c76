import { type Case, casesOf, judges } from '../testing/judges.ts'
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

judges(
  'read',
  casesOf({
    'LIST-15': {
      'an animal that its page leaves out breaks it': ['broken', pagesOf('sold', json(200, withoutOne))],
      'an animal that was renamed meanwhile does not': [
        'holds',
        { ...pagesOf('sold', json(200, withoutOne)), 'list-100-last': json(200, renamed) },
      ],
      'an animal that was adopted meanwhile does not': [
        'holds',
        { ...pagesOf('sold', json(200, withoutOne)), 'list-100-last': json(200, adopted) },
      ],
      'an animal that was taken away meanwhile does not': [
        'holds',
        {
          ...pagesOf('sold', json(200, withoutOne)),
          ...each(['list-last', 'key-other-case'], json(200, [])),
          'list-100-last': json(
            200,
            animals.filter(({ id }) => id !== 3),
          ),
          'limit-101': error(400),
        },
      ],
      'a page without a limit is not complete if the default of the server is lower': [
        'holds',
        Object.fromEntries(
          ['list', 'list-last', 'key-other-case', 'list-available', 'list-pending', 'list-sold'].map((id) => {
            const [, filter] = /-(available|pending|sold)$/.exec(id) ?? []
            const selected = animals.filter(({ status }) => filter === undefined || status === filter)
            return [id, json(200, selected.slice(0, 5))]
          }),
        ),
      ],
      'a page that links to the next one is not complete': [
        'holds',
        { ...pagesOf('sold', { ...json(200, withoutOne), headers: next }) },
      ],
      'no page is complete where all are as long': ['no-evidence', each(filteredPages, json(200, animals))],
    },
    'LIST-16': {
      'a page longer than its limit breaks it': ['broken', { 'list-status-1': after('pending', []) }],
      'a filtered page longer than the default limit breaks it': [
        'broken',
        { 'list-sold': json(200, animals.slice(0, 21)) },
      ],
      'another status breaks it': ['broken', { 'list-status-1': json(200, of('sold').slice(0, 1)) }],
      'a 400 breaks it': ['broken', { 'list-status-1': error(400) }],
      'an empty page leaves it open': ['no-evidence', { 'list-status-1': json(200, []) }],
      'a page that the filter may have been forgotten on leaves it open': [
        'no-evidence',
        each(unfilteredPages, after('pending', animals)),
      ],
      'one animal of the status leaves it open': [
        'no-evidence',
        pagesOf('pending', json(200, of('pending').slice(0, 1))),
      ],
      'what is no array leaves it open': ['no-evidence', { 'list-status-1': json(200, {}) }],
    },
    'LIST-17': {
      'animals of another status break it': ['broken', { 'status-undeclared': json(200, animals) }],
      'a 500 breaks it': ['broken', { 'status-undeclared': error(500) }],
      'a rejection is no evidence where nothing is listed': ['no-evidence', each(allPages, json(200, []))],
      'no animals are fine': ['holds', { 'status-undeclared': json(200, []) }],
      'a 422 is fine': ['holds', { 'status-undeclared': error(422) }],
      'animals without a status leave it open': ['no-evidence', { 'status-undeclared': json(200, bare) }],
      'what is no array leaves it open': ['no-evidence', { 'status-undeclared': json(200, {}) }],
    },
  }),
)
