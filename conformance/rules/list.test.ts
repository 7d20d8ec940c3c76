import { judges } from '../testing/judges.ts'
import {
  type Animal,
  allPages,
  animals,
  each,
  error,
  headers,
  json,
  type Script,
} from '../testing/recorded.ts'

const herd = (count: number): readonly Animal[] =>
  Array.from({ length: count }, (_, n) => ({ id: n + 1, name: 'Pet', categoryId: 1, status: 'sold' }))
const page = (count: number) => json(200, herd(count))
const empty: Script = each(allPages, json(200, []))
const of = (status: string): readonly Animal[] => animals.filter((animal) => animal.status === status)
const bare = animals.map(({ id, name, categoryId }) => ({ id, name, categoryId }))
const pagesOf = (status: string, scripted: Script[string]): Script => ({
  [`list-${status}`]: scripted,
  [`list-${status}-100`]: scripted,
})

const withoutOne = of('sold').slice(1)
const adopted = animals.map((animal) => (animal.id === 3 ? { ...animal, status: 'available' } : animal))

judges('read', {
  'LIST-4 an id beyond int64 breaks it': [
    'broken',
    { list: { body: '[{"id":9223372036854775808,"name":"","categoryId":1}]' } },
  ],
  'LIST-4 7.0 and 7e0 are integers': ['holds', { list: { body: '[{"id":7.0,"name":"","categoryId":7e0}]' } }],
  'LIST-4 the last int64 is one': [
    'holds',
    { list: { body: '[{"id":-9223372036854775808,"name":"","categoryId":9223372036854775807}]' } },
  ],
  'LIST-18 two ids that only a double takes for one do not': [
    'holds',
    {
      list: {
        body: '[{"id":9007199254740993,"name":"","categoryId":1},{"id":9007199254740992,"name":"","categoryId":1}]',
      },
    },
  ],
  'LIST-7 animals that others add in between do not': ['holds', { list: page(10), 'list-100': page(10) }],
  'LIST-7 twenty where there is a next page are right': [
    'holds',
    {
      ...each(allPages, page(20)),
      list: { ...page(20), headers: headers({ link: '</pets>; rel=next' }) },
    },
  ],
  'LIST-8 an empty page is no evidence': ['no-evidence', { 'list-1': page(0) }],
  'LIST-8 one animal is no evidence where there is one': ['no-evidence', each(allPages, page(1))],
  'LIST-7 nineteen of twenty animals leave it open': [
    'no-evidence',
    { ...each(allPages, page(20)), 'list-last': page(19) },
  ],
  'LIST-8 nothing is proved where the key is rejected': ['no-evidence', { list: error(401) }],
  'LIST-12 that every limit=100 is rejected is LIST-9’s to judge': [
    'holds',
    each(
      allPages.filter((id) => /-100/.test(id)),
      error(400),
    ),
  ],
  'LIST-19 animals that others take away in between do not': [
    'no-evidence',
    { 'list-100': page(5), 'list-100-last': page(5), ...each(['list-last', 'key-other-case'], page(5)) },
  ],
  'LIST-19 empty pages prove nothing': ['no-evidence', empty],
  'LIST-20 an empty page proves nothing': ['no-evidence', { 'list-2': page(0) }],
  'LIST-20 two animals prove nothing where there are two': ['no-evidence', each(allPages, page(2))],
  'LIST-15 an animal that was adopted meanwhile does not': [
    'holds',
    { ...pagesOf('sold', json(200, withoutOne)), 'list-100-last': json(200, adopted) },
  ],
  'LIST-15 a page without a limit is not complete if the default of the server is lower': [
    'holds',
    Object.fromEntries(
      ['list', 'list-last', 'key-other-case', 'list-available', 'list-pending', 'list-sold'].map((id) => {
        const [, filter] = /-(available|pending|sold)$/.exec(id) ?? []
        const selected = animals.filter(({ status }) => filter === undefined || status === filter)
        return [id, json(200, selected.slice(0, 5))]
      }),
    ),
  ],
  'LIST-16 an empty page leaves it open': ['no-evidence', { 'list-status-1': json(200, []) }],
  'LIST-16 one animal of the status leaves it open': [
    'no-evidence',
    pagesOf('pending', json(200, of('pending').slice(0, 1))),
  ],
  'LIST-17 animals without a status leave it open': ['no-evidence', { 'status-undeclared': json(200, bare) }],
})
