import {
  always,
  editRequest,
  editResponse,
  headers,
  html,
  isAnonymous,
  isCreate,
  limitedBy,
  on,
  reset,
  withLimiters,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { callerOf } from '../exchange.ts'
import {
  day,
  fixedWindow,
  type Limiter,
  minute,
  neverApplied,
  slidingLog,
  together,
  tokenBucket,
} from '../limiter.ts'
import { allowedBy, idsIn, type Legal, unproven } from '../variant.ts'
import { throttleKey } from '../world.ts'

/** The MUST rules that need a key at its limit. */
const burnRules = idsIn('RATE', 9, 10, 11)

/** All keys have this limiter. */
const forAll = (limiter: Limiter): Change => withLimiters(limiter, limiter)
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
  'whether limits apply': {
    'shows its limits and never applies them': unproven(burnRules, forAll(neverApplied(60, minute))),
    'charges only creations': { warns: ['RATE-7'], ...unproven(burnRules, chargingCreations()) },
  },
  'the keys of one holder': {
    'counts both keys together': forAll(sharedByAll(fixedWindow(110, minute))),
  },
  'which plan applies': {
    'has a plan for each key': {
      plan: 'business',
      ...withLimiters(fixedWindow(60, minute), fixedWindow(1000, minute)),
    },
  },
  'the window': {
    'has a sliding log': withLimiters(slidingLog(10, minute), slidingLog(60, minute)),
    'has a token bucket': withLimiters(tokenBucket(10, minute), tokenBucket(60, minute)),
    'has a window of a second, which the burn cannot exhaust': unproven(
      burnRules,
      withLimiters(fixedWindow(100, 1000), fixedWindow(100, 1000)),
    ),
    'has a token bucket that refills sixty times a second': unproven(
      burnRules,
      withLimiters(tokenBucket(60, 1000), tokenBucket(60, 1000)),
    ),
    'has a window of an hour': withLimiters(fixedWindow(20, 60 * minute), fixedWindow(200, 60 * minute)),
  },
  'which limit the headers show': {
    'shows the limit of the minute': {
      plan: 'free',
      ...withLimiters(
        twoLimits(10, 100, ([a]) => a),
        twoLimits(60, 1000, ([a]) => a),
      ),
    },
    'shows the limit of the day': {
      plan: 'free',
      ...withLimiters(
        twoLimits(30, 10, ([, b]) => b),
        twoLimits(60, 1000, ([, b]) => b),
      ),
    },
    'shows the limit with the fewest remaining': withLimiters(
      twoLimits(10, 12, tightest),
      twoLimits(200, 100, tightest),
    ),
  },
  'custom limits': {
    'has a limit that is too high to exhaust': unproven(burnRules, forAll(fixedWindow(1_000_000, minute))),
  },
  'anonymous clients': {
    'allows anonymous clients six requests a minute': forAnonymous(fixedWindow(6, minute)),
    'shows anonymous clients a limit of 0 and never applies it': forAnonymous(neverApplied(0, minute)),
    'counts by client address, except for the throttle key': withLimiters(
      fixedWindow(12, minute),
      sharedByAll(fixedWindow(100, minute)),
    ),
    'never counts anonymous clients': forAnonymous(neverApplied(10, day)),
  },
  'other clients': {
    'has another client that uses the same keys': withLimiters(
      withOtherClient(fixedWindow(30, minute)),
      withOtherClient(fixedWindow(1000, minute)),
    ),
    'has another client that exhausts the limit of the key': withLimiters(
      fixedWindow(10, minute),
      withOtherClient(fixedWindow(60, minute)),
    ),
  },
  'the throttle key': {
    'does not know the throttle key': unproven(
      burnRules,
      editRequest((request) => callerOf(request) === throttleKey, { authorization: 'Bearer unknown' }),
    ),
  },
  'Retry-After': {
    'writes Retry-After as an HTTP-date': on(429, always, (response, _, { clock }) => {
      const at = clock.now() + 1000 * Number(response.headers['retry-after'])
      return headers({ 'retry-after': new Date(at).toUTCString() })(response)
    }),
  },
  'the body of a 429': {
    'sends a 429 with an HTML page': on(429, always, html('<h1>Too many requests</h1>')),
    'sends a 429 without a body': on(429, always, (response) => ({
      ...headers({ 'content-type': undefined })(response),
      body: '',
    })),
  },
  'the reset': {
    'resets 25 hours from now, at midnight in another time zone': editResponse(
      always,
      reset((_, now) => now + 25 * 3600),
    ),
    'has a reset of now while nothing has been used': on(
      401,
      isAnonymous,
      reset((_, now) => now),
    ),
  },
})
