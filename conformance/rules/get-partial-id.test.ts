import { type Case, judges } from '../testing/judges.ts'
import { asked, error, json } from '../testing/recorded.ts'

const cases: readonly Case[] = [
  ['GET-11', 'the animal breaks it', { 'get-partial-id': json(200, asked) }, 'broken'],
  ['GET-11', 'a 204 breaks it', { 'get-partial-id': { status: 204 } }, 'broken'],
  ['GET-11', 'a 400 does not', { 'get-partial-id': error(400) }, 'holds'],
  [
    'GET-11',
    'a 404 is no evidence if the whole id is not served',
    { 'get-listed': error(404) },
    'no-evidence',
  ],
  ['GET-11', 'a gateway is no evidence', { 'get-partial-id': error(502) }, 'no-evidence'],
  [
    'GET-11',
    'it does not apply after the removal of getPet',
    { 'get-partial-id': json(200, asked) },
    'not-applicable',
    { now: '2031-01-01T00:00:00.000Z' },
  ],
]

judges('read', cases)
