import { type Case, casesOf, judges } from '../testing/judges.ts'
import { error, json } from '../testing/recorded.ts'

const afterRemoval = { now: '2031-01-01T00:00:00.000Z' }

const reading: readonly Case[] = casesOf({
  'AUTH-13': {
    'a 400 to an invalid limit without a key breaks it': ['broken', { 'no-key-limit-0': error(400) }],
    'a 404 to an unknown id without a key breaks it': ['broken', { 'no-key-get-unknown': error(404) }],
    'a 404 after the removal of getPet does not': [
      'holds',
      { 'no-key-get-unknown': error(404) },
      afterRemoval,
    ],
    'a 400 after the removal of getPet breaks it': ['broken', { 'no-key-limit-0': error(400) }, afterRemoval],
    'a gateway is no evidence': ['no-evidence', { 'no-key-limit-0': error(502) }],
    'a lost response is no evidence': ['no-evidence', { 'no-key-get-unknown': { error: 'reset' } }],
  },
})

const creating: readonly Case[] = casesOf({
  'AUTH-14': {
    'a 400 without a key breaks it': ['broken', { 'no-key-create-invalid': error(400) }],
    'a 400 with an unknown key breaks it': ['broken', { 'unknown-key-create-invalid': error(400) }],
    'a 201 breaks it': ['broken', { 'no-key-create-invalid': json(201, { id: 1 }) }],
    'a gateway is no evidence': ['no-evidence', { 'no-key-create-invalid': error(503) }],
  },
})

judges('read', reading)
judges('create', creating)
