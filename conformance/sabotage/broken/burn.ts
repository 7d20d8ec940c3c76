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
import { type Broken, brokenBy } from '../variant.ts'
import { throttleKey } from '../world.ts'
import { limit, remaining, reset, withHeadersOn } from './rate.ts'

const withThrottleKey: When = (request) => callerOf(request) === throttleKey

/** Variants that break section 8 for a key that is driven to its limit. */
export const brokenBurns: readonly Broken[] = brokenBy({
  'RATE-9': {
    'counts down to 0 and never rejects': {
      profile: 'exhaust',
      prepare: (world) => {
        const { limiter } = world
        world.limiter = (caller, now) => ({ ...limiter(caller, now), wait: 0 })
      },
    },
    'serves five requests past 0 before it rejects': {
      profile: 'exhaust',
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
    'counts down to 1 and never rejects': {
      profile: 'exhaust',
      prepare: (world) => {
        const { limiter } = world
        world.limiter = (caller, now) => {
          const standing = limiter(caller, now)
          return { ...standing, remaining: Math.max(1, standing.remaining), wait: 0 }
        }
      },
    },
    'rejects with 403 past the limit': {
      profile: 'exhaust',
      ...replaceResponse([429], always, errorResponse(403)),
    },
    'fails with 500 past the limit': {
      profile: 'exhaust',
      alsoBreaks: ['ERR-6'],
      ...replaceResponse([429], always, errorResponse(500)),
    },
  },
  'RATE-10': {
    'sends a 429 without Retry-After': {
      profile: 'exhaust',
      ...withHeadersOn([429], { 'retry-after': undefined }),
    },
    'writes Retry-After as a word': {
      profile: 'exhaust',
      ...withHeadersOn([429], { 'retry-after': 'soon' }),
    },
  },
  'RATE-11': {
    'sends a 429 without a limit': {
      alsoBreaks: ['RATE-1'],
      profile: 'exhaust',
      ...withHeadersOn([429], { [limit]: undefined }),
    },
    'sends a 429 without the remaining requests': {
      alsoBreaks: ['RATE-2'],
      profile: 'exhaust',
      ...withHeadersOn([429], { [remaining]: undefined }),
    },
    'sends a 429 without a reset': {
      alsoBreaks: ['RATE-3'],
      profile: 'exhaust',
      ...withHeadersOn([429], { [reset]: undefined }),
    },
  },
  'RATE-12': {
    'rejects while three requests remain': {
      profile: 'exhaust',
      ...editResponse(withThrottleKey, (response) =>
        response.status === 429
          ? response
          : withHeaders(response, {
              [limit]: '15',
              [remaining]: String(Number(response.headers[remaining]) + 3),
            }),
      ),
    },
  },
  'RATE-13': {
    'still rejects after Retry-After': {
      profile: 'exhaust',
      ...withHeadersOn([429], { 'retry-after': '1' }),
    },
  },
  'RATE-14': {
    'sends a 429 with one request remaining': {
      profile: 'exhaust',
      ...withHeadersOn([429], { [remaining]: '1' }),
    },
  },
  'RATE-15': {
    'writes Retry-After in milliseconds': {
      profile: 'exhaust',
      ...editResponseWith([429], always, (response) =>
        withHeaders(response, { 'retry-after': `${response.headers['retry-after']}000` }),
      ),
    },
  },
  'RATE-16': {
    'resets when one more request is allowed': {
      profile: 'exhaust',
      ...withLimiters(tokenBucket(12, minute), fixedWindow(60, minute)),
      ...editResponse(withThrottleKey, (response, _, world) => {
        const wait = Number(response.headers['retry-after'] ?? 1)
        return withHeaders(response, { [reset]: String(Math.ceil(world.clock.now() / 1000) + wait) })
      }),
    },
    'allows a third of the limit after its reset': {
      profile: 'exhaust',
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
})
