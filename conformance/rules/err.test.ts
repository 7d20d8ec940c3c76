import { judges } from '../testing/judges.ts'

const id = 'get-unknown'

judges('read', {
  'ERR-1 is broken by invalid UTF-8': ['broken', { [id]: { utf8: false } }],
  'ERR-7 has no evidence in a body that the suite cut off': [
    'no-evidence',
    { 'path-unknown': { body: '', truncated: true } },
  ],
})
