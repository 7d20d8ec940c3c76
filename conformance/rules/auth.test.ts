import { judges } from '../testing/judges.ts'
import { allPages, each, error, headers, json, keyedIds, otherIds } from '../testing/recorded.ts'

judges('exhaust', {
  'AUTH-1 a gateway is no evidence': ['no-evidence', { 'no-key-list': error(502) }],
  'AUTH-1 a lost connection is no evidence': ['no-evidence', { 'no-key-list': { error: 'reset' } }],
  'AUTH-1 a 429 is no verdict': ['not-run', { 'no-key-list': error(429) }],
  'AUTH-7 a 401 is no evidence of a key that is rejected': ['no-evidence', { list: error(401) }],
  'AUTH-9 nothing is proved where only a 429 comes': [
    'no-evidence',
    { ...each([...keyedIds, 'list-after-burn', ...otherIds], 'left out'), list: error(429) },
  ],
  'AUTH-10 a challenge for another scheme breaks it': [
    'broken',
    { 'no-key-list': { headers: headers({ 'www-authenticate': 'Basic realm="bearers"' }) } },
  ],
  'AUTH-15 a key without letters has no other case': ['holds', { 'swapped-case-key': 'left out' }],
})

judges('create', {
  'AUTH-17 what came on the connection of a creation with the key proves nothing': [
    'holds',
    { 'list-100-after': { leftover: '501' } },
  ],
  'AUTH-17 what came behind a GET without a key proves nothing': [
    'holds',
    { 'no-key-limit-0': { ...error(401), leftover: '501' } },
  ],
  'AUTH-17 a creation that is not rejected with 401 is AUTH-14’s to judge': [
    'holds',
    { 'no-key-create': error(400), 'list-100-last': { leftover: '501' } },
  ],
})

judges('read', {
  'AUTH-9 a 200 that holds no page shows no acceptance': ['no-evidence', each(allPages, json(200, {}))],
})
