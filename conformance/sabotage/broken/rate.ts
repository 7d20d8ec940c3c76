import { always, editResponse, editResponseWith, replaceResponse, type When } from '../change.ts'
import { withHeaders } from '../edit.ts'
import { type ApiResponse, callerOf, errorResponse } from '../exchange.ts'
import { fixedWindow, minute } from '../limiter.ts'
import type { Broken } from '../variant.ts'
import { mainKey, throttleKey } from '../world.ts'

const withKey: When = (request) => callerOf(request) === mainKey
const withThrottleKey: When = (request) => callerOf(request) === throttleKey

const limit = 'x-ratelimit-limit'
const remaining = 'x-ratelimit-remaining'
const reset = 'x-ratelimit-reset'

/** Sets headers on the answers with one of the statuses. */
const tell = (statuses: readonly number[], headers: Readonly<Record<string, string | undefined>>) =>
  editResponseWith(statuses, always, (response) => withHeaders(response, headers))

/** Turns the reset of every answer into another number. */
const resetAs = (edit: (seconds: number, now: number) => number | string) =>
  editResponse(always, (response: ApiResponse, _, world) =>
    withHeaders(response, {
      [reset]: String(edit(Number(response.headers[reset]), Math.floor(world.clock.now() / 1000))),
    }),
  )

/** What breaks section 8. */
export const brokenRates: readonly Broken[] = [
  { rule: 'RATE-1', does: 'shows no limit on errors', change: tell([404], { [limit]: undefined }) },
  { rule: 'RATE-2', does: 'shows nothing remaining on 401', change: tell([401], { [remaining]: undefined }) },
  { rule: 'RATE-3', does: 'shows no reset on 400', change: tell([400], { [reset]: undefined }) },
  { rule: 'RATE-4', does: 'writes its limit with a policy', change: tell([401], { [limit]: '60, 60;w=60' }) },
  { rule: 'RATE-4', does: 'writes a negative remainder', change: tell([401], { [remaining]: '-1' }) },
  {
    rule: 'RATE-4',
    does: 'writes a reset with a fraction',
    change: editResponse(always, (response) =>
      withHeaders(response, { [reset]: `${response.headers[reset]}.5` }),
    ),
  },
  {
    rule: 'RATE-4',
    does: 'writes an unlimited limit as a word',
    change: tell([401], { [limit]: 'unlimited' }),
  },
  {
    rule: 'RATE-4',
    does: 'writes its reset as a date',
    change: resetAs((_, now) => new Date(now * 1000).toISOString()),
  },
  { rule: 'RATE-4', does: 'writes an empty limit', change: tell([401], { [limit]: '' }) },
  { rule: 'RATE-5', does: 'has more remaining than its limit', change: tell([401], { [remaining]: '61' }) },
  { rule: 'RATE-6', does: 'counts seconds to its reset', change: resetAs((seconds, now) => seconds - now) },
  { rule: 'RATE-6', does: 'resets in milliseconds', change: resetAs((seconds) => seconds * 1000) },
  { rule: 'RATE-6', does: 'resets in two days', change: resetAs((_, now) => now + 172_800) },
  { rule: 'RATE-6', does: 'reset a minute ago', change: resetAs((_, now) => now - 60) },
  {
    rule: 'RATE-7',
    does: 'never counts',
    change: editResponse(withKey, (response) => withHeaders(response, { [remaining]: '59' })),
  },
  {
    rule: 'RATE-7',
    does: 'counts what is used',
    change: editResponse(withKey, (response) =>
      withHeaders(response, { [remaining]: String(60 - Number(response.headers[remaining])) }),
    ),
  },
  {
    rule: 'RATE-8',
    does: 'has a limit that is no plan',
    plan: 'free',
    change: {
      prepare: (world) => {
        world.limiter = fixedWindow(100, minute)
      },
    },
  },
  {
    rule: 'RATE-9',
    does: 'counts down and never refuses',
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
    does: 'counts down to one and stays there',
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
    does: 'refuses with 403 past the limit',
    profile: 'exhaust',
    change: replaceResponse([429], always, errorResponse(403)),
  },
  {
    rule: 'RATE-9',
    does: 'trips past the limit',
    profile: 'exhaust',
    alsoBreaks: ['ERR-6'],
    change: replaceResponse([429], always, errorResponse(500)),
  },
  {
    rule: 'RATE-10',
    does: 'does not say how long to wait',
    profile: 'exhaust',
    change: tell([429], { 'retry-after': undefined }),
  },
  {
    rule: 'RATE-10',
    does: 'says how long to wait in words',
    profile: 'exhaust',
    change: tell([429], { 'retry-after': 'soon' }),
  },
  {
    rule: 'RATE-11',
    does: 'refuses without a limit',
    alsoBreaks: ['RATE-1'],
    profile: 'exhaust',
    change: tell([429], { [limit]: undefined }),
  },
  {
    rule: 'RATE-11',
    does: 'refuses without a remainder',
    alsoBreaks: ['RATE-2'],
    profile: 'exhaust',
    change: tell([429], { [remaining]: undefined }),
  },
  {
    rule: 'RATE-11',
    does: 'refuses without a reset',
    alsoBreaks: ['RATE-3'],
    profile: 'exhaust',
    change: tell([429], { [reset]: undefined }),
  },
  {
    rule: 'RATE-12',
    does: 'refuses while it says that three remain',
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
    does: 'makes a caller wait longer than it says',
    profile: 'exhaust',
    change: tell([429], { 'retry-after': '1' }),
  },
  {
    rule: 'RATE-14',
    does: 'refuses and says that one remains',
    profile: 'exhaust',
    change: tell([429], { [remaining]: '1' }),
  },
]
