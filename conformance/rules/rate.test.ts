import { judges } from '../testing/judges.ts'
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

judges('read', {
  'RATE-4 an empty header breaks it': ['broken', headed({ [reset]: '' })],
  'RATE-6 five seconds past may be the Date': ['holds', at(-5)],
  'RATE-6 six seconds past break it': ['broken', at(-6)],
  'RATE-6 25 hours and 2 minutes are the furthest': ['holds', at(25 * 3600 + 125)],
  'RATE-6 a second more breaks it': ['broken', at(25 * 3600 + 126)],
  'RATE-6 without a Date our clock may be five minutes fast': ['holds', undated(-299)],
  'RATE-6 and no more than that': ['broken', undated(-301)],
  'RATE-6 the suite’s clock does not count': ['holds', undated(60), { now: '2030-12-08T00:00:00.000Z' }],
  'RATE-1 a 429 needs the header outside the burn, too': [
    'broken',
    { [id]: { ...error(429), headers: headers({ [limit]: undefined }) } },
  ],
  'RATE-1 an unknown path need not have it': [
    'holds',
    { 'path-unknown': { ...error(404), headers: headers({ [limit]: undefined }) } },
  ],
  'RATE-7 one that drips in faster than it is used leaves it open': ['no-evidence', stuck('900', '100000')],
  'RATE-7 limits that differ from response to response leave it open': [
    'no-evidence',
    standing((n) => ({ [limit]: String(60 + n) })),
  ],
  'RATE-7 a window that begins anew in between does not break it': [
    'holds',
    standing((n) => ({ [remaining]: String(n < 4 ? 4 - n : 60 - n) })),
  ],
  'RATE-7 three pairs are enough': ['broken', { ...stuck('59'), ...each(keyedIds.slice(4), 'left out') }],
  'RATE-7 two pairs are too few': ['no-evidence', { ...stuck('59'), ...each(keyedIds.slice(3), 'left out') }],
  'RATE-7 an operation without a close response leaves it open': [
    'no-evidence',
    { ...stuck('59'), ...each(['get-listed', 'get-first', 'get-last'], error(404)) },
  ],
  'RATE-8 a 401 may show another limit': [
    'holds',
    each(otherIds, { headers: headers({ [limit]: '10' }) }),
    { plan: 'free' },
  ],
})

const page = json(200, animals.slice(0, 1))
const served = (left: number, of: number | undefined) => ({
  ...page,
  headers: headers({ [limit]: of?.toString(), [remaining]: String(left) }),
})
const rejection = (more: Readonly<Record<string, string | undefined>> = {}): Script => ({
  'burn-4': { headers: headers({ [limit]: '3', [remaining]: '0', 'retry-after': '30', ...more }) },
})
const createBurns = (of: number | undefined, ...left: readonly number[]): Script =>
  Object.fromEntries(left.map((remains, n) => [`burn-${n + 1}`, served(remains, of)]))
const burns = (...left: readonly number[]): Script => createBurns(3, ...left)
/** The same, the later two in the next window. */
const inTwoWindows = (script: Script): Script =>
  Object.fromEntries(
    Object.entries(script).map(([id, scripted], n) => {
      if (n < 2 || typeof scripted !== 'object' || !('headers' in scripted)) return [id, scripted]
      const others = scripted.headers?.filter(([name]) => name !== reset) ?? []
      return [id, { ...scripted, headers: [...others, [reset, '1795176120'] as const] }]
    }),
  )
const open: Script = { 'burn-4': served(0, 3) }

judges('exhaust', {
  'RATE-9 two more than it said break it': ['broken', { ...burns(1, 0, 0, 0) }],
  'RATE-9 as many more as drip in do not': [
    'no-evidence',
    { ...burns(1, 0, 0, 0), 'burn-4': { ...served(0, 3), ms: 20_000 } },
  ],
  'RATE-9 more than two windows hold breaks it': ['broken', createBurns(1, 0, 1, 0, 1)],
  'RATE-9 as many as two windows hold do not': ['no-evidence', inTwoWindows(createBurns(2, 1, 0, 1, 0))],
  'RATE-9 twice the limit under one Reset breaks it': ['broken', createBurns(2, 1, 0, 1, 0)],
  'RATE-9 twice the limit under one Reset breaks it before a 429, too': [
    'broken',
    { ...createBurns(1, 1, 0, 1), ...rejection() },
  ],
  'RATE-9 one request more does not': ['holds', { ...createBurns(2, 1, 0, 1), ...rejection() }],
  'RATE-12 without the response before the 429 it is left open': ['no-evidence', { 'burn-3': 'left out' }],
  'RATE-12 others may have used what remained': ['no-evidence', burns(9, 7, 5)],
  'RATE-13 a gateway is no evidence': ['no-evidence', { 'after-burn': error(503) }],
  'RATE-9 without the limits it is left open': [
    'no-evidence',
    { ...burns(1, 0, 0, 0), ...createBurns(undefined, 1, 0, 0, 0) },
  ],
  'RATE-10 a fraction breaks it': ['broken', rejection({ 'retry-after': '1.5' })],
  'RATE-10 it is not run where the run ended before': ['not-run', open, { endedEarly: 'the budget' }],
  'RATE-13 an HTTP-date counts from our clock where the response has no Date': [
    'not-run',
    rejection({ 'retry-after': 'Fri, 20 Nov 2026 12:06:00 GMT', date: undefined }),
  ],
  'RATE-13 an HTTP-date counts from the Date of the response': [
    'holds',
    rejection({ 'retry-after': 'Fri, 20 Nov 2026 13:06:00 GMT', date: 'Fri, 20 Nov 2026 13:05:00 GMT' }),
  ],
  'RATE-13 a wait longer than five minutes is not run': ['not-run', rejection({ 'retry-after': '301' })],
  'RATE-13 five minutes are waited for': ['holds', rejection({ 'retry-after': '300' })],
  'RATE-13 a wait that is missing is RATE-10’s to judge': [
    'no-evidence',
    rejection({ 'retry-after': undefined }),
  ],
  'RATE-13 a lost response is no evidence': ['no-evidence', { 'after-burn': { error: 'reset' } }],
})

/** A burn that ends with a 429, whose `Retry-After` passes before its `Reset`. */
const limited = (more: Readonly<Record<string, string | undefined>> = {}): Script => ({
  'burn-4': {
    ...error(429),
    headers: headers({ [limit]: '10', [remaining]: '0', 'retry-after': '30', ...more }),
  },
})
const waits = (value: string): Script => limited({ 'retry-after': value })
const left = (count: number) => ({ headers: headers({ [limit]: '10', [remaining]: String(count) }) })

judges('exhaust', {
  'RATE-15 a minute beyond the reset does not': ['holds', waits('120')],
  'RATE-15 a second more breaks it': ['broken', waits('121')],
  'RATE-15 an HTTP-date beyond the reset breaks it': ['broken', waits('Fri, 20 Nov 2026 13:00:00 GMT')],
  'RATE-15 a word is no evidence': ['no-evidence', waits('soon')],
  'RATE-16 one less does not': ['holds', { ...limited(), 'after-reset': left(8) }],
  'RATE-16 one more does not': ['holds', { ...limited(), 'after-reset': left(10) }],
  'RATE-16 without a Date, the clock of Reset is not known': [
    'no-evidence',
    { ...limited({ date: undefined }), 'after-reset': left(5) },
  ],
  'RATE-16 others may have used the key': [
    'no-evidence',
    { ...limited(), ...each(['burn-1', 'burn-2'], left(9)), 'burn-3': left(5), 'after-reset': left(5) },
  ],
  'RATE-16 a reset further than five minutes away is not run': [
    'not-run',
    limited({ [reset]: '1795176301' }),
  ],
  'RATE-16 a gateway is no evidence': [
    'no-evidence',
    { ...limited(), 'after-reset': { ...left(5), status: 503 } },
  ],
  'RATE-16 a lost response is no evidence': [
    'no-evidence',
    { ...limited(), 'after-reset': { error: 'reset' } },
  ],
})
