import {
  always,
  editRequest,
  editResponse,
  headers,
  html,
  isAnonymous,
  isCreate,
  isGet,
  limitedBy,
  on,
  replaced,
  reset,
  type When,
  withLimiters,
} from './change.ts'
import type { Change } from './deployment.ts'
import { type ApiResponse, createErrorResponse, findCaller } from './exchange.ts'
import {
  day,
  fixedWindow,
  type Limiter,
  type LimiterDecision,
  minute,
  neverApplied,
  slidingLog,
  together,
  tokenBucket,
} from './limiter.ts'
import { allowedBy, also, type Broken, brokenBy, idsIn, type Legal, unproven } from './variant.ts'
import { mainKey, throttleKey } from './world.ts'

const limit = 'x-ratelimit-limit'
const remaining = 'x-ratelimit-remaining'
const retryAfter = 'retry-after'

/** Sets a header on every response with a status. */
const header = (status: number, name: string, value?: string): Change =>
  on(status, always, headers({ [name]: value }))
const numberIn = (response: ApiResponse, name: string): number => Number(response.headers[name])
/** Sets the reset of every response. */
const editReset = (edit: Parameters<typeof reset>[0]): Change => editResponse(always, reset(edit))
/** Sets the remaining requests of the main key. */
const editRemaining = (edit: (left: number) => number): Change =>
  editResponse(
    (request) => findCaller(request) === mainKey,
    (response) => headers({ [remaining]: String(edit(numberIn(response, remaining))) })(response),
  )
const withThrottleKey: When = (request) => findCaller(request) === throttleKey

/** Changes the numbers that the reference limiter returns for each request. */
const editDecision = (
  edit: () => (editDecision: LimiterDecision, caller: string) => Partial<LimiterDecision>,
): Change =>
  limitedBy((limiter) => {
    const other = edit()
    return (caller, now) => {
      const before = limiter(caller, now)
      return { ...before, ...other(before, caller) }
    }
  })

/** Charges the key for other requests only. */
function neverCharging(when: When): Change {
  let isCharged = true
  let last: LimiterDecision | undefined
  return {
    ...limitedBy((charge) => (caller, now) => {
      if (caller !== mainKey) return charge(caller, now)
      last = isCharged || last === undefined ? charge(caller, now) : last
      return last
    }),
    middleware: (request, next) => {
      isCharged = !when(request)
      return next(request)
    },
  }
}

/** All keys have this limiter. */
const forAll = (limiter: Limiter): Change => withLimiters(limiter, limiter)
/** Two servers receive the requests in turn. */
const alternate = (first: Limiter, second: Limiter): Limiter => {
  let turn = 0
  return (caller, now) => (turn++ % 2 === 0 ? first : second)(caller, now)
}
/** Rejects the twentieth request, with a wait of an hour, and with or without the rate-limit headers. */
function rejectsTwentieth(hasHeaders: boolean): Change {
  return editResponse(always, (response, _, { requests }) => {
    if (requests !== 20) return response
    const rejection = createErrorResponse(429, 'slow_down', 'Slow down.', { [retryAfter]: '3600' })
    return hasHeaders ? replaced(response, rejection) : rejection
  })
}

/** Variants that break section 8. Those from RATE-9 on drive a key to its limit. */
export const brokenRates: readonly Broken[] = brokenBy({
  'RATE-1 sends a 404 without a limit': on(404, isGet, headers({ [limit]: undefined })),
  'RATE-1 has a limit in front whose 429 lacks the headers': also(
    idsIn('RATE', 2, 3),
    rejectsTwentieth(false),
  ),
  'RATE-2 sends a 401 without the remaining requests': header(401, remaining),
  'RATE-3 sends a 400 without a reset': header(400, 'x-ratelimit-reset'),
  'RATE-4 writes the limit with a policy': header(401, limit, '60, 60;w=60'),
  'RATE-4 writes a negative number of remaining requests': header(401, remaining, '-1'),
  'RATE-4 writes the reset with a fraction': editReset((seconds) => `${seconds}.5`),
  'RATE-5 has more requests remaining than its limit': header(401, remaining, '61'),
  'RATE-6 has a reset two days from now': editReset((_, now) => now + 172_800),
  'RATE-6 has a reset a minute in the past': editReset((_, now) => now - 60),
  'RATE-7 never lowers the remaining requests': editRemaining(() => 59),
  'RATE-7 never lowers the remaining requests for getPet': neverCharging(isGet),
  'RATE-7 never lowers the remaining requests for a creation': neverCharging(isCreate),
  "RATE-8 has a limit that is not the plan's": { plan: 'free', ...limitedBy(() => fixedWindow(100, minute)) },
  'RATE-9 counts down to 0 and never rejects': editDecision(() => () => ({ wait: 0 })),
  'RATE-9 serves five requests past 0 before it rejects': editDecision(() => {
    let past = 0
    return ({ wait }) => {
      if (wait > 0) past += 1
      return past > 5 ? {} : { wait: 0 }
    }
  }),
  'RATE-9 counts down to 1 and never rejects': editDecision(() => ({ remaining }) => ({
    remaining: Math.max(1, remaining),
    wait: 0,
  })),
  'RATE-9 counts on two servers, each by itself': forAll(
    alternate(fixedWindow(40, minute), fixedWindow(40, minute)),
  ),
  'RATE-9 counts on two servers, each by itself, with a sliding log': forAll(
    alternate(slidingLog(40, minute), slidingLog(40, minute)),
  ),
  'RATE-9 rejects with 403 past the limit': on(429, always, createErrorResponse(403)),
  'RATE-10 sends a 429 without Retry-After': header(429, retryAfter),
  'RATE-10 writes Retry-After as a word': header(429, retryAfter, 'soon'),
  'RATE-11 sends a 429 without the remaining requests': also('RATE-2', header(429, remaining)),
  'RATE-12 rejects while three requests remain': editResponse(withThrottleKey, (response) =>
    response.status === 429
      ? response
      : headers({ [limit]: '15', [remaining]: String(numberIn(response, remaining) + 3) })(response),
  ),
  'RATE-13 still rejects after Retry-After': header(429, retryAfter, '1'),
  'RATE-14 sends a 429 with one request remaining': header(429, remaining, '1'),
  'RATE-15 writes Retry-After in milliseconds': on(429, always, (response) =>
    headers({ [retryAfter]: `${response.headers[retryAfter]}000` })(response),
  ),
  'RATE-16 resets when one more request is allowed': {
    ...withLimiters(tokenBucket(12, minute), fixedWindow(60, minute)),
    ...editResponse(withThrottleKey, (response, _, { clock }) => {
      const wait = Number(response.headers[retryAfter] ?? 1)
      const at = Math.ceil(clock.now() / 1000) + wait
      return headers({ 'x-ratelimit-reset': String(at) })(response)
    }),
  },
})

/** The MUST rules that need a key at its limit. */
const burnRules = idsIn('RATE', 9, 10, 11)

/** Gives anonymous clients another limiter than keys. */
const forAnonymous = (limiter: Limiter): Change =>
  limitedBy((keyed) => (caller, now) => (caller === 'anonymous' ? limiter : keyed)(caller, now))
/** All callers share one limit. */
const sharedByAll =
  (limiter: Limiter): Limiter =>
  (_, now) =>
    limiter('all', now)
/** Another client sends as many requests as the suite does. */
const withOtherClient =
  (limiter: Limiter): Limiter =>
  (caller, now) => {
    limiter(caller, now)
    return limiter(caller, now)
  }

const twoLimits = (perMinute: number, perDay: number, show: Parameters<typeof together>[1]): Limiter =>
  together([fixedWindow(perMinute, minute), fixedWindow(perDay, day)], show)
const tightest: Parameters<typeof together>[1] = (standings) =>
  standings.reduce((a, b) => (b.remaining < a.remaining ? b : a))

/** Shows what creations have left, and never rejects. */
function chargingCreations(): Change {
  let used = 0
  return {
    prepare: (world) => {
      used = 0
      world.limiter = (_, now) => ({ limit: 60, remaining: 60 - used, reset: now + minute, wait: 0 })
    },
    middleware: (request, next) => {
      if (isCreate(request)) used += 1
      return next(request)
    },
  }
}

/** Variants of what section 8 leaves open about rate limits. */
export const legalLimits: readonly Legal[] = allowedBy({
  'whether limits apply: shows its limits and never applies them': unproven(
    burnRules,
    forAll(neverApplied(60, minute)),
  ),
  'whether limits apply: charges only creations': {
    warns: ['RATE-7'],
    ...unproven(burnRules, chargingCreations()),
  },
  'the keys of one holder: counts both keys together': forAll(sharedByAll(fixedWindow(110, minute))),
  'which plan applies: has a plan for each key': {
    plan: 'business',
    ...withLimiters(fixedWindow(60, minute), fixedWindow(1000, minute)),
  },
  'the window: has a sliding log': withLimiters(slidingLog(10, minute), slidingLog(60, minute)),
  'the window: has a token bucket': withLimiters(tokenBucket(10, minute), tokenBucket(60, minute)),
  'the window: has a window of a second, which the burn cannot exhaust': unproven(
    burnRules,
    withLimiters(fixedWindow(100, 1000), fixedWindow(100, 1000)),
  ),
  'the window: has a token bucket that refills sixty times a second': unproven(
    burnRules,
    withLimiters(tokenBucket(60, 1000), tokenBucket(60, 1000)),
  ),
  'which limit the headers show: shows the limit of the minute': {
    plan: 'free',
    ...withLimiters(
      twoLimits(10, 100, ([a]) => a),
      twoLimits(60, 1000, ([a]) => a),
    ),
  },
  'which limit the headers show: shows the limit of the day': {
    plan: 'free',
    ...withLimiters(
      twoLimits(30, 10, ([, b]) => b),
      twoLimits(60, 1000, ([, b]) => b),
    ),
  },
  'which limit the headers show: shows the limit with the fewest remaining': withLimiters(
    twoLimits(10, 12, tightest),
    twoLimits(200, 100, tightest),
  ),
  'custom limits: has a limit that is a word': unproven(
    ['RATE-4'],
    editResponse(always, headers({ [limit]: 'unlimited' })),
  ),
  'custom limits: has a limit that is too high to exhaust': unproven(
    burnRules,
    forAll(fixedWindow(1_000_000, minute)),
  ),
  'anonymous clients: allows anonymous clients six requests a minute': forAnonymous(fixedWindow(6, minute)),
  'anonymous clients: counts by client address, except for the throttle key': withLimiters(
    fixedWindow(12, minute),
    sharedByAll(fixedWindow(100, minute)),
  ),
  'anonymous clients: never counts anonymous clients': forAnonymous(neverApplied(10, day)),
  'other clients: has another client that uses the same keys': withLimiters(
    withOtherClient(fixedWindow(30, minute)),
    withOtherClient(fixedWindow(1000, minute)),
  ),
  'other clients: has another client that exhausts the limit of the key': withLimiters(
    fixedWindow(10, minute),
    withOtherClient(fixedWindow(60, minute)),
  ),
  'the throttle key: does not know the throttle key': unproven(
    burnRules,
    editRequest((request) => findCaller(request) === throttleKey, { authorization: 'Bearer unknown' }),
  ),
  'Retry-After: writes Retry-After as an HTTP-date': on(429, always, (response, _, { clock }) => {
    const at = clock.now() + 1000 * Number(response.headers['retry-after'])
    return headers({ 'retry-after': new Date(at).toUTCString() })(response)
  }),
  'the body of a 429: sends a 429 with an HTML page': on(429, always, html('<h1>Too many requests</h1>')),
  'the body of a 429: sends a 429 without a body': on(429, always, (response) => ({
    ...headers({ 'content-type': undefined })(response),
    body: '',
  })),
  'several servers: serves one request past 0 before it rejects': editDecision(() => {
    let past = 0
    return ({ wait }) => {
      if (wait > 0) past += 1
      return past > 1 ? {} : { wait: 0 }
    }
  }),
  'a 429 outside the burn: has a limit in front that rejects the twentieth request': {
    endsEarly: true,
    ...rejectsTwentieth(true),
  },
  'the reset: writes the reset with a fraction of zeros': editResponse(
    always,
    reset((seconds) => `${seconds}.000`),
  ),
  'the reset: resets 25 hours from now, at midnight in another time zone': editResponse(
    always,
    reset((_, now) => now + 25 * 3600),
  ),
  'the reset: has a reset of now while nothing has been used': on(
    401,
    isAnonymous,
    reset((_, now) => now),
  ),
})
