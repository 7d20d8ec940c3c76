import { type Case, judges } from '../testing/judges.ts'
import { error, json } from '../testing/recorded.ts'

const afterRemoval = { now: '2031-01-01T00:00:00.000Z' }

const reading: readonly Case[] = [
  [
    'AUTH-13',
    'a 400 to an invalid limit without a key breaks it',
    { 'no-key-limit-0': error(400) },
    'broken',
  ],
  [
    'AUTH-13',
    'a 404 to an unknown id without a key breaks it',
    { 'no-key-get-unknown': error(404) },
    'broken',
  ],
  [
    'AUTH-13',
    'a 404 after the removal of getPet does not',
    { 'no-key-get-unknown': error(404) },
    'holds',
    afterRemoval,
  ],
  [
    'AUTH-13',
    'a 400 after the removal of getPet breaks it',
    { 'no-key-limit-0': error(400) },
    'broken',
    afterRemoval,
  ],
  ['AUTH-13', 'a gateway is no evidence', { 'no-key-limit-0': error(502) }, 'no-evidence'],
  ['AUTH-13', 'a lost response is no evidence', { 'no-key-get-unknown': { error: 'reset' } }, 'no-evidence'],
]

const creating: readonly Case[] = [
  ['AUTH-14', 'a 400 without a key breaks it', { 'no-key-create-invalid': error(400) }, 'broken'],
  ['AUTH-14', 'a 400 with an unknown key breaks it', { 'unknown-key-create-invalid': error(400) }, 'broken'],
  ['AUTH-14', 'a 201 breaks it', { 'no-key-create-invalid': json(201, { id: 1 }) }, 'broken'],
  ['AUTH-14', 'a gateway is no evidence', { 'no-key-create-invalid': error(503) }, 'no-evidence'],
]

judges('read', reading)
judges('create', creating)
