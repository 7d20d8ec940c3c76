import { judges } from '../testing/judges.ts'
import { allPages, each, json } from '../testing/recorded.ts'

judges('read', [
  ['VER-1', 'another version breaks it', {}, 'broken', { baseUrl: 'https://pets.test/v2' }],
  ['VER-1', 'v1 with something behind it breaks it', {}, 'broken', { baseUrl: 'https://pets.test/v1.0' }],
  ['VER-1', 'no path breaks it', {}, 'broken', { baseUrl: 'https://pets.test' }],
  ['VER-1', 'a longer path that ends in it holds', {}, 'holds', { baseUrl: 'https://test/api/v1' }],
  [
    'VER-1',
    'a path in which it is not the last segment holds',
    {},
    'holds',
    { baseUrl: 'https://test/v1/pets' },
  ],
  ['VER-1', 'a segment that only contains it breaks it', {}, 'broken', { baseUrl: 'https://test/v10' }],
  ['VER-1', 'nothing is proved where no operation is found', each(allPages, json(200, {})), 'no-evidence'],
])
