import {
  always,
  editResponse,
  headers,
  isCreate,
  isGet,
  isList,
  limitedBy,
  on,
  reset,
  type When,
  withLimiters,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { type ApiResponse, callerOf, errorResponse } from '../exchange.ts'
import { fixedWindow, minute, type Standing, tokenBucket } from '../limiter.ts'
import { also, type Broken, brokenBy } from '../variant.ts'
import { mainKey, throttleKey } from '../world.ts'

const limit = 'x-ratelimit-limit'
const remaining = 'x-ratelimit-remaining'
const retryAfter = 'retry-after'

/** Sets a header on every response with a status. */
const header = (status: number, name: string, value?: string): Change =>
  on(status, always, headers({ [name]: value }))
const numberIn = (response: ApiResponse, name: string): number => Number(response.headers[name])
/** Sets the reset of every response. */
const resets = (edit: Parameters<typeof reset>[0]): Change => editResponse(always, reset(edit))
/** Sets the remaining requests of the main key. */
const remains = (edit: (left: number) => number): Change =>
  editResponse(
    (request) => callerOf(request) === mainKey,
    (response) => headers({ [remaining]: String(edit(numberIn(response, remaining))) })(response),
  )
const withThrottleKey: When = (request) => callerOf(request) === throttleKey

/** Changes the standing of every request, by that of the reference. */
const standing = (edit: () => (standing: Standing, caller: string) => Partial<Standing>): Change =>
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
  let last: Standing | undefined
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

/** Variants that break section 8. Those from RATE-9 on drive a key to its limit. */
export const brokenRates: readonly Broken[] = brokenBy({
  'RATE-1': {
    'sends a 404 without a limit': on(404, isGet, headers({ [limit]: undefined })),
  },
  'RATE-2': {
    'sends a 401 without the remaining requests': header(401, remaining),
  },
  'RATE-3': {
    'sends a 400 without a reset': header(400, 'x-ratelimit-reset'),
  },
  'RATE-4': {
    'writes the limit with a policy': header(401, limit, '60, 60;w=60'),
    'writes a negative number of remaining requests': header(401, remaining, '-1'),
    'writes the reset with a fraction': resets((seconds) => `${seconds}.5`),
    'writes an unlimited limit as a word': header(401, limit, 'unlimited'),
    'writes the reset as a date': resets((_, now) => new Date(now * 1000).toISOString()),
    'writes an empty limit': header(401, limit, ''),
  },
  'RATE-5': {
    'has more requests remaining than its limit': header(401, remaining, '61'),
  },
  'RATE-6': {
    'writes the reset as the seconds until then': resets((seconds, now) => seconds - now),
    'writes the reset in milliseconds': resets((seconds) => seconds * 1000),
    'has a reset two days from now': resets((_, now) => now + 172_800),
    'has a reset a minute in the past': resets((_, now) => now - 60),
  },
  'RATE-7': {
    'never lowers the remaining requests': remains(() => 59),
    'counts up the requests in place of down': remains((left) => 60 - left),
    'never lowers the remaining requests for getPet': neverCharging(isGet),
    'never lowers the remaining requests for a list': neverCharging(isList),
    'never lowers the remaining requests for a creation': neverCharging(isCreate),
    'lowers the remaining requests for lists only': neverCharging(
      (request) => isGet(request) || isCreate(request),
    ),
  },
  'RATE-8': {
    "has a limit that is not the plan's": { plan: 'free', ...limitedBy(() => fixedWindow(100, minute)) },
  },
  'RATE-9': {
    'counts down to 0 and never rejects': standing(() => () => ({ wait: 0 })),
    'serves five requests past 0 before it rejects': standing(() => {
      let past = 0
      return ({ wait }) => {
        if (wait > 0) past += 1
        return past > 5 ? {} : { wait: 0 }
      }
    }),
    'counts down to 1 and never rejects': standing(() => ({ remaining }) => ({
      remaining: Math.max(1, remaining),
      wait: 0,
    })),
    'rejects with 403 past the limit': on(429, always, errorResponse(403)),
    'fails with 500 past the limit': also('ERR-6', on(429, always, errorResponse(500))),
  },
  'RATE-10': {
    'sends a 429 without Retry-After': header(429, retryAfter),
    'writes Retry-After as a word': header(429, retryAfter, 'soon'),
  },
  'RATE-11': {
    'sends a 429 without a limit': also('RATE-1', header(429, limit)),
    'sends a 429 without the remaining requests': also('RATE-2', header(429, remaining)),
    'sends a 429 without a reset': also('RATE-3', header(429, 'x-ratelimit-reset')),
  },
  'RATE-12': {
    'rejects while three requests remain': editResponse(withThrottleKey, (response) =>
      response.status === 429
        ? response
        : headers({ [limit]: '15', [remaining]: String(numberIn(response, remaining) + 3) })(response),
    ),
  },
  'RATE-13': {
    'still rejects after Retry-After': header(429, retryAfter, '1'),
  },
  'RATE-14': {
    'sends a 429 with one request remaining': header(429, remaining, '1'),
  },
  'RATE-15': {
    'writes Retry-After in milliseconds': on(429, always, (response) =>
      headers({ [retryAfter]: `${response.headers[retryAfter]}000` })(response),
    ),
  },
  'RATE-16': {
    'resets when one more request is allowed': {
      ...withLimiters(tokenBucket(12, minute), fixedWindow(60, minute)),
      ...editResponse(withThrottleKey, (response, _, { clock }) => {
        const wait = Number(response.headers[retryAfter] ?? 1)
        const at = Math.ceil(clock.now() / 1000) + wait
        return headers({ 'x-ratelimit-reset': String(at) })(response)
      }),
    },
    'allows a third of the limit after its reset': standing(() => {
      let wasRejected = false
      return ({ wait, remaining }, caller) => {
        if (caller !== throttleKey) return {}
        wasRejected ||= wait > 0
        return wasRejected ? { remaining: Math.min(4, remaining) } : {}
      }
    }),
  },
})
