import { type Case, judges } from '../testing/judges.ts'
import { error, headers, json } from '../testing/recorded.ts'

const burning: readonly Case[] = [
  ['RATE-15', 'milliseconds break it', { 'burn-4': { ...error(429), headers: wait('58000') } }, 'broken'],
  [
    'RATE-15',
    'a minute beyond the reset does not',
    { 'burn-4': { ...error(429), headers: wait('120') } },
    'holds',
  ],
  ['RATE-15', 'a second more breaks it', { 'burn-4': { ...error(429), headers: wait('121') } }, 'broken'],
  [
    'RATE-15',
    'an HTTP-date beyond the reset breaks it',
    { 'burn-4': { ...error(429), headers: wait('Fri, 20 Nov 2026 13:00:00 GMT') } },
    'broken',
  ],
  ['RATE-15', 'a word is no evidence', { 'burn-4': { ...error(429), headers: wait('soon') } }, 'no-evidence'],
  ['RATE-15', 'a burn without a 429 is no evidence', { 'burn-4': json(200, []) }, 'no-evidence'],
]

function wait(value: string): ReturnType<typeof headers> {
  return headers({ 'retry-after': value })
}

judges('exhaust', burning)
