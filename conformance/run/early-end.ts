import { findStep } from '../steps/phases.ts'
import { createListStep, type Step } from '../steps/step.ts'
import { findFrontEndProblem } from '../transcript/front-end.ts'
import { type Exchange, formatRequestName, type Outcome, type Transcript } from '../transcript/transcript.ts'

/** Number of consecutive requests without a complete response that ends a run. */
const maxErrors = 3

/**
 * Returns why the run ends after its last exchange, or `undefined` if it continues. Errors after requests that may be
 * rejected do not end it, as a server may drop the connection instead of responding.
 */
export function findReasonToEnd(
  { target, exchanges }: Pick<Transcript, 'target' | 'exchanges'>,
  { mayBeRateLimited }: Step,
): string | undefined {
  const exchange = exchanges.at(-1)
  if (exchange === undefined) return undefined
  if (isRateLimited(exchange) && !mayBeRateLimited) {
    return `${formatRequestName(exchange)} returned 429: wait until the limit resets, then run again`
  }
  const misdirectionReason = findFrontEndProblem({ target, exchanges })
  if (misdirectionReason !== undefined) return misdirectionReason
  if (exchange.response !== undefined || isInvalidRequest(exchange)) return undefined
  return countTrailingErrors(exchanges) < maxErrors
    ? undefined
    : `${maxErrors} consecutive requests got no complete response: ${exchange.error}`
}

/**
 * Returns a GET that checks whether the server still responds, after three consecutive invalid requests without a
 * response. Each further check needs twice as many.
 */
export function findCheckStep({ exchanges, endedEarly }: Transcript): Step | undefined {
  const lastExchange = exchanges.at(-1)
  if (endedEarly !== undefined || lastExchange === undefined || !isInvalidRequest(lastExchange))
    return undefined
  const checkSteps = exchanges.filter(({ id }) => id.startsWith(checkId)).length
  return countTrailingErrors(exchanges) === maxErrors * 2 ** checkSteps
    ? createListStep(`${checkId}${checkSteps + 1}`)
    : undefined
}

const checkId = 'list-after-errors-'

/** Parallel requests are not counted, as a server may drop some of them. */
function countTrailingErrors(all: readonly Exchange[]): number {
  const exchanges = all.filter(({ group }) => group === undefined)
  return exchanges.length - 1 - exchanges.findLastIndex(({ response }) => response !== undefined)
}

/** Checks whether the server may reject the request by dropping its connection. */
function isInvalidRequest({ id }: Exchange): boolean {
  const { creates, mayBeRejected, isOutside } = findStep(id) ?? {}
  return creates === 'invalid' || creates === 'open' || mayBeRejected === true || isOutside !== undefined
}

export function isRateLimited({ response }: Outcome): boolean {
  return response?.status === 429
}
