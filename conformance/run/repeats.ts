import { isSafe } from '../steps/step.ts'
import type { Attempt, Exchange } from '../transcript/transcript.ts'
import type { Sent } from './send.ts'
import { type Asked, isAccepted, isSurprise } from './surprises.ts'

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
