import { casesOf, judges } from '../testing/judges.ts'
import { allPages, each, json } from '../testing/recorded.ts'

judges(
  'read',
  casesOf({
    'VER-1': {
      'another version breaks it': ['broken', {}, { baseUrl: 'https://pets.test/v2' }],
      'v1 with something behind it breaks it': ['broken', {}, { baseUrl: 'https://pets.test/v1.0' }],
      'no path breaks it': ['broken', {}, { baseUrl: 'https://pets.test' }],
      'a longer path that ends in it holds': ['holds', {}, { baseUrl: 'https://test/api/v1' }],
      'a path in which it is not the last segment holds': ['holds', {}, { baseUrl: 'https://test/v1/pets' }],
      'a segment that only contains it breaks it': ['broken', {}, { baseUrl: 'https://test/v10' }],
      'nothing is proved where no operation is found': ['no-evidence', each(allPages, json(200, {}))],
    },
  }),
)
