import { createBarrier } from '../network/barrier.ts'
import type { Transport } from '../network/transport.ts'
import { redactUrl } from '../redact/evidence.ts'
import type { LearnedFacts, Step } from '../steps/step.ts'
import { maxRequestsByProfile } from '../transcript/bounds.ts'
import { createKnown } from '../transcript/known.ts'
import type { Exchange, NetworkUse, Outcome, Transcript } from '../transcript/transcript.ts'
import { readRetryAfterSeconds } from '../transcript/waits.ts'
import { findReasonToEnd, isRateLimited } from './early-end.ts'
import type { ResolvedOptions } from './options.ts'
import { createPacer } from './pace.ts'
import { drawValues, type Prepared, prepare } from './prepare.ts'
import { createRunRedactor } from './secrets.ts'
import { createSender, roundToTenths, type SendResult } from './send.ts'

/** Sends the requests of a run and records the exchanges. */
export interface Exchanger {
  /** Sends one step's request, with retries. Resolves to `undefined` if nothing was sent because the run has ended. */
  exchange(step: Step): Promise<Exchange | undefined>
  /**
   * Sends the steps' requests in parallel, each on its own connection. Resolves to `false` if nothing was sent because
   * the run has ended or has too few requests left.
   */
  exchangeInParallel(steps: readonly Step[]): Promise<boolean>
  /** Returns the transcript so far, and what it shows. */
  getState(): RunState
}

interface RunState {
  readonly transcript: Transcript
  readonly known: LearnedFacts
}

/** Pause after parallel requests if one of them failed, in milliseconds. */
const closingMs = 500

/** Starts a run: draws its random values, and calls `onStart`. */
export function createExchanger(settings: ResolvedOptions, transport: Transport): Exchanger {
  const { baseUrl, profile, plan, clock, maxRequests = Number.POSITIVE_INFINITY } = settings
  const [start, begin] = [clock.now(), clock.elapsed()]
  const startedAt = new Date(start)
  const { secrets, given } = drawValues(settings)
  const { marker, categoryId } = given
  settings.onStart?.({ marker })
  const redact = createRunRedactor(settings, secrets)
  const target = { baseUrl: redactUrl(baseUrl, redact) }
  const send = createSender(settings, transport, redact)
  const pace = createPacer(settings)
  const exchanges: Exchange[] = []
  let requests = 0
  /** Whether the last request was a GET that leaves its connection open. */
  let isConnectionKept = false
  let endedEarly: string | undefined
  let shown: RunState | undefined

  const getState = (): RunState => {
    if (shown !== undefined) return shown
    const transcript: Transcript = {
      target,
      profile,
      ...(plan !== undefined && { plan }),
      startedAt: startedAt.toISOString(),
      now: (settings.now ?? startedAt).toISOString(),
      durationMs: roundToTenths(clock.elapsed() - begin),
      marker,
      ...(categoryId !== undefined && { categoryId }),
      ...(endedEarly !== undefined && { endedEarly }),
      network: describeNetworkUse(settings),
      ...(pace.waits.length > 0 && { waits: [...pace.waits] }),
      exchanges: [...exchanges],
    }
    shown = { transcript, known: createKnown(transcript, given) }
    return shown
  }
  const endRun = (reason: string | undefined): void => {
    endedEarly ??= reason
    shown = undefined
  }
  const requestBudget = Math.min(maxRequests, maxRequestsByProfile[profile])

  /** Times in a transcript never decrease, even if the system clock is set back. */
  const computeTime = (): number => Math.max(roundToTenths(clock.now() - start), exchanges.at(-1)?.at ?? 0)

  const sendOnce = async (
    { step, wire }: Prepared,
    opensConnection: boolean,
  ): Promise<TimedResult | undefined> => {
    await pace.beforeRequest(step.id, step.credential)
    if (settings.signal?.aborted) return undefined
    requests += 1
    const sentAt = computeTime()
    const sendResult = await send({ ...wire, opensConnection })
    pace.afterResponse(step.credential, sendResult.outcome)
    return { ...sendResult, at: sentAt }
  }

  /** Sends a request again after a 429 that was waited out, and a GET if its reused connection breaks. */
  const sendWithRetry = async (prepared: Prepared): Promise<ExchangeResult | undefined> => {
    const { step } = prepared
    const isGet = step.method === 'GET'
    // A POST gets its own connection, except for AUTH-17's probe. A GET does not follow a POST on its connection.
    let opensConnection = !step.sameConnection && !(isGet && isConnectionKept)
    isConnectionKept = isGet && !step.sameConnection
    let last: TimedResult | undefined
    for (let times = 1; ; times++) {
      const result = await sendOnce(prepared, opensConnection)
      if (result === undefined) return last && toExchangeResult(step, last, times - 1)
      last = result
      const { at, outcome } = result
      if (requests >= requestBudget) return toExchangeResult(step, result, times)
      const isLost = isGet && !opensConnection && !step.sameConnection && failsOnReusedConnection(result)
      const isCounted = step.mayBeRateLimited !== true && step.credential !== 'throttle-key'
      const retryAfterSeconds = readRetryAfterSeconds(getState().transcript, { at, ...outcome })
      const isLimited = isCounted && isRateLimited(outcome)
      if (isLimited && (await pace.waitForRetryAfter(step.id, retryAfterSeconds))) {
        if (!isGet) return { at, ...notRetried }
      } else if (!isLost) {
        return toExchangeResult(step, result, times)
      }
      opensConnection = true
    }
  }

  const sendInParallel = async (
    all: readonly Prepared[],
    first: Step,
  ): Promise<readonly ExchangeResult[]> => {
    await pace.beforeRequest(first.id, first.credential, all.length)
    if (settings.signal?.aborted) return []
    requests += all.length
    isConnectionKept = false
    const [at, elapsed] = [computeTime(), clock.elapsed()]
    const beforeSend = createBarrier(all.length)
    const sendResults = await Promise.all(
      all.map(({ wire }) => send({ ...wire, opensConnection: true, beforeSend })),
    )
    const outcomes = sendResults.map(({ outcome }) => outcome)
    // a deployment that limits its connections may not have seen yet that these are closed
    if (outcomes.some(({ response }) => response === undefined || response.status >= 500))
      await clock.sleep(closingMs)
    pace.afterResponse(first.credential, ...outcomes)
    // A missing `Retry-After` is not waited for.
    const retryWaits = outcomes
      .filter(isRateLimited)
      .map((one) => readRetryAfterSeconds(getState().transcript, { at, ...one }) ?? Number.POSITIVE_INFINITY)
    const isLimited = retryWaits.length > 0 && first.mayBeRateLimited !== true
    const isWaitedOut = isLimited && (await pace.waitForRetryAfter(first.id, Math.max(...retryWaits)))
    return sendResults.map(({ outcome, start }) => ({
      at: roundToTenths(at + start - elapsed),
      ...(isWaitedOut && isRateLimited(outcome) ? notRetried : outcome),
    }))
  }

  const record = ({ step, shown: request }: Prepared, result: ExchangeResult): Exchange => {
    const { id, credential, group } = step
    const exchange = { id, credential, ...(group !== undefined && { group }), request, ...result }
    exchanges.push(exchange)
    endRun(findReasonToEnd({ target, exchanges }, step))
    settings.onExchange?.(exchange)
    return exchange
  }

  const prepareAll = (steps: readonly Step[]): readonly Prepared[] => {
    const { known } = getState()
    return steps.map((step) => prepare(step, known, settings.headers, secrets, redact))
  }
  const endIfInterrupted = (): void => {
    if (settings.signal?.aborted) endRun('interrupted: run the suite again')
  }

  return {
    getState,
    async exchange(step) {
      if (requests >= maxRequests)
        endRun(`the limit of ${maxRequests} requests is reached: raise --max-requests`)
      const [prepared] = endedEarly === undefined ? prepareAll([step]) : []
      const result = prepared && (await sendWithRetry(prepared))
      endIfInterrupted()
      return prepared && result && record(prepared, result)
    },
    async exchangeInParallel(steps) {
      const [first] = steps
      if (first === undefined || endedEarly !== undefined || requests + steps.length > maxRequests)
        return false
      const prepared = prepareAll(steps)
      const results = await sendInParallel(prepared, first)
      endIfInterrupted()
      for (const [n, result] of results.entries()) if (prepared[n]) record(prepared[n], result)
      return results.length > 0
    },
  }
}

type TimedResult = SendResult & Pick<Exchange, 'at'>
type ExchangeResult = Outcome & Pick<Exchange, 'at' | 'times' | 'sameConnection'>

function toExchangeResult(
  { sameConnection }: Step,
  { at, outcome, isReused, failure }: TimedResult,
  times: number,
): ExchangeResult {
  return {
    at,
    ...(times > 1 && { times }),
    ...(sameConnection && isReused !== undefined && { sameConnection: isReused && failure !== 'closed' }),
    ...outcome,
  }
}

/**
 * The connection may have been closed before the request arrived. A malformed response may be leftover bytes from the
 * previous one.
 */
function failsOnReusedConnection({ isReused, failure }: SendResult): boolean {
  return isReused !== false && (failure === 'closed' || failure === 'malformed')
}

const notRetried: Outcome = {
  error: 'a POST was rejected with 429: the suite waited, but does not send a POST twice',
}

function describeNetworkUse({ tls, proxy }: ResolvedOptions): NetworkUse {
  return {
    ...(tls.rejectUnauthorized === false && { insecure: true }),
    ...(proxy !== undefined && { proxy: proxy.origin }),
  }
}
