import { readLimitNumbers } from '../transcript/rate-limits.ts'
import { ratePlans } from '../transcript/rate-plans.ts'
import {
  findResponse,
  isOutsideInterface,
  isSuccess,
  listResponses,
  listResponsesFor,
} from '../transcript/responses.ts'
import { getOperation, type Transcript } from '../transcript/transcript.ts'

/** Lists the values of `X-RateLimit-Limit`, with the rate plans that have these limits. */
export function findLimits(transcript: Transcript): string | undefined {
  const seenLimits = listResponsesFor(transcript, 'key').flatMap(
    (recorded) => readLimitNumbers(recorded).limit ?? [],
  )
  return (
    [...new Set(seenLimits)]
      .map((limit) => `${limit} (${findPlans(limit).join(', ') || 'no known plan'})`)
      .join('; ') || undefined
  )
}

function findPlans(limit: number): readonly string[] {
  return Object.entries(ratePlans).flatMap(([plan, [minute, day]]) => [
    ...(limit === minute ? [`${plan} per minute`] : []),
    ...(limit === day ? [`${plan} per day`] : []),
  ])
}

/**
 * Describes which operations lower `X-RateLimit-Remaining`. Only successive responses with the same limit are compared.
 */
export function describeLowering(transcript: Transcript): string | undefined {
  const responses = listResponsesFor(transcript, 'key').filter(({ exchange }) => exchange.group === undefined)
  const lowersByOperation = new Map<string, boolean>()
  for (const [n, { id, exchange, response }] of responses.entries()) {
    const previous = responses[n - 1]
    if (previous === undefined || !isSuccess(response.status) || isOutsideInterface(id)) continue
    const [then, now] = [readLimitNumbers(previous), readLimitNumbers({ response })]
    if (then.remaining === undefined || now.remaining === undefined || then.limit !== now.limit) continue
    const operation = getOperation(exchange)
    const lowers = lowersByOperation.get(operation) === true || now.remaining < then.remaining
    lowersByOperation.set(operation, lowers)
  }
  if (lowersByOperation.size === 0) return undefined
  const formatOperations = (does: boolean): string =>
    [...lowersByOperation.keys()].filter((operation) => lowersByOperation.get(operation) === does).join(', ')
  const unchangedNames = formatOperations(false)
  return `${formatOperations(true) || 'none'}${unchangedNames && `; not ${unchangedNames}`}`
}

/**
 * Describes whether the two keys share a limit: whether the first key has fewer requests left after the throttle key
 * was exhausted.
 */
export function describeSharing(transcript: Transcript): string | undefined {
  const allResponses = listResponses(transcript)
  const burnStart = allResponses.findIndex(({ id }) => id === 'burn-1')
  const after = findResponse(transcript, 'list-after-burn')
  const before = allResponses
    .slice(0, Math.max(0, burnStart))
    .findLast(({ exchange }) => exchange.credential === 'key')
  const burntRequests = allResponses.filter(
    ({ id, response }) => id.startsWith('burn-') && isSuccess(response.status),
  ).length
  if (before === undefined || after === undefined || burntRequests < 3) return undefined
  if (after.response.status === 429) return 'shared: the first key is also rate-limited'
  const [then, now] = [readLimitNumbers(before), readLimitNumbers(after)]
  if (then.remaining === undefined || now.remaining === undefined || then.limit !== now.limit)
    return undefined
  if (now.remaining > then.remaining) return undefined
  const remainingDecrease = then.remaining - now.remaining
  const limitNumbers = `X-RateLimit-Remaining for the first key was ${then.remaining} before and ${now.remaining} after ${burntRequests} requests with the other key`
  return remainingDecrease <= burntRequests / 2 ? `not shared: ${limitNumbers}` : `shared: ${limitNumbers}`
}
