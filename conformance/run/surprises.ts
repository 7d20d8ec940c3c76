import { findStep } from '../steps/phases.ts'
import { type Credential, list, type Step } from '../steps/step.ts'
import { findMisdirection } from '../transcript/front-end.ts'
import {
  type Exchange,
  formatRequestName,
  type Outcome,
  type SentRequest,
  type Transcript,
} from '../transcript/transcript.ts'
import type { Sent } from './send.ts'

/** The most GETs that a run sends once more because of a closed connection or a surprise. */
export const mostRepeats = 5

/**
 * Returns a function that decides whether to repeat a GET on a new connection, because the response may belong to an
 * earlier request on the same connection. Limits the repetitions of one run.
 *
 * @param before The exchange before it.
 */
export function createDoubt(): (asked: Asked, sent: Sent, before: Exchange | undefined) => boolean {
  let left = mostRepeats
  const confirmed = new Set<string>()
  return (asked, { isReused, failure, outcome }, before) => {
    if (before === undefined || asked.method !== 'GET' || isReused === false || left === 0) return false
    if (failure !== 'closed' && failure !== 'malformed') {
      if (outcome.kind === 'error' || !isSurprise(asked, outcome.response.status)) return false
      // an error of the deployment itself is confirmed once; behind a POST, anything may be leftover bytes
      const surprise = `${accepted.includes(asked.credential)} ${outcome.response.status}`
      if (confirmed.has(surprise) && before.request.method === 'GET') return false
      confirmed.add(surprise)
    }
    left -= 1
    return true
  }
}

/** The credentials that a deployment is expected to accept. */
const accepted: readonly Credential[] = ['key', 'key-other-case', 'throttle-key']

/** The facts about a request that are known before it is sent. */
type Asked = Pick<Step, 'method' | 'credential' | 'mayBeRejected'> & Pick<SentRequest, 'target'>

/**
 * Returns true if no step expects this response, so that it may come from leftover bytes of another exchange: a 5xx, another status
 * than 401 without a valid key, and an error if the request is valid.
 */
export function isSurprise({ target, credential, mayBeRejected }: Asked, status: number): boolean {
  if (status === 429) return false
  if (!accepted.includes(credential)) return status !== 401
  if (status < 400 || status >= 500) return status >= 500
  const isForAll = status === 401 || status === 403
  const isForOne = target.startsWith('/pets/') && [404, 405, 410].includes(status)
  return !mayBeRejected && !isForAll && !isForOne
}

/** The run ends after this number of exchanges in a row without a complete response. */
const mostErrors = 3

/**
 * Returns why a run ends after its last exchange; `undefined` if it goes on. Requests that may be rejected do not end
 * it: a server may drop the connection instead. `checkAfter` then decides.
 */
export function findReasonToEnd(
  { baseUrl, exchanges }: Pick<Transcript, 'baseUrl' | 'exchanges'>,
  { mayBeRateLimited }: Step,
): string | undefined {
  const exchange = exchanges.at(-1)
  if (exchange === undefined) return undefined
  const { outcome } = exchange
  if (isRateLimited(outcome) && !mayBeRateLimited) {
    return `${formatRequestName(exchange)} returned 429: wait until the limit resets, then run again`
  }
  const misdirected = findMisdirection({ baseUrl, exchanges })
  if (misdirected !== undefined) return misdirected
  if (outcome.kind !== 'error' || isInvalidRequest(exchange)) return undefined
  return countErrors(exchanges) < mostErrors
    ? undefined
    : `${mostErrors} requests in a row had no complete response: ${outcome.error}`
}

/**
 * Returns a plain request to send after 3 invalid ones in a row had no complete response, to see whether the deployment
 * still responds; after 6 more and 12 more, if it did. Returns `undefined` if none is called for.
 */
export function checkAfter({ exchanges, endedEarly }: Transcript): Step | undefined {
  const last = exchanges.at(-1)
  if (endedEarly !== undefined || last === undefined || !isInvalidRequest(last)) return undefined
  const checks = exchanges.filter(({ id }) => id.startsWith(checkId)).length
  return countErrors(exchanges) === mostErrors * 2 ** checks ? list(`${checkId}${checks + 1}`) : undefined
}

const checkId = 'list-after-errors-'

/** Returns how many exchanges at the end of a run have no complete response. */
function countErrors(exchanges: readonly Exchange[]): number {
  return exchanges.length - 1 - exchanges.findLastIndex(({ outcome }) => outcome.kind === 'response')
}

/** Returns true if a deployment need not accept a request: its body, path or query is invalid. */
function isInvalidRequest({ id }: Exchange): boolean {
  const { creates, mayBeRejected, isOutside } = findStep(id) ?? {}
  return creates === 'invalid' || mayBeRejected === true || isOutside !== undefined
}

/** Returns `true` if a request was rejected because of a limit. */
export function isRateLimited(outcome: Outcome): boolean {
  return outcome.kind === 'response' && outcome.response.status === 429
}
