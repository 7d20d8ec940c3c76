import {
  editOn,
  editRequest,
  editReset,
  editResponse,
  everyRequest,
  isAnonymous,
  isCreate,
  isGet,
  replaceResponse,
  setHeaders,
  setHtml,
  setLimiter,
  setLimiters,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { type ApiResponse, createErrorResponse, findCaller } from './exchange.ts'
import {
  combineLimiters,
  createFixedWindow,
  createIdleLimiter,
  createSlidingLog,
  createTokenBucket,
  dayMs,
  type Limiter,
  type LimiterDecision,
  minuteMs,
} from './limiter.ts'
import {
  addBrokenRules,
  addUnprovenRules,
  type BrokenDeployment,
  createBroken,
  createLegal,
  type LegalDeployment,
  listFamilyIds,
} from './variant.ts'
import { mainKey, throttleKey } from './world.ts'

const limitHeader = 'x-ratelimit-limit'
const remainingHeader = 'x-ratelimit-remaining'
const retryAfterHeader = 'retry-after'

const setHeaderOn = (status: number, name: string, value?: string): Change =>
  editOn(status, everyRequest, setHeaders({ [name]: value }))
const readNumber = (response: ApiResponse, name: string): number => Number(response.headers[name])
const editResetHeader = (edit: Parameters<typeof editReset>[0]): Change =>
  editResponse(everyRequest, editReset(edit))
const editRemainingHeader = (edit: (left: number) => number): Change =>
  editResponse(
    (request) => findCaller(request) === mainKey,
    (response) =>
      setHeaders({ [remainingHeader]: String(edit(readNumber(response, remainingHeader))) })(response),
  )
/** Sets `X-RateLimit-Remaining` to a constant for each operation. */
const showRemaining = (byOperation: Readonly<Record<string, string>>): Change =>
  editResponse(
    (request) => findCaller(request) === mainKey,
    (response, { operation }) => setHeaders({ [remainingHeader]: byOperation[operation] ?? '53' })(response),
  )
const hasThrottleKey: When = (request) => findCaller(request) === throttleKey

/** Changes what the limiter decides. `edit` is called once per run. */
const editDecision = (
  edit: () => (editDecision: LimiterDecision, caller: string) => Partial<LimiterDecision>,
): Change =>
  setLimiter((limiter) => {
    const editLimiterDecision = edit()
    return (caller, now) => {
      const originalDecision = limiter(caller, now)
      return { ...originalDecision, ...editLimiterDecision(originalDecision, caller) }
    }
  })

/** Serves `count` requests after the limit is exhausted. */
const serveAfterLimit = (count: number): Change =>
  editDecision(() => {
    let past = 0
    return ({ waitMs }) => {
      if (waitMs > 0) past += 1
      return past > count ? {} : { waitMs: 0 }
    }
  })

/** Does not count the requests with the main key that `when` selects. */
function skipCharge(when: When): Change {
  let isCharged = true
  let last: LimiterDecision | undefined
  return {
    ...setLimiter((charge) => (caller, now) => {
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

const limitAllCallers = (limiter: Limiter): Change => setLimiters(limiter, limiter)
const alternateLimiters = (first: Limiter, second: Limiter): Limiter => {
  let turn = 0
  return (caller, now) => (turn++ % 2 === 0 ? first : second)(caller, now)
}
/** Rejects the 20th request of a run. */
function rejectTwentieth(hasHeaders: boolean): Change {
  return editResponse(everyRequest, (response, _, { requests }) => {
    if (requests !== 20) return response
    const rejection = createErrorResponse(429, 'slow_down', 'Slow down.', { [retryAfterHeader]: '3600' })
    return hasHeaders ? replaceResponse(response, rejection) : rejection
  })
}

/** Deployments that break rules about rate limits (section 8). */
export const brokenRateDeployments: readonly BrokenDeployment[] = createBroken({
  'RATE-1: returns a 404 without X-RateLimit-Limit': editOn(
    404,
    isGet,
    setHeaders({ [limitHeader]: undefined }),
  ),
  'RATE-1: returns a 429 without the rate-limit headers': addBrokenRules(
    listFamilyIds('RATE', 2, 3),
    rejectTwentieth(false),
  ),
  'RATE-2: returns a 401 without X-RateLimit-Remaining': setHeaderOn(401, remainingHeader),
  'RATE-3: returns a 400 without X-RateLimit-Reset': setHeaderOn(400, 'x-ratelimit-reset'),
  'RATE-4: sends an X-RateLimit-Limit with a quota policy': setHeaderOn(401, limitHeader, '60, 60;w=60'),
  'RATE-4: sends a negative X-RateLimit-Remaining': setHeaderOn(401, remainingHeader, '-1'),
  'RATE-4: sends an X-RateLimit-Reset with a fraction': editResetHeader((seconds) => `${seconds}.5`),
  'RATE-5: sends an X-RateLimit-Remaining above X-RateLimit-Limit': setHeaderOn(401, remainingHeader, '61'),
  'RATE-6: sends an X-RateLimit-Reset two days in the future': editResetHeader((_, now) => now + 172_800),
  'RATE-6: sends an X-RateLimit-Reset one minute in the past': editResetHeader((_, now) => now - 60),
  'RATE-7: never decreases X-RateLimit-Remaining': editRemainingHeader(() => 59),
  'RATE-7: never decreases X-RateLimit-Remaining for getPet': skipCharge(isGet),
  'RATE-7: never decreases X-RateLimit-Remaining for createPet': skipCharge(isCreate),
  'RATE-7: sends a constant X-RateLimit-Remaining for each operation': showRemaining({
    listPets: '41',
    getPet: '17',
    createPet: '29',
  }),
  'RATE-8: applies a limit that is not in the plan': {
    plan: 'free',
    ...setLimiter(() => createFixedWindow(100, minuteMs)),
  },
  'RATE-9: counts down to 0 but never rejects a request': addBrokenRules(
    'RATE-17',
    editDecision(() => () => ({ waitMs: 0 })),
  ),
  'RATE-9: serves 20 requests after the limit is exhausted': addBrokenRules('RATE-17', serveAfterLimit(20)),
  'RATE-17: serves 5 requests after the limit is exhausted': serveAfterLimit(5),
  'RATE-9: counts down to 1 but never rejects a request': addBrokenRules(
    'RATE-17',
    editDecision(() => ({ remaining }) => ({ remaining: Math.max(1, remaining), waitMs: 0 })),
  ),
  'RATE-9: counts requests separately on two servers': addBrokenRules(
    'RATE-17',
    limitAllCallers(alternateLimiters(createFixedWindow(40, minuteMs), createFixedWindow(40, minuteMs))),
  ),
  'RATE-9: counts requests in a separate sliding log on each of two servers': addBrokenRules(
    'RATE-17',
    limitAllCallers(alternateLimiters(createSlidingLog(40, minuteMs), createSlidingLog(40, minuteMs))),
  ),
  'RATE-9: returns 403 instead of 429 after the limit is exhausted': editOn(
    429,
    everyRequest,
    createErrorResponse(403),
  ),
  'RATE-10: returns a 429 without Retry-After': setHeaderOn(429, retryAfterHeader),
  'RATE-10: sends a word as the Retry-After of a 429': setHeaderOn(429, retryAfterHeader, 'soon'),
  'RATE-11: returns a 429 without X-RateLimit-Remaining': addBrokenRules(
    'RATE-2',
    setHeaderOn(429, remainingHeader),
  ),
  'RATE-12: returns a 429 after a response with X-RateLimit-Remaining: 3': editResponse(
    hasThrottleKey,
    (response) =>
      response.status === 429
        ? response
        : setHeaders({
            [limitHeader]: '15',
            [remainingHeader]: String(readNumber(response, remainingHeader) + 3),
          })(response),
  ),
  'RATE-13: rejects requests even after the Retry-After time has passed': setHeaderOn(
    429,
    retryAfterHeader,
    '1',
  ),
  'RATE-14: returns a 429 with X-RateLimit-Remaining: 1': setHeaderOn(429, remainingHeader, '1'),
  'RATE-15: sends Retry-After in milliseconds': editOn(429, everyRequest, (response) =>
    setHeaders({ [retryAfterHeader]: `${response.headers[retryAfterHeader]}000` })(response),
  ),
  'RATE-16: allows only one request at the time in X-RateLimit-Reset': {
    ...setLimiters(createTokenBucket(12, minuteMs), createFixedWindow(60, minuteMs)),
    ...editResponse(hasThrottleKey, (response, _, { clock }) => {
      const wait = Number(response.headers[retryAfterHeader] ?? 1)
      const at = Math.ceil(clock.now() / 1000) + wait
      return setHeaders({ 'x-ratelimit-reset': String(at) })(response)
    }),
  },
})

const burnRules = listFamilyIds('RATE', 9, 10, 11, 17)

const limitAnonymousClients = (limiter: Limiter): Change =>
  setLimiter((keyed) => (caller, now) => (caller === 'anonymous' ? limiter : keyed)(caller, now))
const shareBetweenCallers =
  (limiter: Limiter): Limiter =>
  (_, now) =>
    limiter('all', now)
/** Counts every request twice, as if another client used the same key. */
const countTwice =
  (limiter: Limiter): Limiter =>
  (caller, now) => {
    limiter(caller, now)
    return limiter(caller, now)
  }

const createTwoLimits = (
  perMinute: number,
  perDay: number,
  show: Parameters<typeof combineLimiters>[1],
): Limiter =>
  combineLimiters([createFixedWindow(perMinute, minuteMs), createFixedWindow(perDay, dayMs)], show)
const selectTightestLimit: Parameters<typeof combineLimiters>[1] = (standings) =>
  standings.reduce((a, b) => (b.remaining < a.remaining ? b : a))

function chargeOnlyCreations(): Change {
  let used = 0
  return {
    prepare: (world) => {
      used = 0
      world.limiter = (_, now) => ({ limit: 60, remaining: 60 - used, resetAt: now + minuteMs, waitMs: 0 })
    },
    middleware: (request, next) => {
      if (isCreate(request)) used += 1
      return next(request)
    },
  }
}

/** Deployments that conform, with choices that section 8 leaves open. */
export const legalRateDeployments: readonly LegalDeployment[] = createLegal({
  'rate limits: sends the headers but never rejects a request': addUnprovenRules(
    burnRules,
    limitAllCallers(createIdleLimiter(60, minuteMs)),
  ),
  'rate limits: counts only createPet requests': {
    warns: ['RATE-7'],
    ...addUnprovenRules(burnRules, chargeOnlyCreations()),
  },
  'rate limits: counts both API keys together': limitAllCallers(
    shareBetweenCallers(createFixedWindow(110, minuteMs)),
  ),
  'plans: applies a different plan to each API key': {
    plan: 'business',
    ...setLimiters(createFixedWindow(60, minuteMs), createFixedWindow(1000, minuteMs)),
  },
  'rate limits: counts the requests of the last minute': setLimiters(
    createSlidingLog(10, minuteMs),
    createSlidingLog(60, minuteMs),
  ),
  'rate limits: uses a token bucket': setLimiters(
    createTokenBucket(10, minuteMs),
    createTokenBucket(60, minuteMs),
  ),
  'rate limits: resets the limit every second': setLimiters(
    createFixedWindow(100, 1000),
    createFixedWindow(100, 1000),
  ),
  'rate limits: uses a token bucket that refills within a second': addUnprovenRules(
    burnRules,
    setLimiters(createTokenBucket(60, 1000), createTokenBucket(60, 1000)),
  ),
  'rate-limit headers: describes the limit per minute': {
    plan: 'free',
    ...setLimiters(
      createTwoLimits(10, 100, ([a]) => a),
      createTwoLimits(60, 1000, ([a]) => a),
    ),
  },
  'rate-limit headers: describes the limit per day': {
    plan: 'free',
    ...setLimiters(
      createTwoLimits(30, 10, ([, b]) => b),
      createTwoLimits(60, 1000, ([, b]) => b),
    ),
  },
  'rate-limit headers: describes the limit with the fewest remaining requests': setLimiters(
    createTwoLimits(10, 12, selectTightestLimit),
    createTwoLimits(200, 100, selectTightestLimit),
  ),
  'custom limits: sends X-RateLimit-Limit: unlimited': addUnprovenRules(
    ['RATE-4', 'RATE-17'],
    editResponse(everyRequest, setHeaders({ [limitHeader]: 'unlimited' })),
  ),
  'custom limits: allows a million requests per minute': addUnprovenRules(
    burnRules,
    limitAllCallers(createFixedWindow(1_000_000, minuteMs)),
  ),
  'anonymous clients: allows six requests without a key per minute': limitAnonymousClients(
    createFixedWindow(6, minuteMs),
  ),
  'anonymous clients: counts requests by client address': setLimiters(
    createFixedWindow(12, minuteMs),
    shareBetweenCallers(createFixedWindow(100, minuteMs)),
  ),
  'anonymous clients: never rejects a request without a key with 429': limitAnonymousClients(
    createIdleLimiter(10, dayMs),
  ),
  'other clients: serves another client that uses the same API keys': setLimiters(
    countTwice(createFixedWindow(30, minuteMs)),
    countTwice(createFixedWindow(1000, minuteMs)),
  ),
  'other clients: serves another client that exhausts the limit': setLimiters(
    createFixedWindow(10, minuteMs),
    countTwice(createFixedWindow(60, minuteMs)),
  ),
  'throttle key: rejects the throttle key as unknown': addUnprovenRules(
    burnRules,
    editRequest((request) => findCaller(request) === throttleKey, { authorization: 'Bearer unknown' }),
  ),
  'Retry-After: sends an HTTP-date instead of seconds': editOn(
    429,
    everyRequest,
    (response, _, { clock }) => {
      const at = clock.now() + 1000 * Number(response.headers['retry-after'])
      return setHeaders({ 'retry-after': new Date(at).toUTCString() })(response)
    },
  ),
  'rate-limit errors: returns a 429 with an HTML page': editOn(
    429,
    everyRequest,
    setHtml('<h1>Too many requests</h1>'),
  ),
  'rate-limit errors: returns a 429 with an empty body': editOn(429, everyRequest, (response) => ({
    ...setHeaders({ 'content-type': undefined })(response),
    body: '',
  })),
  'several servers: serves one request after the limit is exhausted': serveAfterLimit(1),
  'gateway limits: returns 429 for the 20th request': {
    endsEarly: true,
    ...rejectTwentieth(true),
  },
  'X-RateLimit-Reset: sends a number with a zero fraction': editResponse(
    everyRequest,
    editReset((seconds) => `${seconds}.000`),
  ),
  'X-RateLimit-Reset: sends a time 25 hours in the future': editResponse(
    everyRequest,
    editReset((_, now) => now + 25 * 3600),
  ),
  'X-RateLimit-Reset: sends the current time to anonymous clients': editOn(
    401,
    isAnonymous,
    editReset((_, now) => now),
  ),
})
