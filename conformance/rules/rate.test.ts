import { type Case, casesOf, judges } from '../testing/judges.ts'
import { animals, each, error, headers, json, keyedIds, otherIds, type Script } from '../testing/recorded.ts'
import type { ReceivedResponse } from '../transcript/transcript.ts'

const id = 'get-unknown'
const limit = 'x-ratelimit-limit'
const remaining = 'x-ratelimit-remaining'
const reset = 'x-ratelimit-reset'
const headed = (more: Readonly<Record<string, string | undefined>>): Script => ({
  [id]: { headers: headers(more) },
})
/** The responses to the key with what each says of the limit, by its place. */
const standing = (say: (n: number) => Readonly<Record<string, string | undefined>>): Script =>
  Object.fromEntries(keyedIds.map((id, n) => [id, { headers: headers(say(n)) }]))
const stuck = (value: string, of = '60'): Script => standing(() => ({ [remaining]: value, [limit]: of }))

/** Noon by the Date that the responses carry. */
const noon = 1_795_176_000
const at = (seconds: number): Script => headed({ [reset]: String(noon + seconds) })
const undated = (seconds: number): Script => headed({ [reset]: String(noon + seconds), date: undefined })

judges(
  'read',
  casesOf({
    'RATE-1': {
      'a gateway need not send it': ['holds', { [id]: { status: 502, headers: [] } }],
      'a 429 that ends the run need not': ['holds', { 'no-key-get': { status: 429, headers: [] } }],
    },
    'RATE-4': {
      'a policy breaks it': ['broken', headed({ [limit]: '60, 60;w=60' })],
      'a negative number breaks it': ['broken', headed({ [remaining]: '-1' })],
      'a fraction breaks it': ['broken', headed({ [reset]: '1795176060.5' })],
      'an empty header breaks it': ['broken', headed({ [reset]: '' })],
    },
    'RATE-6': {
      'now is not past': ['holds', at(0)],
      'five seconds past may be the Date': ['holds', at(-5)],
      'six seconds past break it': ['broken', at(-6)],
      '25 hours and 2 minutes are the furthest': ['holds', at(25 * 3600 + 125)],
      'a second more breaks it': ['broken', at(25 * 3600 + 126)],
      'seconds from now break it': ['broken', headed({ [reset]: '60' })],
      'milliseconds break it': ['broken', headed({ [reset]: `${noon}000` })],
      'without a Date our clock may be five minutes fast': ['holds', undated(-299)],
      'and no more than that': ['broken', undated(-301)],
      'the suite’s clock does not count': ['holds', undated(60), { now: '2030-12-08T00:00:00.000Z' }],
    },
    'RATE-7': {
      'one that stands at the limit may not apply': ['no-evidence', stuck('60')],
      'one that drips in faster than it is used leaves it open': ['no-evidence', stuck('900', '100000')],
      'limits that differ from response to response leave it open': [
        'no-evidence',
        standing((n) => ({ [limit]: String(60 + n) })),
      ],
      'a window that begins anew in between does not break it': [
        'holds',
        standing((n) => ({ [remaining]: String(n < 4 ? 4 - n : 60 - n) })),
      ],
      'two pairs are too few': ['no-evidence', { ...stuck('59'), ...each(keyedIds.slice(3), 'left out') }],
      'an operation without a close response leaves it open': [
        'no-evidence',
        { ...stuck('59'), 'get-listed': error(404) },
      ],
    },
    'RATE-8': {
      'a 401 may show another limit': [
        'holds',
        each(otherIds, { headers: headers({ [limit]: '10' }) }),
        { plan: 'free' },
      ],
    },
  }),
)

const page = json(200, animals.slice(0, 1))
const served = (left: number, of: number | undefined) => ({
  ...page,
  headers: headers({ [limit]: of?.toString(), [remaining]: String(left) }),
})
const rejection = (more: Readonly<Record<string, string | undefined>> = {}): Script => ({
  'burn-4': { headers: headers({ [limit]: '3', [remaining]: '0', 'retry-after': '30', ...more }) },
})
const burnsOf = (of: number | undefined, ...left: readonly number[]): Script =>
  Object.fromEntries(left.map((remains, n) => [`burn-${n + 1}`, served(remains, of)]))
const burns = (...left: readonly number[]): Script => burnsOf(3, ...left)
const open: Script = { 'burn-4': served(0, 3) }

judges(
  'exhaust',
  casesOf({
    'RATE-9': {
      'two more than it said break it': ['broken', { ...burns(1, 0, 0, 0) }],
      'a 429 that comes late does not make up for them': ['broken', burns(0, 0, 0)],
      'as many more as drip in do not': [
        'no-evidence',
        { ...burns(1, 0, 0, 0), 'burn-4': { ...served(0, 3), ms: 20_000 } },
      ],
      'more than two windows hold breaks it': ['broken', burnsOf(1, 0, 1, 0, 1)],
      'without the limits it is left open': [
        'no-evidence',
        { ...burns(1, 0, 0, 0), ...burnsOf(undefined, 1, 0, 0, 0) },
      ],
    },
    'RATE-10': {
      'a fraction breaks it': ['broken', rejection({ 'retry-after': '1.5' })],
      'an HTTP-date is right': ['holds', rejection({ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' })],
      'it is not run where the run ended before': ['not-run', open, { endedEarly: 'the budget' }],
    },
    'RATE-13': {
      'an HTTP-date counts from our clock where the response has no Date': [
        'not-run',
        rejection({ 'retry-after': 'Fri, 20 Nov 2026 12:06:00 GMT', date: undefined }),
      ],
      'an HTTP-date counts from the Date of the response': [
        'holds',
        rejection({ 'retry-after': 'Fri, 20 Nov 2026 13:06:00 GMT', date: 'Fri, 20 Nov 2026 13:05:00 GMT' }),
      ],
      'a wait longer than five minutes is not run': ['not-run', rejection({ 'retry-after': '301' })],
      'five minutes are waited for': ['holds', rejection({ 'retry-after': '300' })],
      'a wait that is missing is RATE-10’s to judge': [
        'no-evidence',
        rejection({ 'retry-after': undefined }),
      ],
      'a lost response is no evidence': ['no-evidence', { 'after-burn': { error: 'reset' } }],
    },
  }),
)

const burning: readonly Case[] = casesOf({
  'RATE-15': {
    'a minute beyond the reset does not': ['holds', { 'burn-4': { ...error(429), headers: wait('120') } }],
    'a second more breaks it': ['broken', { 'burn-4': { ...error(429), headers: wait('121') } }],
    'an HTTP-date beyond the reset breaks it': [
      'broken',
      { 'burn-4': { ...error(429), headers: wait('Fri, 20 Nov 2026 13:00:00 GMT') } },
    ],
    'a word is no evidence': ['no-evidence', { 'burn-4': { ...error(429), headers: wait('soon') } }],
  },
})

const restored: readonly Case[] = casesOf({
  'RATE-16': {
    'one less does not': ['holds', { 'after-reset': left(8, 10) }],
    'one more does not': ['holds', { 'after-reset': left(10, 10) }],
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
const limitedTo10 = { 'burn-4': { ...error(429), headers: limited(10, { 'retry-after': '30' }) } }

judges('exhaust', [
  ...burning,
  ...restored.map(
    ([rule, sentence, script, outcome]): Case => [rule, sentence, { ...limitedTo10, ...script }, outcome],
  ),
])
