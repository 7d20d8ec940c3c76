import { type Case, casesOf, judges } from '../testing/judges.ts'
import { animals, each, error, headers, json, keyedIds, otherIds, type Script } from '../testing/recorded.ts'

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

const presence: readonly Case[] = (
  [
    ['RATE-1', limit],
    ['RATE-2', remaining],
    ['RATE-3', reset],
  ] as const
).flatMap(([rule, name]): Case[] => [
  [rule, 'a response without it breaks it', headed({ [name]: undefined }), 'broken'],
  [
    rule,
    'a 401 without it breaks it',
    { 'no-key-list': { headers: headers({ [name]: undefined }) } },
    'broken',
  ],
  [rule, 'a redirect without it breaks it', { [id]: { status: 302, headers: [] } }, 'broken'],
  [rule, 'a gateway need not send it', { [id]: { status: 502, headers: [] } }, 'holds'],
  [rule, 'a 429 that ends the run need not', { 'no-key-get': { status: 429, headers: [] } }, 'holds'],
])

judges('read', [
  ...casesOf({
    'RATE-4': {
      'a word breaks it': ['broken', headed({ [limit]: 'unlimited' })],
      'a policy breaks it': ['broken', headed({ [limit]: '60, 60;w=60' })],
      'a negative number breaks it': ['broken', headed({ [remaining]: '-1' })],
      'a fraction breaks it': ['broken', headed({ [reset]: '1795176060.5' })],
      'an empty header breaks it': ['broken', headed({ [reset]: '' })],
    },
    'RATE-5': {
      'more than the limit breaks it': ['broken', headed({ [remaining]: '61' })],
      'as much as the limit does not': ['holds', headed({ [remaining]: '60' })],
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
      'one that never falls breaks it': ['broken', stuck('59')],
      'one that stands at the limit may not apply': ['no-evidence', stuck('60')],
      'one that drips in faster than it is used leaves it open': ['no-evidence', stuck('900', '100000')],
      'one that drips in almost as fast as it is used leaves it open': ['no-evidence', stuck('4000', '5900')],
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
      'a fall across rejected requests holds': [
        'holds',
        each(
          keyedIds.filter((_, n) => n % 2 === 0),
          error(400),
        ),
      ],
    },
    'RATE-8': {
      'it does not apply without a plan': ['not-applicable', {}],
      'the number of the minute is right': ['holds', {}, { plan: 'free' }],
      'the number of the day is right': ['holds', stuck('900', '1000'), { plan: 'free' }],
      'another plan’s number breaks it': ['broken', {}, { plan: 'pro' }],
      'a 401 may show another limit': [
        'holds',
        each(otherIds, { headers: headers({ [limit]: '10' }) }),
        { plan: 'free' },
      ],
      'a key that is rejected is no evidence': [
        'no-evidence',
        { list: { ...error(403), headers: headers({ [limit]: '10' }) } },
        { plan: 'free' },
      ],
    },
  }),
  ...presence,
])

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
      'one more may drip in': ['no-evidence', open],
      'two more than it said break it': ['broken', { ...burns(1, 0, 0, 0) }],
      'a 429 that comes late does not make up for them': ['broken', burns(0, 0, 0)],
      'as many more as drip in do not': [
        'no-evidence',
        { ...burns(1, 0, 0, 0), 'burn-4': { ...served(0, 3), ms: 20_000 } },
      ],
      'another rejection than 429 breaks it': ['broken', { 'burn-4': error(403) }],
      'a gateway leaves it open': ['no-evidence', { 'burn-4': error(503) }],
      'what remains and never falls may not apply': ['no-evidence', burns(2, 2, 2, 2)],
      'a window that begins anew leaves it open': ['no-evidence', burns(1, 0, 2, 1)],
      'more than two windows hold breaks it': ['broken', burnsOf(1, 0, 1, 0, 1)],
      'without the limits it is left open': [
        'no-evidence',
        { ...burns(1, 0, 0, 0), ...burnsOf(undefined, 1, 0, 0, 0) },
      ],
      'a throttle key that is rejected is no evidence': [
        'no-evidence',
        { 'burn-1': error(401), 'burn-4': 'left out' },
      ],
    },
    'RATE-10': {
      'none breaks it': ['broken', rejection({ 'retry-after': undefined })],
      'a word breaks it': ['broken', rejection({ 'retry-after': 'soon' })],
      'a fraction breaks it': ['broken', rejection({ 'retry-after': '1.5' })],
      'an HTTP-date is right': ['holds', rejection({ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' })],
      'nothing is proved where no 429 came': ['no-evidence', open],
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
      'a second 429 breaks it': ['broken', { 'after-burn': error(429) }],
      'a 401 breaks it': ['broken', { 'after-burn': error(401) }],
      'a gateway is no evidence': ['no-evidence', { 'after-burn': error(502) }],
      'a wait longer than five minutes is not run': ['not-run', rejection({ 'retry-after': '301' })],
      'five minutes are waited for': ['holds', rejection({ 'retry-after': '300' })],
      'a wait that is missing is RATE-10’s to judge': [
        'no-evidence',
        rejection({ 'retry-after': undefined }),
      ],
      'a lost response is no evidence': ['no-evidence', { 'after-burn': { error: 'reset' } }],
    },
    'RATE-11': { 'one that is missing breaks it': ['broken', rejection({ [reset]: undefined })] },
    'RATE-12': {
      'a 429 while requests remain breaks it': ['broken', { 'burn-3': served(1, 3) }],
      'others may have used what remained': ['no-evidence', burns(9, 6, 4)],
      'a lost response is no evidence': ['no-evidence', { 'burn-3': { error: 'reset' } }],
      'a response that does not say what remains is no evidence': [
        'no-evidence',
        { 'burn-3': { ...page, headers: headers({ [remaining]: undefined }) } },
      ],
    },
    'RATE-14': {
      'one that remains breaks it': ['broken', rejection({ [remaining]: '1' })],
      'a missing header is RATE-11’s to judge': ['no-evidence', rejection({ [remaining]: undefined })],
    },
  }),
)
