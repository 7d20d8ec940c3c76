import { judges } from '../testing/judges.ts'
import { animals, each, error, headers, json, keyedIds, otherIds, type Script } from '../testing/recorded.ts'

const id = 'get-unknown'
const limit = 'x-ratelimit-limit'
const remaining = 'x-ratelimit-remaining'
const reset = 'x-ratelimit-reset'
const headed = (more: Readonly<Record<string, string | undefined>>): Script => ({
  [id]: { headers: headers(more) },
})
/** The responses to the key, with other rate-limit headers by their place. */
const standing = (say: (n: number) => Readonly<Record<string, string | undefined>>): Script =>
  Object.fromEntries(keyedIds.map((id, n) => [id, { headers: headers(say(n)) }]))
const stuck = (value: string, of = '60'): Script => standing(() => ({ [remaining]: value, [limit]: of }))

/** Noon by the Date that the responses carry. */
const noon = 1_795_176_000
const at = (seconds: number): Script => headed({ [reset]: String(noon + seconds) })
const undated = (seconds: number): Script => headed({ [reset]: String(noon + seconds), date: undefined })

judges('read', {
  'RATE-4 is broken by an empty header': ['broken', headed({ [reset]: '' })],
  'RATE-6 holds with a reset 5 s before the Date': ['holds', at(-5)],
  'RATE-6 is broken by a reset 6 s before the Date': ['broken', at(-6)],
  'RATE-6 holds with a reset 25 hours and 2 minutes ahead': ['holds', at(25 * 3600 + 125)],
  'RATE-6 is broken by a second more': ['broken', at(25 * 3600 + 126)],
  'RATE-6 holds without a Date if our clock is up to 5 minutes fast': ['holds', undated(-299)],
  'RATE-6 is broken by a reset more than 5 minutes past without a Date': ['broken', undated(-301)],
  'RATE-6 ignores the clock of --now': ['holds', undated(60), { now: '2030-12-08T00:00:00.000Z' }],
  'RATE-1 is broken by a 429 without the header outside the burn': [
    'broken',
    { [id]: { ...error(429), headers: headers({ [limit]: undefined }) } },
  ],
  'RATE-1 holds if an unknown path lacks the header': [
    'holds',
    { 'path-unknown': { ...error(404), headers: headers({ [limit]: undefined }) } },
  ],
  'RATE-7 has no evidence if the bucket leaks faster than it is used': [
    'no-evidence',
    stuck('900', '100000'),
  ],
  'RATE-7 has no evidence if the limits differ between responses': [
    'no-evidence',
    standing((n) => ({ [limit]: String(60 + n) })),
  ],
  'RATE-7 holds if a window begins in between': [
    'holds',
    standing((n) => ({ [remaining]: String(n < 4 ? 4 - n : 60 - n) })),
  ],
  'RATE-7 is broken by three pairs': ['broken', { ...stuck('59'), ...each(keyedIds.slice(4), 'left out') }],
  'RATE-7 has no evidence in two pairs': [
    'no-evidence',
    { ...stuck('59'), ...each(keyedIds.slice(3), 'left out') },
  ],
  'RATE-7 has no evidence for an operation without a close response': [
    'no-evidence',
    { ...stuck('59'), ...each(['get-listed', 'get-first', 'get-last'], error(404)) },
  ],
  'RATE-8 holds if a 401 shows another limit': [
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
  'RATE-9 is broken by two requests more than remained': ['broken', { ...burns(1, 0, 0, 0) }],
  'RATE-9 has no evidence if the bucket leaked meanwhile': [
    'no-evidence',
    { ...burns(1, 0, 0, 0), 'burn-4': { ...served(0, 3), ms: 20_000 } },
  ],
  'RATE-9 has no evidence in the requests that two windows allow': [
    'no-evidence',
    inTwoWindows(createBurns(2, 1, 0, 1, 0)),
  ],
  'RATE-9 is broken by twice the limit under one Reset': ['broken', createBurns(2, 1, 0, 1, 0)],
  'RATE-9 is broken by twice the limit under one Reset before a 429': [
    'broken',
    { ...createBurns(1, 1, 0, 1), ...rejection() },
  ],
  'RATE-9 holds with one request more than the limit': [
    'holds',
    { ...createBurns(2, 1, 0, 1), ...rejection() },
  ],
  'RATE-12 has no evidence without the response before the 429': ['no-evidence', { 'burn-3': 'left out' }],
  'RATE-12 has no evidence if others may have used the rest': ['no-evidence', burns(9, 7, 5)],
  'RATE-13 has no evidence after a response of a gateway': ['no-evidence', { 'after-burn': error(503) }],
  'RATE-9 has no evidence without the limits': [
    'no-evidence',
    { ...burns(1, 0, 0, 0), ...createBurns(undefined, 1, 0, 0, 0) },
  ],
  'RATE-10 is broken by a fraction': ['broken', rejection({ 'retry-after': '1.5' })],
  'RATE-10 is not run if the run ended before': ['not-run', open, { endedEarly: 'the budget' }],
  'RATE-13 counts an HTTP-date from our clock without a Date': [
    'not-run',
    rejection({ 'retry-after': 'Fri, 20 Nov 2026 12:06:00 GMT', date: undefined }),
  ],
  'RATE-13 counts an HTTP-date from the Date of the response': [
    'holds',
    rejection({ 'retry-after': 'Fri, 20 Nov 2026 13:06:00 GMT', date: 'Fri, 20 Nov 2026 13:05:00 GMT' }),
  ],
  'RATE-13 is not run if the wait is longer than 5 minutes': ['not-run', rejection({ 'retry-after': '301' })],
  'RATE-13 holds after a wait of 5 minutes': ['holds', rejection({ 'retry-after': '300' })],
  'RATE-13 has no evidence without Retry-After': ['no-evidence', rejection({ 'retry-after': undefined })],
  'RATE-13 has no evidence after a lost response': ['no-evidence', { 'after-burn': { error: 'reset' } }],
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
  'RATE-15 holds with a minute beyond the reset': ['holds', waits('120')],
  'RATE-15 is broken by a second more': ['broken', waits('121')],
  'RATE-15 is broken by an HTTP-date beyond the reset': ['broken', waits('Fri, 20 Nov 2026 13:00:00 GMT')],
  'RATE-15 has no evidence in a word': ['no-evidence', waits('soon')],
  'RATE-16 holds with one request less': ['holds', { ...limited(), 'after-reset': left(8) }],
  'RATE-16 holds with one request more': ['holds', { ...limited(), 'after-reset': left(10) }],
  'RATE-16 has no evidence without a Date for the clock of Reset': [
    'no-evidence',
    { ...limited({ date: undefined }), 'after-reset': left(5) },
  ],
  'RATE-16 has no evidence if others may have used the key': [
    'no-evidence',
    { ...limited(), ...each(['burn-1', 'burn-2'], left(9)), 'burn-3': left(5), 'after-reset': left(5) },
  ],
  'RATE-16 is not run if the reset is more than 5 minutes away': [
    'not-run',
    limited({ [reset]: '1795176301' }),
  ],
  'RATE-16 has no evidence after a response of a gateway': [
    'no-evidence',
    { ...limited(), 'after-reset': { ...left(5), status: 503 } },
  ],
  'RATE-16 has no evidence after a lost response': [
    'no-evidence',
    { ...limited(), 'after-reset': { error: 'reset' } },
  ],
})
