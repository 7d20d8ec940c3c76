import { testRules } from '../testing/judges.ts'
import {
  createHeaders,
  keyStepIds,
  otherStepIds,
  pageStepIds,
  scriptEach,
  scriptError,
  scriptJson,
} from '../testing/recorded.ts'

testRules('exhaust', {
  'AUTH-1 is inconclusive after a gateway response': ['no-evidence', { 'no-key-list': scriptError(502) }],
  'AUTH-1 is inconclusive after a lost connection': ['no-evidence', { 'no-key-list': { error: 'reset' } }],
  'AUTH-1 is not run after a 429': ['not-run', { 'no-key-list': scriptError(429) }],
  'AUTH-7 is inconclusive if the key is always rejected': ['no-evidence', { list: scriptError(401) }],
  'AUTH-9 is inconclusive if the only response is a 429': [
    'no-evidence',
    {
      ...scriptEach([...keyStepIds, 'list-after-burn', ...otherStepIds], 'left out'),
      list: scriptError(429),
    },
  ],
  'AUTH-10 is broken by a challenge for another scheme': [
    'broken',
    { 'no-key-list': { headers: createHeaders({ 'www-authenticate': 'Basic realm="bearers"' }) } },
  ],
  'AUTH-15 holds if the throttle key has no letters': ['holds', { 'swapped-case-key': 'left out' }],
})

testRules('create', {
  'AUTH-17 holds if the next response equals one on a new connection': ['holds', {}],
  'AUTH-17 is broken if the next response differs from one on a new connection': [
    'broken',
    { 'list-same-connection': scriptError(400) },
  ],
  'AUTH-17 is inconclusive if the next response is a 5xx': [
    'no-evidence',
    { 'list-same-connection': scriptError(500) },
  ],
  'AUTH-17 is inconclusive if the next response is a 429': [
    'no-evidence',
    { 'list-same-connection': scriptError(429) },
  ],
  'AUTH-17 is inconclusive if the next request gets no response': [
    'no-evidence',
    { 'list-same-connection': { error: 'late' } },
  ],
  'AUTH-17 is inconclusive if the creation did not return 401': [
    'no-evidence',
    { 'no-key-create': scriptError(400), 'list-same-connection': scriptError(400) },
  ],
  'AUTH-17 is inconclusive if the same request on a new connection got no response': [
    'no-evidence',
    { 'list-1': { error: 'reset' }, 'list-same-connection': scriptError(400) },
  ],
  'ERR-1 ignores a response that leftover bytes may have caused': [
    'holds',
    { 'list-same-connection': { status: 400, body: 'Bad Request' } },
  ],
})

testRules('read', {
  'AUTH-9 is inconclusive if no 200 response contains a list': [
    'no-evidence',
    scriptEach(pageStepIds, scriptJson(200, {})),
  ],
})
