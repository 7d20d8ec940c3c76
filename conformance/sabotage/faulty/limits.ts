import { always, editResponse } from '../change.ts'
import type { Change } from '../deployment.ts'
import { type Headers, withHeaders } from '../edit.ts'
import type { ApiResponse } from '../exchange.ts'
import { errors, everywhere, type Faulty } from './faulty.ts'

const resets = (edit: (seconds: number, now: number) => number | string): Change =>
  editResponse(always, (response, _, { clock }) =>
    withHeaders(response, {
      'x-ratelimit-reset': String(
        edit(Number(response.headers['x-ratelimit-reset']), Math.floor(clock.now() / 1000)),
      ),
    }),
  )

const limits = ['limit', 'remaining', 'reset']

/** The values of the three headers, under the names of the IETF draft. */
const renamed = ({ headers }: ApiResponse): Headers =>
  Object.fromEntries(limits.map((name) => [`ratelimit-${name}`, headers[`x-ratelimit-${name}`]]))

const withoutLimits: Headers = Object.fromEntries(limits.map((name) => [`x-ratelimit-${name}`, undefined]))

/** Deployments whose rate-limit headers are wrong. */
export const faultyLimits: readonly Faulty[] = [
  {
    cause: 'renamed-limit-headers',
    does: 'has the rate-limit headers of the IETF draft',
    server: everywhere((response) => withHeaders(response, { ...renamed(response), ...withoutLimits })),
    nearly: 'has both kinds of headers',
    near: everywhere((response) => withHeaders(response, renamed(response))),
  },
  {
    cause: 'no-limit-headers',
    does: 'has no rate-limit headers on a 401',
    server: errors((response) => withHeaders(response, withoutLimits), [401]),
    nearly: 'has no reset on a 401',
    near: errors((response) => withHeaders(response, { 'x-ratelimit-reset': undefined }), [401]),
  },
  {
    cause: 'reset-in-seconds-to-go',
    does: 'writes the reset as the seconds until then',
    server: resets((seconds, now) => seconds - now),
    nearly: 'writes a time in the past',
    near: resets((_, now) => now - 400),
  },
  {
    cause: 'reset-in-milliseconds-to-go',
    does: 'writes the reset as the milliseconds until then',
    server: resets((seconds, now) => (seconds - now + 120) * 1000),
    nearly: 'writes a time far ahead',
    near: resets((seconds) => seconds + 500_000),
  },
  {
    cause: 'reset-in-milliseconds',
    does: 'writes the reset in milliseconds',
    server: resets((seconds) => seconds * 1000),
    nearly: 'writes the reset in microseconds',
    near: resets((seconds) => seconds * 1_000_000),
  },
  {
    cause: 'reset-with-fraction',
    does: 'writes the reset with a fraction',
    server: resets((seconds) => `${seconds}.25`),
    nearly: 'writes the reset in words',
    near: resets((seconds) => `at ${seconds}`),
  },
  {
    cause: 'reset-as-date',
    does: 'writes the reset as a date',
    server: resets((seconds) => new Date(seconds * 1000).toISOString()),
    nearly: 'writes a day that no month has',
    near: resets(() => '2026-11-31T25:00:00Z'),
  },
]
