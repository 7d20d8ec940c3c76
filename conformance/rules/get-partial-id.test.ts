import { type Case, casesOf, judges } from '../testing/judges.ts'
import { asked, error, json } from '../testing/recorded.ts'

const cases: readonly Case[] = casesOf({
  'GET-11': {
    'the animal breaks it': ['broken', { 'get-partial-id': json(200, asked) }],
    'a 204 breaks it': ['broken', { 'get-partial-id': { status: 204 } }],
    'a 400 does not': ['holds', { 'get-partial-id': error(400) }],
    'a 404 is no evidence if the whole id is not served': ['no-evidence', { 'get-listed': error(404) }],
    'a gateway is no evidence': ['no-evidence', { 'get-partial-id': error(502) }],
    'it does not apply after the removal of getPet': [
      'not-applicable',
      { 'get-partial-id': json(200, asked) },
      { now: '2031-01-01T00:00:00.000Z' },
    ],
  },
})

judges('read', cases)
