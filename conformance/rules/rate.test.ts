import { testRules } from '../testing/judges.ts'
import {
  animals,
  buildTranscript,
  createHeaders,
  keyStepIds,
  otherStepIds,
  type Script,
  scriptEach,
  scriptError,
  scriptJson,
  toSequential,
} from '../testing/recorded.ts'

const unknownIdStep = 'get-unknown'
const limitHeader = 'x-ratelimit-limit'
const remainingHeader = 'x-ratelimit-remaining'
const resetHeader = 'x-ratelimit-reset'
const scriptHeaders = (more: Readonly<Record<string, string | undefined>>): Script => ({
  [unknownIdStep]: { headers: createHeaders(more) },
})
const scriptEveryRead = (say: (n: number) => Readonly<Record<string, string | undefined>>): Script =>
  Object.fromEntries(keyStepIds.map((id, n) => [id, { headers: createHeaders(say(n)) }]))
const scriptConstantRemaining = (value: string, of = '60'): Script =>
  scriptEveryRead(() => ({ [remainingHeader]: value, [limitHeader]: of }))

/** The Unix time of the recorded responses' `Date`. */
const noonSeconds = 1_795_176_000
const scriptReset = (seconds: number): Script =>
  scriptHeaders({ [resetHeader]: String(noonSeconds + seconds) })
const scriptResetWithoutDate = (seconds: number): Script =>
  scriptHeaders({ [resetHeader]: String(noonSeconds + seconds), date: undefined })

testRules('read', {
  'RATE-4 is broken by an empty header': ['broken', scriptHeaders({ [resetHeader]: '' })],
  'RATE-6 holds for a reset 5 s before the Date': ['holds', scriptReset(-5)],
  'RATE-6 is broken by a reset 6 s before the Date': ['broken', scriptReset(-6)],
  'RATE-6 holds for a reset 25 hours and 2 minutes ahead': ['holds', scriptReset(25 * 3600 + 125)],
  'RATE-6 is broken by a reset 25 hours, 2 minutes and 1 second ahead': [
    'broken',
    scriptReset(25 * 3600 + 126),
  ],
  'RATE-6 holds if our clock is 5 minutes fast and Date is missing': ['holds', scriptResetWithoutDate(-299)],
  'RATE-6 is broken if the reset is over 5 minutes past and Date is missing': [
    'broken',
    scriptResetWithoutDate(-301),
  ],
  'RATE-6 ignores the time given with --now': [
    'holds',
    scriptResetWithoutDate(60),
    { now: '2030-12-08T00:00:00.000Z' },
  ],
  'RATE-1 is broken by a 429 without X-RateLimit-Limit early in the run': [
    'broken',
    { [unknownIdStep]: { ...scriptError(429), headers: createHeaders({ [limitHeader]: undefined }) } },
  ],
  'RATE-1 holds if only the response to an unknown path lacks the header': [
    'holds',
    { 'path-unknown': { ...scriptError(404), headers: createHeaders({ [limitHeader]: undefined }) } },
  ],
  'RATE-7 is inconclusive if the bucket leaks faster than requests come': [
    'no-evidence',
    scriptConstantRemaining('900', '100000'),
  ],
  'RATE-7 is inconclusive if the limit differs between responses': [
    'no-evidence',
    scriptEveryRead((n) => ({ [limitHeader]: String(60 + n) })),
  ],
  'RATE-7 holds if a new window begins': [
    'holds',
    scriptEveryRead((n) => ({ [remainingHeader]: String(n < 4 ? 4 - n : 60 - n) })),
  ],
  'RATE-7 is broken if Remaining is constant over three pairs of responses': [
    'broken',
    { ...scriptConstantRemaining('59'), ...scriptEach(keyStepIds.slice(4), 'left out') },
  ],
  'RATE-7 is inconclusive if Remaining is constant over two pairs of responses': [
    'no-evidence',
    { ...scriptConstantRemaining('59'), ...scriptEach(keyStepIds.slice(3), 'left out') },
  ],
  'RATE-7 is inconclusive if an operation has no responses close in time': [
    'no-evidence',
    {
      ...scriptConstantRemaining('59'),
      ...scriptEach(['get-listed', 'get-first', 'get-last'], scriptError(404)),
    },
  ],
  'RATE-8 holds if a 401 shows another limit': [
    'holds',
    scriptEach(otherStepIds, { headers: createHeaders({ [limitHeader]: '10' }) }),
    { plan: 'free' },
  ],
})

const onePetPage = scriptJson(200, animals.slice(0, 1))
const scriptSuccess = (left: number, of: number | undefined) => ({
  ...onePetPage,
  headers: createHeaders({ [limitHeader]: of?.toString(), [remainingHeader]: String(left) }),
})
const burnRejection = (more: Readonly<Record<string, string | undefined>> = {}): Script => ({
  'burn-4': {
    headers: createHeaders({ [limitHeader]: '3', [remainingHeader]: '0', 'retry-after': '30', ...more }),
  },
})
const createBurns = (of: number | undefined, ...left: readonly number[]): Script =>
  Object.fromEntries(left.map((remains, n) => [`burn-${n + 1}`, scriptSuccess(remains, of)]))
const burns = (...left: readonly number[]): Script => createBurns(3, ...left)
/** Gives the third response and the later ones a later `Reset`. */
const splitIntoWindows = (script: Script): Script =>
  Object.fromEntries(
    Object.entries(script).map(([id, scripted], n) => {
      if (n < 2 || typeof scripted !== 'object' || !('headers' in scripted)) return [id, scripted]
      const otherHeaders = scripted.headers?.filter(([name]) => name !== resetHeader) ?? []
      return [id, { ...scripted, headers: [...otherHeaders, [resetHeader, '1795176120'] as const] }]
    }),
  )
const successAtBurn4: Script = { 'burn-4': scriptSuccess(0, 3) }

testRules('exhaust', {
  'RATE-9 is broken by two successes after X-RateLimit-Remaining: 0': ['broken', { ...burns(1, 0, 0, 0) }],
  'RATE-9 is inconclusive if the bucket leaked enough for the extra successes': [
    'no-evidence',
    { ...burns(1, 0, 0, 0), 'burn-4': { ...scriptSuccess(0, 3), ms: 20_000 } },
  ],
  'RATE-9 is inconclusive if Reset shows that the bucket leaked enough': [
    'no-evidence',
    {
      ...burns(1, 0, 0, 0),
      'burn-2': {
        ...onePetPage,
        headers: createHeaders({
          [limitHeader]: '3',
          [remainingHeader]: '0',
          [resetHeader]: String(noonSeconds + 4),
        }),
      },
      'burn-4': { ...scriptSuccess(0, 3), ms: 1_200 },
    },
  ],
  'RATE-9 is inconclusive if the requests may span two windows': [
    'no-evidence',
    splitIntoWindows(createBurns(2, 1, 0, 1, 0)),
  ],
  'RATE-9 is broken if twice the limit succeeds before Reset changes': ['broken', createBurns(2, 1, 0, 1, 0)],
  'RATE-9 is broken by twice the limit even if a 429 follows': [
    'broken',
    { ...createBurns(1, 1, 0, 1), ...burnRejection() },
  ],
  'RATE-9 holds if one request more than the limit succeeds': [
    'holds',
    { ...createBurns(2, 1, 0, 1), ...burnRejection() },
  ],
  'RATE-12 is inconclusive without the response before the 429': ['no-evidence', { 'burn-3': 'left out' }],
  'RATE-12 is inconclusive if another client may use the key': ['no-evidence', burns(9, 7, 5)],
  'RATE-13 is inconclusive after a gateway response': ['no-evidence', { 'after-burn': scriptError(503) }],
  'RATE-9 is inconclusive without X-RateLimit-Limit': [
    'no-evidence',
    { ...burns(1, 0, 0, 0), ...createBurns(undefined, 1, 0, 0, 0) },
  ],
  'RATE-10 is broken by a Retry-After with a fraction of a second': [
    'broken',
    burnRejection({ 'retry-after': '1.5' }),
  ],
  'RATE-10 is not run if the run ended early': ['not-run', successAtBurn4, { endedEarly: 'the budget' }],
  'RATE-13 compares an HTTP-date with our clock if Date is missing': [
    'not-run',
    burnRejection({ 'retry-after': 'Fri, 20 Nov 2026 12:06:00 GMT', date: undefined }),
  ],
  'RATE-13 compares an HTTP-date with the Date of the response': [
    'holds',
    burnRejection({ 'retry-after': 'Fri, 20 Nov 2026 13:06:00 GMT', date: 'Fri, 20 Nov 2026 13:05:00 GMT' }),
  ],
  'RATE-13 is not run if the wait is longer than 5 minutes': [
    'not-run',
    burnRejection({ 'retry-after': '301' }),
  ],
  'RATE-13 holds after a 5-minute wait': ['holds', burnRejection({ 'retry-after': '300' })],
  'RATE-13 is inconclusive without Retry-After': ['no-evidence', burnRejection({ 'retry-after': undefined })],
  'RATE-13 is inconclusive after a lost response': ['no-evidence', { 'after-burn': { error: 'reset' } }],
})

/** The last sequential response has `left` requests remaining, then `count` parallel requests succeed. */
const scriptParallelRequests = (left: number, count: number, more: Script = {}): Script => ({
  ...createBurns(60, left + 2, left + 1, left),
  ...Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `limit-together-${n + 1}`,
      scriptSuccess(Math.max(0, left - 1 - n), 60),
    ]),
  ),
  ...more,
})
const parallelIds = Array.from({ length: 15 }, (_, n) => `limit-together-${n + 1}`)

testRules('exhaust', {
  'RATE-17 holds if no request succeeds after X-RateLimit-Remaining: 0': ['holds', {}],
  'RATE-17 holds if one request more than Remaining succeeds': ['holds', scriptParallelRequests(3, 4)],
  'RATE-17 is broken if two requests more than Remaining succeed': ['broken', scriptParallelRequests(3, 5)],
  'RATE-17 allows the requests that a bucket leaks in four seconds': [
    'holds',
    scriptParallelRequests(3, 7, { 'limit-together-15': { ...scriptError(429), ms: 4_000 } }),
  ],
  'RATE-17 is inconclusive without a 429': ['no-evidence', scriptParallelRequests(15, 15)],
  'RATE-17 is inconclusive if Remaining rises': [
    'no-evidence',
    scriptParallelRequests(3, 9, { 'limit-together-3': scriptSuccess(59, 60) }),
  ],
  'RATE-17 is inconclusive if Remaining never fell': [
    'no-evidence',
    { ...scriptParallelRequests(3, 9), ...createBurns(60, 3, 3, 3) },
  ],
  'RATE-17 is inconclusive if Remaining is missing once and never fell': [
    'no-evidence',
    {
      ...scriptParallelRequests(3, 9),
      ...createBurns(60, 3, 3, 3),
      'burn-2': { ...scriptSuccess(3, 60), headers: [] },
    },
  ],
  'RATE-17 allows one more success for a second server': [
    'holds',
    { ...scriptParallelRequests(3, 5), ...createBurns(60, 4, 4, 3) },
  ],
  'RATE-17 is inconclusive if requests were sent one by one': [
    'no-evidence',
    {},
    { exchanges: toSequential(buildTranscript('exhaust', scriptParallelRequests(3, 9))) },
  ],
  'RATE-17 is inconclusive without parallel requests': ['no-evidence', scriptEach(parallelIds, 'left out')],
  'RATE-5 ignores parallel responses': ['holds', { 'limit-together-1': scriptSuccess(61, 60) }],
  'RATE-9 ignores parallel responses': [
    'holds',
    { ...scriptParallelRequests(3, 15), 'burn-4': burnRejection()['burn-4'] ?? 'left out' },
  ],
  'RATE-12 is broken if requests remained after the parallel requests': [
    'broken',
    { ...scriptParallelRequests(5, 3), 'burn-4': burnRejection()['burn-4'] ?? 'left out' },
  ],
  'RATE-12 is inconclusive if a parallel response is missing': [
    'no-evidence',
    scriptParallelRequests(5, 3, {
      'limit-together-9': { error: 'reset' },
      'burn-4': burnRejection()['burn-4'] ?? 'left out',
    }),
  ],
})

const scriptRejection = (more: Readonly<Record<string, string | undefined>> = {}): Script => ({
  'burn-4': {
    ...scriptError(429),
    headers: createHeaders({ [limitHeader]: '10', [remainingHeader]: '0', 'retry-after': '30', ...more }),
  },
})
const scriptRetryAfter = (value: string): Script => scriptRejection({ 'retry-after': value })
const scriptRemaining = (count: number) => ({
  headers: createHeaders({ [limitHeader]: '10', [remainingHeader]: String(count) }),
})

testRules('exhaust', {
  'RATE-15 holds for a Retry-After a minute past the reset': ['holds', scriptRetryAfter('120')],
  'RATE-15 is broken by a Retry-After 61 s past the reset': ['broken', scriptRetryAfter('121')],
  'RATE-15 is broken by an HTTP-date past the reset': [
    'broken',
    scriptRetryAfter('Fri, 20 Nov 2026 13:00:00 GMT'),
  ],
  'RATE-15 is inconclusive if Retry-After is a word': ['no-evidence', scriptRetryAfter('soon')],
  'RATE-16 holds if one request less than expected remains': [
    'holds',
    { ...scriptRejection(), 'after-reset': scriptRemaining(8) },
  ],
  'RATE-16 holds if one request more than expected remains': [
    'holds',
    { ...scriptRejection(), 'after-reset': scriptRemaining(10) },
  ],
  'RATE-16 is inconclusive without a Date': [
    'no-evidence',
    { ...scriptRejection({ date: undefined }), 'after-reset': scriptRemaining(5) },
  ],
  'RATE-16 is inconclusive if another client may use the key': [
    'no-evidence',
    {
      ...scriptRejection(),
      ...scriptEach(['burn-1', 'burn-2'], scriptRemaining(9)),
      'burn-3': scriptRemaining(5),
      'after-reset': scriptRemaining(5),
    },
  ],
  'RATE-16 is not run if the reset is more than 5 minutes away': [
    'not-run',
    scriptRejection({ [resetHeader]: '1795176301' }),
  ],
  'RATE-16 is inconclusive after a gateway response': [
    'no-evidence',
    { ...scriptRejection(), 'after-reset': { ...scriptRemaining(5), status: 503 } },
  ],
  'RATE-16 is inconclusive after a lost response': [
    'no-evidence',
    { ...scriptRejection(), 'after-reset': { error: 'reset' } },
  ],
})
