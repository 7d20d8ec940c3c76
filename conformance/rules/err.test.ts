import { testRules } from '../testing/judges.ts'

const unknownIdStep = 'get-unknown'

testRules('read', {
  'ERR-1 is broken by invalid UTF-8': ['broken', { [unknownIdStep]: { utf8: false } }],
  'ERR-7 is inconclusive for a truncated body': [
    'no-evidence',
    { 'path-unknown': { body: '', truncated: true } },
  ],
})
