import { always, editResponse, editResponseWith, isCreate, isGet, isList, type When } from '../change.ts'
import type { Change } from '../deployment.ts'
import { withHeaders } from '../edit.ts'
import { type ApiResponse, callerOf } from '../exchange.ts'
import { fixedWindow, minute, type Standing } from '../limiter.ts'
import type { Broken } from '../variant.ts'
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
export const brokenRates: readonly Broken[] = [
  {
    rule: 'RATE-1',
    does: 'sends a 404 without a limit',
    change: editResponseWith([404], isGet, (response) => withHeaders(response, { [limit]: undefined })),
  },
  {
    rule: 'RATE-2',
    does: 'sends a 401 without the remaining requests',
    change: withHeadersOn([401], { [remaining]: undefined }),
  },
  {
    rule: 'RATE-3',
    does: 'sends a 400 without a reset',
    change: withHeadersOn([400], { [reset]: undefined }),
  },
  {
    rule: 'RATE-4',
    does: 'writes the limit with a policy',
    change: withHeadersOn([401], { [limit]: '60, 60;w=60' }),
  },
  {
    rule: 'RATE-4',
    does: 'writes a negative number of remaining requests',
    change: withHeadersOn([401], { [remaining]: '-1' }),
  },
  {
    rule: 'RATE-4',
    does: 'writes the reset with a fraction',
    change: editResponse(always, (response) =>
      withHeaders(response, { [reset]: `${response.headers[reset]}.5` }),
    ),
  },
  {
    rule: 'RATE-4',
    does: 'writes an unlimited limit as a word',
    change: withHeadersOn([401], { [limit]: 'unlimited' }),
  },
  {
    rule: 'RATE-4',
    does: 'writes the reset as a date',
    change: withReset((_, now) => new Date(now * 1000).toISOString()),
  },
  { rule: 'RATE-4', does: 'writes an empty limit', change: withHeadersOn([401], { [limit]: '' }) },
  {
    rule: 'RATE-5',
    does: 'has more requests remaining than its limit',
    change: withHeadersOn([401], { [remaining]: '61' }),
  },
  {
    rule: 'RATE-6',
    does: 'writes the reset as the seconds until then',
    change: withReset((seconds, now) => seconds - now),
  },
  {
    rule: 'RATE-6',
    does: 'writes the reset in milliseconds',
    change: withReset((seconds) => seconds * 1000),
  },
  { rule: 'RATE-6', does: 'has a reset two days from now', change: withReset((_, now) => now + 172_800) },
  { rule: 'RATE-6', does: 'has a reset a minute in the past', change: withReset((_, now) => now - 60) },
  {
    rule: 'RATE-7',
    does: 'never lowers the remaining requests',
    change: editResponse(withKey, (response) => withHeaders(response, { [remaining]: '59' })),
  },
  {
    rule: 'RATE-7',
    does: 'counts up the requests in place of down',
    change: editResponse(withKey, (response) =>
      withHeaders(response, { [remaining]: String(60 - Number(response.headers[remaining])) }),
    ),
  },
  {
    rule: 'RATE-7',
    does: 'never lowers the remaining requests for getPet',
    change: neverCharging(isGet),
  },
  {
    rule: 'RATE-7',
    does: 'never lowers the remaining requests for a list',
    change: neverCharging(isList),
  },
  {
    rule: 'RATE-7',
    does: 'never lowers the remaining requests for a creation',
    change: neverCharging(isCreate),
  },
  {
    rule: 'RATE-7',
    does: 'lowers the remaining requests for lists only',
    change: neverCharging((request) => isGet(request) || isCreate(request)),
  },
  {
    rule: 'RATE-8',
    does: "has a limit that is not the plan's",
    plan: 'free',
    change: {
      prepare: (world) => {
        world.limiter = fixedWindow(100, minute)
      },
    },
  },
]
