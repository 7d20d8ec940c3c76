import {
  always,
  editResponse,
  editResponseWith,
  replaceResponse,
  type When,
  withLimiters,
} from '../change.ts'
import { withHeaders } from '../edit.ts'
import { callerOf, errorResponse } from '../exchange.ts'
import { fixedWindow, minute, tokenBucket } from '../limiter.ts'
import type { Broken } from '../variant.ts'
import { throttleKey } from '../world.ts'
import { limit, remaining, reset, withHeadersOn } from './rate.ts'

const withThrottleKey: When = (request) => callerOf(request) === throttleKey

/** Variants that break section 8 for a key that is driven to its limit. */
export const brokenBurns: readonly Broken[] = [
  {
    rule: 'RATE-9',
    does: 'counts down to 0 and never rejects',
    profile: 'exhaust',
    change: {
      prepare: (world) => {
        const { limiter } = world
        world.limiter = (caller, now) => ({ ...limiter(caller, now), wait: 0 })
      },
    },
  },
  {
    rule: 'RATE-9',
    does: 'serves five requests past 0 before it rejects',
    profile: 'exhaust',
    change: {
      prepare: (world) => {
        const { limiter } = world
        let past = 0
        world.limiter = (caller, now) => {
          const standing = limiter(caller, now)
          if (standing.wait > 0) past += 1
          return past > 5 ? standing : { ...standing, wait: 0 }
        }
      },
    },
  },
  {
    rule: 'RATE-9',
    does: 'counts down to 1 and never rejects',
    profile: 'exhaust',
    change: {
      prepare: (world) => {
        const { limiter } = world
        world.limiter = (caller, now) => {
          const standing = limiter(caller, now)
          return { ...standing, remaining: Math.max(1, standing.remaining), wait: 0 }
        }
      },
    },
  },
  {
    rule: 'RATE-9',
    does: 'rejects with 403 past the limit',
    profile: 'exhaust',
    change: replaceResponse([429], always, errorResponse(403)),
  },
  {
    rule: 'RATE-9',
    does: 'fails with 500 past the limit',
    profile: 'exhaust',
    alsoBreaks: ['ERR-6'],
    change: replaceResponse([429], always, errorResponse(500)),
  },
  {
    rule: 'RATE-10',
    does: 'sends a 429 without Retry-After',
    profile: 'exhaust',
    change: withHeadersOn([429], { 'retry-after': undefined }),
  },
  {
    rule: 'RATE-10',
    does: 'writes Retry-After as a word',
    profile: 'exhaust',
    change: withHeadersOn([429], { 'retry-after': 'soon' }),
  },
  {
    rule: 'RATE-11',
    does: 'sends a 429 without a limit',
    alsoBreaks: ['RATE-1'],
    profile: 'exhaust',
    change: withHeadersOn([429], { [limit]: undefined }),
  },
  {
    rule: 'RATE-11',
    does: 'sends a 429 without the remaining requests',
    alsoBreaks: ['RATE-2'],
    profile: 'exhaust',
    change: withHeadersOn([429], { [remaining]: undefined }),
  },
  {
    rule: 'RATE-11',
    does: 'sends a 429 without a reset',
    alsoBreaks: ['RATE-3'],
    profile: 'exhaust',
    change: withHeadersOn([429], { [reset]: undefined }),
  },
  {
    rule: 'RATE-12',
    does: 'rejects while three requests remain',
    profile: 'exhaust',
    change: editResponse(withThrottleKey, (response) =>
      response.status === 429
        ? response
        : withHeaders(response, {
            [limit]: '15',
            [remaining]: String(Number(response.headers[remaining]) + 3),
          }),
    ),
  },
  {
    rule: 'RATE-13',
    does: 'still rejects after Retry-After',
    profile: 'exhaust',
    change: withHeadersOn([429], { 'retry-after': '1' }),
  },
  {
    rule: 'RATE-14',
    does: 'sends a 429 with one request remaining',
    profile: 'exhaust',
    change: withHeadersOn([429], { [remaining]: '1' }),
  },
  {
    rule: 'RATE-15',
    does: 'writes Retry-After in milliseconds',
    profile: 'exhaust',
    change: editResponseWith([429], always, (response) =>
      withHeaders(response, { 'retry-after': `${response.headers['retry-after']}000` }),
    ),
  },
  {
    rule: 'RATE-16',
    does: 'resets when one more request is allowed',
    profile: 'exhaust',
    change: {
      ...withLimiters(tokenBucket(12, minute), fixedWindow(60, minute)),
      ...editResponse(withThrottleKey, (response, _, world) => {
        const wait = Number(response.headers['retry-after'] ?? 1)
        return withHeaders(response, { [reset]: String(Math.ceil(world.clock.now() / 1000) + wait) })
      }),
    },
  },
  {
    rule: 'RATE-16',
    does: 'allows a third of the limit after its reset',
    profile: 'exhaust',
    change: {
      prepare: (world) => {
        const { limiter } = world
        let wasRejected = false
        world.limiter = (caller, now) => {
          const standing = limiter(caller, now)
          if (caller !== throttleKey) return standing
          wasRejected ||= standing.wait > 0
          return wasRejected ? { ...standing, remaining: Math.min(4, standing.remaining) } : standing
        }
      },
    },
  },
]
