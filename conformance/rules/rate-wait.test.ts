import { type Case, judges } from '../testing/judges.ts'
import { each, error, headers, json } from '../testing/recorded.ts'
import type { ReceivedResponse } from '../transcript/transcript.ts'

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

const restored: readonly Case[] = [
  ['RATE-16', 'half of the limit after the reset breaks it', { 'after-reset': left(5, 10) }, 'broken'],
  ['RATE-16', 'one less does not', { 'after-reset': left(8, 10) }, 'holds'],
  ['RATE-16', 'one more does not', { 'after-reset': left(10, 10) }, 'holds'],
  [
    'RATE-16',
    'a 429 after the reset breaks it',
    { 'after-reset': { ...left(0, 10), status: 429 } },
    'broken',
  ],
  [
    'RATE-16',
    'the request after Retry-After counts if Reset has passed by then',
    {
      'burn-4': { ...error(429), headers: limited(10, { 'retry-after': '59' }) },
      'after-burn': left(5, 10),
      'after-reset': 'left out',
    },
    'broken',
  ],
  [
    'RATE-16',
    'the numbers of another limit are no evidence',
    { 'after-reset': left(900, 1000) },
    'no-evidence',
  ],
  [
    'RATE-16',
    'without a Date, the clock of Reset is not known',
    {
      'burn-4': { ...error(429), headers: limited(10, { 'retry-after': '30', date: undefined }) },
      'after-reset': left(5, 10),
    },
    'no-evidence',
  ],
  [
    'RATE-16',
    'others may have used the key',
    { ...each(['burn-1', 'burn-2'], left(9, 10)), 'burn-3': left(5, 10), 'after-reset': left(5, 10) },
    'no-evidence',
  ],
  [
    'RATE-16',
    'a reset further than five minutes away is not run',
    {
      'burn-4': {
        ...error(429),
        headers: limited(10, { 'retry-after': '30', 'x-ratelimit-reset': '1795176301' }),
      },
    },
    'not-run',
  ],
  ['RATE-16', 'a gateway is no evidence', { 'after-reset': { ...left(5, 10), status: 503 } }, 'no-evidence'],
  ['RATE-16', 'a lost response is no evidence', { 'after-reset': { error: 'reset' } }, 'no-evidence'],
  ['RATE-16', 'a burn without a 429 is no evidence', { 'burn-4': json(200, []) }, 'no-evidence'],
]

function limited(
  limit: number,
  more: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof headers> {
  return headers({ 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': '0', ...more })
}

function left(remaining: number, limit: number): Partial<ReceivedResponse> {
  return {
    headers: headers({ 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) }),
  }
}

function wait(value: string): ReturnType<typeof headers> {
  return headers({ 'retry-after': value })
}

/** A 429 with the limit of the cases, whose `Retry-After` passes before its `Reset`. */
const rejection = { 'burn-4': { ...error(429), headers: limited(10, { 'retry-after': '30' }) } }

judges('exhaust', [
  ...burning,
  ...restored.map(
    ([rule, sentence, script, outcome]): Case => [rule, sentence, { ...rejection, ...script }, outcome],
  ),
])
