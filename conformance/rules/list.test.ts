import { judges } from '../testing/judges.ts'
import { type Animal, allPages, animals, each, error, json, type Script } from '../testing/recorded.ts'

const herd = (count: number): readonly Animal[] =>
  Array.from({ length: count }, (_, n) => ({ id: n + 1, name: 'Pet', categoryId: 1, status: 'sold' }))
const page = (count: number) => json(200, herd(count))
const of = (status: string): readonly Animal[] => animals.filter((animal) => animal.status === status)
const createPages = (status: string, scripted: Script[string]): Script => ({
  [`list-${status}`]: scripted,
  [`list-${status}-100`]: scripted,
})

judges('read', {
  'LIST-18 holds for two ids that are equal only as doubles': [
    'holds',
    {
      list: {
        body: '[{"id":9007199254740993,"name":"","categoryId":1},{"id":9007199254740992,"name":"","categoryId":1}]',
      },
    },
  ],
  'LIST-7 holds if others add animals in between': ['holds', { list: page(10), 'list-100': page(10) }],
  'LIST-8 has no evidence in an empty page': ['no-evidence', { 'list-1': page(0) }],
  'LIST-7 has no evidence in 19 of 20 animals': [
    'no-evidence',
    { ...each(allPages, page(20)), 'list-last': page(19) },
  ],
  'LIST-8 has no evidence if the key is rejected': ['no-evidence', { list: error(401) }],
  'LIST-19 has no evidence if others remove animals in between': [
    'no-evidence',
    { 'list-100': page(5), 'list-100-last': page(5), ...each(['list-last', 'key-other-case'], page(5)) },
  ],
  'LIST-20 has no evidence in an empty page': ['no-evidence', { 'list-2': page(0) }],
  'LIST-20 has no evidence if there are only two animals': ['no-evidence', each(allPages, page(2))],
  'LIST-15 holds if the default limit of the server is lower': [
    'holds',
    Object.fromEntries(
      ['list', 'list-last', 'key-other-case', 'list-available', 'list-pending', 'list-sold'].map((id) => {
        const [, filter] = /-(available|pending|sold)$/.exec(id) ?? []
        const selected = animals.filter(({ status }) => filter === undefined || status === filter)
        return [id, json(200, selected.slice(0, 5))]
      }),
    ),
  ],
  'LIST-16 has no evidence in an empty page': ['no-evidence', { 'list-status-1': json(200, []) }],
  'LIST-16 holds with one animal of the status': [
    'holds',
    createPages('pending', json(200, of('pending').slice(0, 1))),
  ],
  'LIST-16 holds without animals if no page has one of the status': [
    'holds',
    { ...createPages('pending', json(200, [])), 'list-status-1': json(200, []) },
  ],
  'LIST-10 holds if one of the responses is a 5xx': ['holds', { 'limit-101': error(500) }],
  'LIST-10 has no evidence if all of them are 5xx': [
    'no-evidence',
    each(['limit-101', 'limit-200', 'limit-beyond-int64'], error(500)),
  ],
})
