import { maxRemaining, parallelLimitGroup } from '../steps/steps-read.ts'
import { formatInFlight, type Group } from '../transcript/groups.ts'
import { pluralize } from '../transcript/printable.ts'
import { readLimitNumbers } from '../transcript/rate-limits.ts'
import { computeEnd, indexOfExchange, isSuccess, listResponses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { computeGain, isFalling, listBurnResponses, listRemaining, neverDecreased } from './burn-evidence.ts'
import { broken, explainMissingEvidence, holds, judgeGroup, noEvidence } from './judging.ts'
import { type Finding, must, type RuleFamily } from './rule.ts'

/** Rules about parallel requests at the limit (section 8). */
export const parallelRules: RuleFamily = {
  'RATE-17 s8-parallel-requests': must.exhaust(
    'parallel requests do not exceed the limit together',
    judgeGroup(parallelLimitGroup, explainAbsence, judgeParallelRequests),
  ),
}

function judgeParallelRequests(group: Group, transcript: Transcript): Finding {
  const groupStart = Math.min(...group.exchanges.map((one) => indexOfExchange(transcript, one)))
  const burnt = listBurnResponses(transcript).filter(
    ({ exchange }) => indexOfExchange(transcript, exchange) < groupStart,
  )
  const responses = listResponses(transcript).filter(({ exchange }) => group.exchanges.includes(exchange))
  const [before, last] = [burnt.at(-1), responses.toSorted((a, b) => computeEnd(a) - computeEnd(b)).at(-1)]
  const ids = [before ?? [], responses].flat().map(({ id }) => id)
  const { limit, remaining } = before === undefined ? {} : readLimitNumbers(before)
  if (before === undefined || last === undefined || limit === undefined || remaining === undefined) {
    const reason = 'the earlier responses have no rate-limit headers, or no parallel request got a response'
    return noEvidence(reason, ...ids)
  }
  if (!isFalling(listRemaining(burnt))) return noEvidence(neverDecreased, ...ids)
  const accepted = responses.filter(({ response }) => isSuccess(response.status))
  const rise = accepted.find((recorded) => (readLimitNumbers(recorded).remaining ?? 0) > remaining)
  if (rise !== undefined) {
    const reason = `${rise.id} increased X-RateLimit-Remaining: the limit was reset during the requests`
    return noEvidence(reason, rise.id, before.id)
  }
  const otherServers = countSequences(listRemaining(burnt)) - 1
  const maxSuccesses = remaining + Math.ceil(computeGain(transcript, burnt, before, last)) + otherServers
  const successes = `${accepted.length} of ${pluralize(responses.length, 'parallel request')} succeeded after X-RateLimit-Remaining: ${remaining}; ${formatInFlight(group)}`
  const surplus = accepted[maxSuccesses]
  if (surplus !== undefined)
    return broken(`at most ${maxSuccesses} successful responses`, successes, surplus.id, ...ids)
  return responses.some(({ response }) => response.status === 429)
    ? holds(successes, ...ids)
    : noEvidence(`no request returned 429: ${successes}`, ...ids)
}

function explainAbsence(transcript: Transcript): Finding {
  const [, ...later] = listBurnResponses(transcript)
  const reason = listRemaining(later).some((remaining) => remaining <= maxRemaining)
    ? 'the run reached its maximum number of requests before the parallel requests'
    : `no response after the first one had X-RateLimit-Remaining: ${maxRemaining} or less`
  return explainMissingEvidence(transcript, reason)
}

/**
 * Counts the falling sequences that the numbers can be split into. Two sequences show two servers that count
 * separately.
 */
function countSequences(numbers: readonly number[]): number {
  const lastNumbers: number[] = []
  for (const number of numbers) {
    const [next] = lastNumbers.filter((end) => end > number).toSorted((a, b) => a - b)
    lastNumbers.splice(next === undefined ? lastNumbers.length : lastNumbers.indexOf(next), 1, number)
  }
  return lastNumbers.length
}
