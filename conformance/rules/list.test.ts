import { testRules } from '../testing/judges.ts'
import {
  type Animal,
  animals,
  pageStepIds,
  type Script,
  scriptEach,
  scriptError,
  scriptJson,
} from '../testing/recorded.ts'

const createAnimals = (count: number): readonly Animal[] =>
  Array.from({ length: count }, (_, n) => ({ id: n + 1, name: 'Pet', categoryId: 1, status: 'sold' }))
const createPage = (count: number) => scriptJson(200, createAnimals(count))
const filterAnimals = (status: string): readonly Animal[] =>
  animals.filter((animal) => animal.status === status)
const createPages = (status: string, scripted: Script[string]): Script => ({
  [`list-${status}`]: scripted,
  [`list-${status}-100`]: scripted,
})

testRules('read', {
  'LIST-18 holds for two IDs that are equal only as doubles': [
    'holds',
    {
      list: {
        body: '[{"id":9007199254740993,"name":"","categoryId":1},{"id":9007199254740992,"name":"","categoryId":1}]',
      },
    },
  ],
  'LIST-7 holds if other clients add animals between pages': [
    'holds',
    { list: createPage(10), 'list-100': createPage(10) },
  ],
  'LIST-8 is inconclusive for an empty page': ['no-evidence', { 'list-1': createPage(0) }],
  'LIST-7 is inconclusive for a default page with 19 animals': [
    'no-evidence',
    { ...scriptEach(pageStepIds, createPage(20)), 'list-last': createPage(19) },
  ],
  'LIST-8 is inconclusive if the key is rejected': ['no-evidence', { list: scriptError(401) }],
  'LIST-19 is inconclusive if animals are removed between pages': [
    'no-evidence',
    {
      'list-100': createPage(5),
      'list-100-last': createPage(5),
      ...scriptEach(['list-last', 'key-other-case'], createPage(5)),
    },
  ],
  'LIST-20 is inconclusive for an empty page': ['no-evidence', { 'list-2': createPage(0) }],
  'LIST-20 is inconclusive if there are only two animals': [
    'no-evidence',
    scriptEach(pageStepIds, createPage(2)),
  ],
  'LIST-15 holds if the server has a lower default limit': [
    'holds',
    Object.fromEntries(
      ['list', 'list-last', 'key-other-case', 'list-available', 'list-pending', 'list-sold'].map((id) => {
        const [, filter] = /-(available|pending|sold)$/.exec(id) ?? []
        const selectedAnimals = animals.filter(({ status }) => filter === undefined || status === filter)
        return [id, scriptJson(200, selectedAnimals.slice(0, 5))]
      }),
    ),
  ],
  'LIST-16 is inconclusive for an empty page': ['no-evidence', { 'list-status-1': scriptJson(200, []) }],
  'LIST-16 holds if one animal has the status': [
    'holds',
    createPages('pending', scriptJson(200, filterAnimals('pending').slice(0, 1))),
  ],
  'LIST-16 holds for an empty page if no animal has the status': [
    'holds',
    { ...createPages('pending', scriptJson(200, [])), 'list-status-1': scriptJson(200, []) },
  ],
  'LIST-10 holds if one of the responses is a 5xx': ['holds', { 'limit-101': scriptError(500) }],
  'LIST-10 is inconclusive if all responses are 5xx': [
    'no-evidence',
    scriptEach(['limit-101', 'limit-200', 'limit-beyond-int64'], scriptError(500)),
  ],
})
