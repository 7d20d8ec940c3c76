import { type Case, casesOf, judges } from '../testing/judges.ts'
import { each, error, headers, json } from '../testing/recorded.ts'
import type { ReceivedResponse } from '../transcript/transcript.ts'

const burning: readonly Case[] = casesOf({
  'RATE-15': {
    'milliseconds break it': ['broken', { 'burn-4': { ...error(429), headers: wait('58000') } }],
    'a minute beyond the reset does not': ['holds', { 'burn-4': { ...error(429), headers: wait('120') } }],
    'a second more breaks it': ['broken', { 'burn-4': { ...error(429), headers: wait('121') } }],
    'an HTTP-date beyond the reset breaks it': [
      'broken',
      { 'burn-4': { ...error(429), headers: wait('Fri, 20 Nov 2026 13:00:00 GMT') } },
    ],
    'a word is no evidence': ['no-evidence', { 'burn-4': { ...error(429), headers: wait('soon') } }],
    'a burn without a 429 is no evidence': ['no-evidence', { 'burn-4': json(200, []) }],
  },
})

const restored: readonly Case[] = casesOf({
  'RATE-16': {
    'half of the limit after the reset breaks it': ['broken', { 'after-reset': left(5, 10) }],
    'one less does not': ['holds', { 'after-reset': left(8, 10) }],
    'one more does not': ['holds', { 'after-reset': left(10, 10) }],
    'a 429 after the reset breaks it': ['broken', { 'after-reset': { ...left(0, 10), status: 429 } }],
    'the request after Retry-After counts if Reset has passed by then': [
      'broken',
      {
        'burn-4': { ...error(429), headers: limited(10, { 'retry-after': '59' }) },
        'after-burn': left(5, 10),
        'after-reset': 'left out',
      },
    ],
    'the numbers of another limit are no evidence': ['no-evidence', { 'after-reset': left(900, 1000) }],
    'without a Date, the clock of Reset is not known': [
      'no-evidence',
      {
        'burn-4': { ...error(429), headers: limited(10, { 'retry-after': '30', date: undefined }) },
        'after-reset': left(5, 10),
      },
    ],
    'others may have used the key': [
      'no-evidence',
      { ...each(['burn-1', 'burn-2'], left(9, 10)), 'burn-3': left(5, 10), 'after-reset': left(5, 10) },
    ],
    'a reset further than five minutes away is not run': [
      'not-run',
      {
        'burn-4': {
          ...error(429),
          headers: limited(10, { 'retry-after': '30', 'x-ratelimit-reset': '1795176301' }),
        },
      },
    ],
    'a gateway is no evidence': ['no-evidence', { 'after-reset': { ...left(5, 10), status: 503 } }],
    'a lost response is no evidence': ['no-evidence', { 'after-reset': { error: 'reset' } }],
    'a burn without a 429 is no evidence': ['no-evidence', { 'burn-4': json(200, []) }],
  },
})

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
