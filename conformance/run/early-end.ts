import { hasAdvice } from '../network/advice.ts'
import type { Step } from '../steps/step.ts'
import { type Exchange, type Outcome, requestName } from '../transcript/transcript.ts'

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
  const advice = hasAdvice(last.error) ? '' : ': check the base address and the network'
  return `${mostErrors} requests in a row had no complete response (${last.error})${advice}`
}

/** Whether a request was rejected because of a limit. */
export function isRateLimited(outcome: Outcome): boolean {
  return outcome.kind === 'response' && outcome.response.status === 429
}
