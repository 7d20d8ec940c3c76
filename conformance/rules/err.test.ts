import { judges } from '../testing/judges.ts'

const id = 'get-unknown'

judges('read', {
  'ERR-1 invalid UTF-8 is no JSON': ['broken', { [id]: { utf8: false } }],
  'ERR-7 a body that the suite cut off is no evidence': [
    'no-evidence',
    { 'path-unknown': { body: '', truncated: true } },
  ],
})
