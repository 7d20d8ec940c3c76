import { always, editResponse, editResponseWith, isCreate, isGet, isList, type When } from '../change.ts'
import type { Change } from '../deployment.ts'
import { withHeaders } from '../edit.ts'
import { type ApiResponse, callerOf } from '../exchange.ts'
import { fixedWindow, minute, type Standing } from '../limiter.ts'
import { type Broken, brokenBy } from '../variant.ts'
import { mainKey } from '../world.ts'

const withKey: When = (request) => callerOf(request) === mainKey

export const limit = 'x-ratelimit-limit'
export const remaining = 'x-ratelimit-remaining'
export const reset = 'x-ratelimit-reset'

/** Sets headers on the responses that have one of the statuses. */
export const withHeadersOn = (
  statuses: readonly number[],
  headers: Readonly<Record<string, string | undefined>>,
): Change => editResponseWith(statuses, always, (response) => withHeaders(response, headers))

/** Replaces the reset of every response; `seconds` is the true one. */
const withReset = (edit: (seconds: number, now: number) => number | string) =>
  editResponse(always, (response: ApiResponse, _, world) =>
    withHeaders(response, {
      [reset]: String(edit(Number(response.headers[reset]), Math.floor(world.clock.now() / 1000))),
    }),
  )

/** Charges the key for other requests only. */
function neverCharging(when: When): Change {
  let isCharged = true
  let last: Standing | undefined
  return {
    prepare: (world) => {
      const charge = world.limiter
      world.limiter = (caller, now) => {
        if (caller !== mainKey) return charge(caller, now)
        last = isCharged || last === undefined ? charge(caller, now) : last
        return last
      }
    },
    middleware: (request, next) => {
      isCharged = !when(request)
      return next(request)
    },
  }
}

/** Variants that break section 8. */
export const brokenRates: readonly Broken[] = brokenBy({
  'RATE-1': {
    'sends a 404 without a limit': editResponseWith([404], isGet, (response) =>
      withHeaders(response, { [limit]: undefined }),
    ),
  },
  'RATE-2': {
    'sends a 401 without the remaining requests': withHeadersOn([401], { [remaining]: undefined }),
  },
  'RATE-3': {
    'sends a 400 without a reset': withHeadersOn([400], { [reset]: undefined }),
  },
  'RATE-4': {
    'writes the limit with a policy': withHeadersOn([401], { [limit]: '60, 60;w=60' }),
    'writes a negative number of remaining requests': withHeadersOn([401], { [remaining]: '-1' }),
    'writes the reset with a fraction': editResponse(always, (response) =>
      withHeaders(response, { [reset]: `${response.headers[reset]}.5` }),
    ),
    'writes an unlimited limit as a word': withHeadersOn([401], { [limit]: 'unlimited' }),
    'writes the reset as a date': withReset((_, now) => new Date(now * 1000).toISOString()),
    'writes an empty limit': withHeadersOn([401], { [limit]: '' }),
  },
  'RATE-5': {
    'has more requests remaining than its limit': withHeadersOn([401], { [remaining]: '61' }),
  },
  'RATE-6': {
    'writes the reset as the seconds until then': withReset((seconds, now) => seconds - now),
    'writes the reset in milliseconds': withReset((seconds) => seconds * 1000),
    'has a reset two days from now': withReset((_, now) => now + 172_800),
    'has a reset a minute in the past': withReset((_, now) => now - 60),
  },
  'RATE-7': {
    'never lowers the remaining requests': editResponse(withKey, (response) =>
      withHeaders(response, { [remaining]: '59' }),
    ),
    'counts up the requests in place of down': editResponse(withKey, (response) =>
      withHeaders(response, { [remaining]: String(60 - Number(response.headers[remaining])) }),
    ),
    'never lowers the remaining requests for getPet': neverCharging(isGet),
    'never lowers the remaining requests for a list': neverCharging(isList),
    'never lowers the remaining requests for a creation': neverCharging(isCreate),
    'lowers the remaining requests for lists only': neverCharging(
      (request) => isGet(request) || isCreate(request),
    ),
  },
  'RATE-8': {
    "has a limit that is not the plan's": {
      plan: 'free',
      prepare: (world) => {
        world.limiter = fixedWindow(100, minute)
      },
    },
  },
})
