import { hasAdvice } from '../network/advice.ts'
import { type Credential, isSafe, type Step } from '../steps/step.ts'
import { type Attempt, type Exchange, type Outcome, requestName } from '../transcript/transcript.ts'
import type { Sent } from './send.ts'

/** The most GETs that a run sends once more because of a closed connection or a surprise. */
export const mostRepeats = 5

/** After so many connections that were closed without notice, each request opens one. */
const mostStale = 2

/** Decides whether a GET is sent once more on a new connection. */
export interface Repeats {
  /**
   * Returns why to send a request once more; `undefined` if not. Each reason counts once for an exchange.
   *
   * @param before The exchange before it on the same connection, or on any if the connection is not known; `undefined` on
   * a new connection.
   */
  reasonFor(
    asked: Asked,
    sent: Sent,
    attempts: readonly Attempt[],
    before: Exchange | undefined,
  ): 'closed' | 'unexpected' | undefined
  /** Whether the deployment closes connections without saying so, so that no request should continue on one. */
  closesConnections(): boolean
}

/** Returns a policy for one run, which bounds what it repeats. */
export function createRepeats(): Repeats {
  let left = mostRepeats
  let stale = 0
  const confirmed = new Set<string>()
  return {
    closesConnections: () => stale >= mostStale,
    reasonFor(asked, sent, attempts, before) {
      const [reason, surprise] =
        sent.failure === 'closed' ? ['closed' as const] : unexpected(asked, sent, before)
      if (!isSafe(asked.method) || left === 0 || reason === undefined) return undefined
      if (attempts.some((attempt) => attempt.reason === reason)) return undefined
      if (surprise !== undefined) {
        // what a deployment returns by itself is confirmed once; behind a POST, anything may be remains
        if (confirmed.has(surprise) && isSafe(before?.request.method ?? 'GET')) return undefined
        confirmed.add(surprise)
      }
      left -= 1
      if (reason === 'closed' && sent.connection?.isReused) stale += 1
      return reason
    },
  }
}

/** Returns whether a response may be the remains of the exchange before it, and what kind of surprise it is. */
function unexpected(
  asked: Asked,
  { outcome, failure }: Sent,
  before: Exchange | undefined,
): readonly [reason?: 'unexpected', surprise?: string] {
  if (before === undefined) return []
  if (failure === 'malformed') return ['unexpected']
  if (outcome.kind === 'error' || !isSurprise(asked, outcome)) return []
  return ['unexpected', `${isAccepted(asked.credential)} ${outcome.response.status}`]
}

/** The credentials that a deployment is expected to accept. */
const accepted: readonly Credential[] = ['key', 'key-other-case', 'throttle-key']

/** Whether a deployment is expected to accept a credential. */
export function isAccepted(credential: Credential): boolean {
  return accepted.includes(credential)
}

/** What is known of a request before it is sent. */
export interface Asked {
  readonly method: string
  readonly target: string
  readonly credential: Credential
}

/**
 * Whether no step expects this response there, so that it may be the remains of another exchange: a 5xx, another status
 * than 401 without a valid key, and an error where the request is valid.
 */
export function isSurprise({ target, credential }: Asked, outcome: Outcome): boolean {
  if (outcome.kind === 'error') return false
  const { status } = outcome.response
  if (status === 429) return false
  if (!isAccepted(credential)) return status !== 401
  if (status >= 500) return true
  if (status < 400 || status === 401 || status === 403) return false
  if (isValidList(target)) return true
  return isInt64Path(target) && status !== 404 && status !== 405 && status !== 410
}

function isValidList(target: string): boolean {
  const [path, query] = target.split('?')
  if (path !== '/pets') return false
  return [...new URLSearchParams(query)].every(([name, value]) =>
    name === 'limit'
      ? /^([1-9]\d?|100)$/.test(value)
      : name === 'status' && /^(available|pending|sold)$/.test(value),
  )
}

function isInt64Path(target: string): boolean {
  return /^\/pets\/-?\d{1,19}$/.test(target)
}

/** The run ends after so many exchanges in a row without a complete response. */
const mostErrors = 3

/** Returns why a run ends after its last exchange; `undefined` if it goes on. */
export function reasonToEnd(exchanges: readonly Exchange[], { mayBeRateLimited }: Step): string | undefined {
  const exchange = exchanges.at(-1)
  const last = exchange?.outcome
  if (exchange !== undefined && isRateLimited(exchange.outcome) && !mayBeRateLimited) {
    return `${requestName(exchange)} returned 429: wait until the limit resets, then run again`
  }
  const recent = exchanges.slice(-mostErrors).map(({ outcome }) => outcome)
  if (last?.kind !== 'error' || recent.filter(({ kind }) => kind === 'error').length < mostErrors) {
    return undefined
  }
  const advice = hasAdvice(last.error) ? '' : ': check the base URL and the network'
  return `${mostErrors} requests in a row had no complete response (${last.error})${advice}`
}

/** Whether a request was rejected because of a limit. */
export function isRateLimited(outcome: Outcome): boolean {
  return outcome.kind === 'response' && outcome.response.status === 429
}
