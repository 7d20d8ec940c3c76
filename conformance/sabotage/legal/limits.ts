import { always, editRequest, editResponse, editResponseWith, isCreate, withLimiters } from '../change.ts'
import type { Change } from '../deployment.ts'
import { withHeaders } from '../edit.ts'
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
import { idsIn, type Legal } from '../variant.ts'
import { throttleKey } from '../world.ts'

/** Gives anonymous clients another limiter than keys. */
const forAnonymous = (limiter: Limiter): Change => ({
  prepare: (world) => {
    const keyed = world.limiter
    world.limiter = (caller, now) => (caller === 'anonymous' ? limiter : keyed)(caller, now)
  },
})

/** All callers share one limit. */
const sharedByAll =
  (limiter: Limiter): Limiter =>
  (_, now) =>
    limiter('all', now)

const prepareShared = (limiter: Limiter): Change => withLimiters(sharedByAll(limiter), sharedByAll(limiter))

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
export const legalLimits: readonly Legal[] = [
  {
    gap: 'whether limits apply',
    does: 'shows its limits and never applies them',
    unproven: ['RATE-9', 'RATE-10', 'RATE-11'],
    change: withLimiters(neverApplied(60, minute), neverApplied(60, minute)),
  },
  {
    gap: 'whether limits apply',
    does: 'charges only creations',
    warns: ['RATE-7'],
    unproven: ['RATE-9', 'RATE-10', 'RATE-11'],
    change: chargingCreations(),
  },
  {
    gap: 'the keys of one holder',
    does: 'counts both keys together',
    change: prepareShared(fixedWindow(110, minute)),
  },
  {
    gap: 'which plan applies',
    does: 'has a plan for each key',
    plan: 'business',
    change: withLimiters(fixedWindow(60, minute), fixedWindow(1000, minute)),
  },
  {
    gap: 'the window',
    does: 'has a sliding log',
    change: withLimiters(slidingLog(10, minute), slidingLog(60, minute)),
  },
  {
    gap: 'the window',
    does: 'has a token bucket',
    change: withLimiters(tokenBucket(10, minute), tokenBucket(60, minute)),
  },
  {
    gap: 'the window',
    does: 'has a window of a second, which the burn cannot exhaust',
    unproven: idsIn('RATE', 9, 10, 11),
    change: withLimiters(fixedWindow(100, 1000), fixedWindow(100, 1000)),
  },
  {
    gap: 'the window',
    does: 'has a token bucket that refills sixty times a second',
    unproven: idsIn('RATE', 9, 10, 11),
    change: withLimiters(tokenBucket(60, 1000), tokenBucket(60, 1000)),
  },
  {
    gap: 'the window',
    does: 'has a window of an hour',
    change: withLimiters(fixedWindow(20, 60 * minute), fixedWindow(200, 60 * minute)),
  },
  {
    gap: 'which limit the headers show',
    does: 'shows the limit of the minute',
    plan: 'free',
    change: withLimiters(
      twoLimits(10, 100, ([a]) => a),
      twoLimits(60, 1000, ([a]) => a),
    ),
  },
  {
    gap: 'which limit the headers show',
    does: 'shows the limit of the day',
    plan: 'free',
    change: withLimiters(
      twoLimits(30, 10, ([, b]) => b),
      twoLimits(60, 1000, ([, b]) => b),
    ),
  },
  {
    gap: 'which limit the headers show',
    does: 'shows the limit with the fewest remaining',
    change: withLimiters(twoLimits(10, 12, tightest), twoLimits(200, 100, tightest)),
  },
  {
    gap: 'custom limits',
    does: 'has a limit that is too high to exhaust',
    unproven: ['RATE-9', 'RATE-10', 'RATE-11'],
    change: withLimiters(fixedWindow(1_000_000, minute), fixedWindow(1_000_000, minute)),
  },
  {
    gap: 'anonymous clients',
    does: 'allows anonymous clients six requests a minute',
    change: forAnonymous(fixedWindow(6, minute)),
  },
  {
    gap: 'anonymous clients',
    does: 'shows anonymous clients a limit of 0 and never applies it',
    change: forAnonymous(neverApplied(0, minute)),
  },
  {
    gap: 'anonymous clients',
    does: 'counts by client address, except for the throttle key',
    change: withLimiters(fixedWindow(12, minute), sharedByAll(fixedWindow(100, minute))),
  },
  {
    gap: 'anonymous clients',
    does: 'never counts anonymous clients',
    change: forAnonymous(neverApplied(10, day)),
  },
  {
    gap: 'other clients',
    does: 'has another client that uses the same keys',
    change: withLimiters(
      withOtherClient(fixedWindow(30, minute)),
      withOtherClient(fixedWindow(1000, minute)),
    ),
  },
  {
    gap: 'other clients',
    does: 'has another client that exhausts the limit of the key',
    change: withLimiters(fixedWindow(10, minute), withOtherClient(fixedWindow(60, minute))),
  },
  {
    gap: 'the throttle key',
    does: 'does not know the throttle key',
    unproven: ['RATE-9', 'RATE-10', 'RATE-11'],
    change: editRequest(
      (request) => callerOf(request) === throttleKey,
      (request) => ({ ...request, authorization: 'Bearer unknown' }),
    ),
  },
  {
    gap: 'Retry-After',
    does: 'writes Retry-After as an HTTP-date',
    change: editResponseWith([429], always, (response, _, world) =>
      withHeaders(response, {
        'retry-after': new Date(
          world.clock.now() + 1000 * Number(response.headers['retry-after']),
        ).toUTCString(),
      }),
    ),
  },
  {
    gap: 'the body of a 429',
    does: 'sends a 429 with an HTML page',
    change: editResponseWith([429], always, (response) => ({
      ...withHeaders(response, { 'content-type': 'text/html' }),
      body: '<h1>Too many requests</h1>',
    })),
  },
  {
    gap: 'the body of a 429',
    does: 'sends a 429 without a body',
    change: editResponseWith([429], always, (response) => ({
      ...withHeaders(response, { 'content-type': undefined }),
      body: '',
    })),
  },
  {
    gap: 'the reset',
    does: 'resets 25 hours from now, at midnight in another time zone',
    change: editResponse(always, (response, _, world) =>
      withHeaders(response, { 'x-ratelimit-reset': String(Math.ceil(world.clock.now() / 1000) + 25 * 3600) }),
    ),
  },
  {
    gap: 'the reset',
    does: 'has a reset of now while nothing has been used',
    change: editResponseWith(
      [401],
      (request) => callerOf(request) === 'anonymous',
      (response, _, world) =>
        withHeaders(response, { 'x-ratelimit-reset': String(Math.floor(world.clock.now() / 1000)) }),
    ),
  },
]
