import { judges } from '../testing/judges.ts'
import { json } from '../testing/recorded.ts'

judges('read', [
  ['VER-1', 'another version breaks it', {}, 'broken', { baseUrl: 'https://pets.test/v2' }],
  ['VER-1', 'v1 with something behind it breaks it', {}, 'broken', { baseUrl: 'https://pets.test/v1.0' }],
  ['VER-1', 'no path breaks it', {}, 'broken', { baseUrl: 'https://pets.test' }],
  ['VER-1', 'a longer path that ends in it holds', {}, 'holds', { baseUrl: 'https://test/api/v1' }],
])

const everything = ['list', 'list-100', 'list-1', 'list-last', 'list-100-last', 'list-status-1'].concat(
  ['available', 'pending', 'sold'].flatMap((status) => [`list-${status}`, `list-${status}-100`]),
)

judges('read', [
  [
    'VER-1',
    'nothing is proved where no operation is found',
    Object.fromEntries(everything.map((id) => [id, json(200, {})])),
    'no-evidence',
  ],
])
