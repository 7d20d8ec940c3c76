import { judges } from '../testing/judges.ts'
import { allPages, each, json } from '../testing/recorded.ts'

judges('read', [
  ['VER-1', 'another version breaks it', {}, 'broken', { baseUrl: 'https://pets.test/v2' }],
  ['VER-1', 'v1 with something behind it breaks it', {}, 'broken', { baseUrl: 'https://pets.test/v1.0' }],
  ['VER-1', 'no path breaks it', {}, 'broken', { baseUrl: 'https://pets.test' }],
  ['VER-1', 'a longer path that ends in it holds', {}, 'holds', { baseUrl: 'https://test/api/v1' }],
  ['VER-1', 'nothing is proved where no operation is found', each(allPages, json(200, {})), 'no-evidence'],
])
