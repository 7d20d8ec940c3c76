import { judges } from '../testing/judges.ts'
import { allPages, each, error, headers, json, keyedIds, otherIds } from '../testing/recorded.ts'

judges('exhaust', {
  'AUTH-1 has no evidence after a response of a gateway': ['no-evidence', { 'no-key-list': error(502) }],
  'AUTH-1 has no evidence after a lost connection': ['no-evidence', { 'no-key-list': { error: 'reset' } }],
  'AUTH-1 is not run after a 429': ['not-run', { 'no-key-list': error(429) }],
  'AUTH-7 has no evidence if the key is always rejected': ['no-evidence', { list: error(401) }],
  'AUTH-9 has no evidence if only a 429 comes': [
    'no-evidence',
    { ...each([...keyedIds, 'list-after-burn', ...otherIds], 'left out'), list: error(429) },
  ],
  'AUTH-10 is broken by a challenge for another scheme': [
    'broken',
    { 'no-key-list': { headers: headers({ 'www-authenticate': 'Basic realm="bearers"' }) } },
  ],
  'AUTH-15 holds for a key without letters, which has no other case': [
    'holds',
    { 'swapped-case-key': 'left out' },
  ],
})

judges('create', {
  'AUTH-17 holds if the leftover follows a creation with the key': [
    'holds',
    { 'list-100-after': { leftover: '501' } },
  ],
  'AUTH-17 holds if the leftover follows a GET without a key': [
    'holds',
    { 'no-key-limit-0': { ...error(401), leftover: '501' } },
  ],
  'AUTH-17 holds if the creation got another status than 401': [
    'holds',
    { 'no-key-create': error(400), 'list-100-last': { leftover: '501' } },
  ],
})

judges('read', {
  'AUTH-9 has no evidence in a 200 without a page': ['no-evidence', each(allPages, json(200, {}))],
})
