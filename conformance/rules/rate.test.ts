import { type Case, judges } from '../testing/judges.ts'
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
  ...presence,
  ['RATE-4', 'a word breaks it', headed({ [limit]: 'unlimited' }), 'broken'],
  ['RATE-4', 'a policy breaks it', headed({ [limit]: '60, 60;w=60' }), 'broken'],
  ['RATE-4', 'a negative number breaks it', headed({ [remaining]: '-1' }), 'broken'],
  ['RATE-4', 'a fraction breaks it', headed({ [reset]: '1795176060.5' }), 'broken'],
  ['RATE-4', 'an empty header breaks it', headed({ [reset]: '' }), 'broken'],
  ['RATE-5', 'more than the limit breaks it', headed({ [remaining]: '61' }), 'broken'],
  ['RATE-5', 'as much as the limit does not', headed({ [remaining]: '60' }), 'holds'],
  ['RATE-6', 'now is not past', at(0), 'holds'],
  ['RATE-6', 'five seconds past may be the Date', at(-5), 'holds'],
  ['RATE-6', 'six seconds past break it', at(-6), 'broken'],
  ['RATE-6', '25 hours and 2 minutes are the furthest', at(25 * 3600 + 125), 'holds'],
  ['RATE-6', 'a second more breaks it', at(25 * 3600 + 126), 'broken'],
  ['RATE-6', 'seconds from now break it', headed({ [reset]: '60' }), 'broken'],
  ['RATE-6', 'milliseconds break it', headed({ [reset]: `${noon}000` }), 'broken'],
  ['RATE-6', 'without a Date our clock may be five minutes fast', undated(-299), 'holds'],
  ['RATE-6', 'and no more than that', undated(-301), 'broken'],
  ['RATE-6', 'the suite’s clock does not count', undated(60), 'holds', { now: '2030-12-08T00:00:00.000Z' }],
  ['RATE-7', 'one that never falls breaks it', stuck('59'), 'broken'],
  ['RATE-7', 'one that stands at the limit may not apply', stuck('60'), 'no-evidence'],
  [
    'RATE-7',
    'one that drips in faster than it is used leaves it open',
    stuck('900', '100000'),
    'no-evidence',
  ],
  [
    'RATE-7',
    'one that drips in almost as fast as it is used leaves it open',
    stuck('4000', '5900'),
    'no-evidence',
  ],
  [
    'RATE-7',
    'limits that differ from response to response leave it open',
    standing((n) => ({ [limit]: String(60 + n) })),
    'no-evidence',
  ],
  [
    'RATE-7',
    'a window that begins anew in between does not break it',
    standing((n) => ({ [remaining]: String(n < 4 ? 4 - n : 60 - n) })),
    'holds',
  ],
  [
    'RATE-7',
    'two pairs are too few',
    { ...stuck('59'), ...each(keyedIds.slice(3), 'left out') },
    'no-evidence',
  ],
  [
    'RATE-7',
    'an operation without a close response leaves it open',
    { ...stuck('59'), 'get-listed': error(404) },
    'no-evidence',
  ],
  [
    'RATE-7',
    'a fall across rejected requests holds',
    each(
      keyedIds.filter((_, n) => n % 2 === 0),
      error(400),
    ),
    'holds',
  ],
  ['RATE-8', 'it does not apply without a plan', {}, 'not-applicable'],
  ['RATE-8', 'the number of the minute is right', {}, 'holds', { plan: 'free' }],
  ['RATE-8', 'the number of the day is right', stuck('900', '1000'), 'holds', { plan: 'free' }],
  ['RATE-8', 'another plan’s number breaks it', {}, 'broken', { plan: 'pro' }],
  [
    'RATE-8',
    'a 401 may show another limit',
    each(otherIds, { headers: headers({ [limit]: '10' }) }),
    'holds',
    { plan: 'free' },
  ],
  [
    'RATE-8',
    'a key that is rejected is no evidence',
    { list: { ...error(403), headers: headers({ [limit]: '10' }) } },
    'no-evidence',
    { plan: 'free' },
  ],
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

judges('exhaust', [
  ['RATE-9', 'one more may drip in', open, 'no-evidence'],
  ['RATE-9', 'two more than it said break it', { ...burns(1, 0, 0, 0) }, 'broken'],
  ['RATE-9', 'a 429 that comes late does not make up for them', burns(0, 0, 0), 'broken'],
  [
    'RATE-9',
    'as many more as drip in do not',
    { ...burns(1, 0, 0, 0), 'burn-4': { ...served(0, 3), ms: 20_000 } },
    'no-evidence',
  ],
  ['RATE-9', 'another rejection than 429 breaks it', { 'burn-4': error(403) }, 'broken'],
  ['RATE-9', 'a gateway leaves it open', { 'burn-4': error(503) }, 'no-evidence'],
  ['RATE-9', 'what remains and never falls may not apply', burns(2, 2, 2, 2), 'no-evidence'],
  ['RATE-9', 'a window that begins anew leaves it open', burns(1, 0, 2, 1), 'no-evidence'],
  ['RATE-9', 'more than two windows hold breaks it', burnsOf(1, 0, 1, 0, 1), 'broken'],
  [
    'RATE-9',
    'without the limits it is left open',
    { ...burns(1, 0, 0, 0), ...burnsOf(undefined, 1, 0, 0, 0) },
    'no-evidence',
  ],
  [
    'RATE-9',
    'a throttle key that is rejected is no evidence',
    { 'burn-1': error(401), 'burn-4': 'left out' },
    'no-evidence',
  ],
  ['RATE-10', 'none breaks it', rejection({ 'retry-after': undefined }), 'broken'],
  ['RATE-10', 'a word breaks it', rejection({ 'retry-after': 'soon' }), 'broken'],
  ['RATE-10', 'a fraction breaks it', rejection({ 'retry-after': '1.5' }), 'broken'],
  [
    'RATE-10',
    'an HTTP-date is right',
    rejection({ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }),
    'holds',
  ],
  ['RATE-10', 'nothing is proved where no 429 came', open, 'no-evidence'],
  ['RATE-10', 'it is not run where the run ended before', open, 'not-run', { endedEarly: 'the budget' }],
  [
    'RATE-13',
    'an HTTP-date counts from our clock where the response has no Date',
    rejection({ 'retry-after': 'Fri, 20 Nov 2026 12:06:00 GMT', date: undefined }),
    'not-run',
  ],
  [
    'RATE-13',
    'an HTTP-date counts from the Date of the response',
    rejection({ 'retry-after': 'Fri, 20 Nov 2026 13:06:00 GMT', date: 'Fri, 20 Nov 2026 13:05:00 GMT' }),
    'holds',
  ],
  ['RATE-11', 'one that is missing breaks it', rejection({ [reset]: undefined }), 'broken'],
  ['RATE-12', 'a 429 while requests remain breaks it', { 'burn-3': served(1, 3) }, 'broken'],
  ['RATE-12', 'others may have used what remained', burns(9, 6, 4), 'no-evidence'],
  ['RATE-12', 'a lost response is no evidence', { 'burn-3': { error: 'reset' } }, 'no-evidence'],
  [
    'RATE-12',
    'a response that does not say what remains is no evidence',
    { 'burn-3': { ...page, headers: headers({ [remaining]: undefined }) } },
    'no-evidence',
  ],
  ['RATE-13', 'a second 429 breaks it', { 'after-burn': error(429) }, 'broken'],
  ['RATE-13', 'a 401 breaks it', { 'after-burn': error(401) }, 'broken'],
  ['RATE-13', 'a gateway is no evidence', { 'after-burn': error(502) }, 'no-evidence'],
  ['RATE-13', 'a wait longer than five minutes is not run', rejection({ 'retry-after': '301' }), 'not-run'],
  ['RATE-13', 'five minutes are waited for', rejection({ 'retry-after': '300' }), 'holds'],
  [
    'RATE-13',
    'a wait that is missing is RATE-10’s to judge',
    rejection({ 'retry-after': undefined }),
    'no-evidence',
  ],
  ['RATE-13', 'a lost response is no evidence', { 'after-burn': { error: 'reset' } }, 'no-evidence'],
  ['RATE-14', 'one that remains breaks it', rejection({ [remaining]: '1' }), 'broken'],
  ['RATE-14', 'a missing header is RATE-11’s to judge', rejection({ [remaining]: undefined }), 'no-evidence'],
])
