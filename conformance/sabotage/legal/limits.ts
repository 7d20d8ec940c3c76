import { always, hear, limiting, say, sayOn, withHeaders } from '../change.ts'
import type { Change } from '../deployment.ts'
import { callerOf } from '../exchange.ts'
import {
  day,
  drippingBucket,
  fixedWindow,
  type Limiter,
  minute,
  neverApplied,
  slidingLog,
  together,
} from '../limiter.ts'
import { idsIn, type Legal } from '../variant.ts'
import { throttleKey } from '../world.ts'

/** Gives callers without a key a limiter of their own. */
const anonymous = (limiter: Limiter): Change => ({
  prepare: (world) => {
    const keyed = world.limiter
    world.limiter = (caller, now) => (caller === 'anonymous' ? limiter : keyed)(caller, now)
  },
})

/** Everybody shares one allowance. */
const everyone =
  (limiter: Limiter): Limiter =>
  (_, now) =>
    limiter('everyone', now)

/** Others use what is limited as much as the suite does. */
const shared =
  (limiter: Limiter): Limiter =>
  (caller, now) => {
    limiter(caller, now)
    return limiter(caller, now)
  }

const twoLimits = (perMinute: number, perDay: number, show: Parameters<typeof together>[1]): Limiter =>
  together([fixedWindow(perMinute, minute), fixedWindow(perDay, day)], show)

const tightest: Parameters<typeof together>[1] = (standings) =>
  standings.reduce((a, b) => (b.remaining < a.remaining ? b : a))

/** Every way to limit callers that section 8 leaves open. */
export const legalLimits: readonly Legal[] = [
  {
    gap: 'whether limits apply',
    does: 'shows its limits and never applies them',
    unproven: ['RATE-9', 'RATE-10', 'RATE-11'],
    change: limiting(neverApplied(60, minute), neverApplied(60, minute)),
  },
  {
    gap: 'which plan applies',
    does: 'has every plan, by key',
    plan: 'business',
    change: limiting(fixedWindow(60, minute), fixedWindow(1000, minute)),
  },
  {
    gap: 'the window',
    does: 'has a sliding log',
    change: limiting(slidingLog(10, minute), slidingLog(60, minute)),
  },
  {
    gap: 'the window',
    does: 'has a bucket that drips',
    change: limiting(drippingBucket(10, minute), drippingBucket(60, minute)),
  },
  {
    gap: 'the window',
    does: 'has a window of a second, which a burn does not fill',
    unproven: idsIn('RATE', 9, 10, 11),
    change: limiting(fixedWindow(100, 1000), fixedWindow(100, 1000)),
  },
  {
    gap: 'the window',
    does: 'has a bucket that drips sixty times a second',
    unproven: idsIn('RATE', 9, 10, 11),
    change: limiting(drippingBucket(60, 1000), drippingBucket(60, 1000)),
  },
  {
    gap: 'the window',
    does: 'has a window of an hour',
    change: limiting(fixedWindow(20, 60 * minute), fixedWindow(200, 60 * minute)),
  },
  {
    gap: 'which limit the headers speak of',
    does: 'shows the limit of the minute',
    plan: 'free',
    change: limiting(
      twoLimits(10, 100, ([a]) => a),
      twoLimits(60, 1000, ([a]) => a),
    ),
  },
  {
    gap: 'which limit the headers speak of',
    does: 'shows the limit of the day',
    plan: 'free',
    change: limiting(
      twoLimits(30, 10, ([, b]) => b),
      twoLimits(60, 1000, ([, b]) => b),
    ),
  },
  {
    gap: 'which limit the headers speak of',
    does: 'shows the limit with the fewest remaining',
    change: limiting(twoLimits(10, 12, tightest), twoLimits(200, 100, tightest)),
  },
  {
    gap: 'custom limits',
    does: 'has a limit too high to burn',
    unproven: ['RATE-9', 'RATE-10', 'RATE-11'],
    change: limiting(fixedWindow(1_000_000, minute), fixedWindow(1_000_000, minute)),
  },
  {
    gap: 'callers without a key',
    does: 'gives them six a minute',
    endsEarly: true,
    change: anonymous(fixedWindow(6, minute)),
  },
  {
    gap: 'callers without a key',
    does: 'gives them a limit of 0 and never refuses them',
    change: anonymous(neverApplied(0, minute)),
  },
  {
    gap: 'callers without a key',
    does: 'counts everyone by address, the throttle key apart',
    change: limiting(fixedWindow(12, minute), everyone(fixedWindow(100, minute))),
  },
  { gap: 'callers without a key', does: 'never counts them', change: anonymous(neverApplied(10, day)) },
  {
    gap: 'others at work',
    does: 'has others use the keys as well',
    change: limiting(shared(fixedWindow(30, minute)), shared(fixedWindow(1000, minute))),
  },
  {
    gap: 'others at work',
    does: 'has others use up what the key has left',
    endsEarly: true,
    change: limiting(fixedWindow(10, minute), shared(fixedWindow(60, minute))),
  },
  {
    gap: 'the throttle key',
    does: 'does not know the throttle key',
    unproven: ['RATE-9', 'RATE-10', 'RATE-11'],
    change: hear(
      (call) => callerOf(call) === throttleKey,
      (call) => ({ ...call, authorization: 'Bearer stranger' }),
    ),
  },
  {
    gap: 'Retry-After',
    does: 'tells when to come back as an HTTP-date',
    change: sayOn([429], always, (reply, _, world) =>
      withHeaders(reply, {
        'retry-after': new Date(
          world.clock.now() + 1000 * Number(reply.headers['retry-after']),
        ).toUTCString(),
      }),
    ),
  },
  {
    gap: 'the body of a 429',
    does: 'refuses with a page of HTML',
    change: sayOn([429], always, (reply) => ({
      ...withHeaders(reply, { 'content-type': 'text/html' }),
      body: '<h1>Too many requests</h1>',
    })),
  },
  {
    gap: 'the body of a 429',
    does: 'refuses without a body',
    change: sayOn([429], always, (reply) => ({
      ...withHeaders(reply, { 'content-type': undefined }),
      body: '',
    })),
  },
  {
    gap: 'the reset',
    does: 'resets at midnight fourteen hours from here',
    change: say(always, (reply, _, world) =>
      withHeaders(reply, { 'x-ratelimit-reset': String(Math.ceil(world.clock.now() / 1000) + 25 * 3600) }),
    ),
  },
  {
    gap: 'the reset',
    does: 'has a reset that is now where nothing is used',
    change: sayOn(
      [401],
      (call) => callerOf(call) === 'anonymous',
      (reply, _, world) =>
        withHeaders(reply, { 'x-ratelimit-reset': String(Math.floor(world.clock.now() / 1000)) }),
    ),
  },
]
