import type { Transport, UsedConnection } from '../network/transport.ts'
import { createRedactor } from '../redact/redactor.ts'
import { hasContent, isSafe, type Known, type Step } from '../steps/step.ts'
import type {
  Attempt,
  Exchange,
  HeaderList,
  NetworkUse,
  Outcome,
  Transcript,
} from '../transcript/transcript.ts'
import { retryAfter } from '../transcript/waits.ts'
import type { ExtraHeader } from './extra-headers.ts'
import { type Given, learn } from './known.ts'
import type { Settings } from './options.ts'
import { createPace } from './pace.ts'
import { createRepeats, isAccepted, isRateLimited, isSurprise, reasonToEnd } from './repeats.ts'
import { carry, type Secrets, secretsOf, secretsOfNetwork } from './secrets.ts'
import { createSender, type Outgoing, type Sent, tenths } from './send.ts'

/** Sends the requests of one run and records its transcript. */
export interface Exchanger {
  /** Sends the request of a step, unless the run has ended. The response may end the run. */
  exchange(step: Step): Promise<Exchange | undefined>
  transcript(): Transcript
  known(): Known
  /** Returns how many requests were sent, those that repeat another included. */
  requests(): number
  hasEnded(): boolean
}

/** Starts a run: reads the clock, and draws the marker, the ids and the unknown key. */
export function createExchanger(settings: Settings, transport: Transport): Exchanger {
  const { clock, maxRequests = Number.POSITIVE_INFINITY } = settings
  const start = clock.now()
  const { secrets, given } = draw(settings)
  settings.onStart?.({ marker: given.marker })
  const redact = createRedactor([
    ...secretsOf(secrets),
    ...secretsOfNetwork(settings.headers, settings.proxy),
  ])
  const send = createSender(settings, transport, redact)
  const pace = createPace(settings)
  const repeats = createRepeats()
  /** The exchange that was the last one on each connection, by its number. */
  const lastOn = new Map<number, string>()
  const exchanges: Exchange[] = []
  let requests = 0
  let endedEarly: string | undefined
  let learnt: Known | undefined

  const transcript = (): Transcript => ({
    version: 2,
    baseUrl: settings.baseUrl,
    profile: settings.profile,
    ...(settings.plan !== undefined && { plan: settings.plan }),
    startedAt: new Date(start).toISOString(),
    now: (settings.now ?? new Date(start)).toISOString(),
    durationMs: tenths(clock.now() - start),
    marker: given.marker,
    ...(given.categoryId !== undefined && { categoryId: given.categoryId }),
    ...(endedEarly !== undefined && { endedEarly }),
    ...networkUse(settings),
    ...(pace.waits.length > 0 && { waits: [...pace.waits] }),
    exchanges: [...exchanges],
  })
  const known = (): Known => (learnt ??= learn(transcript(), given))
  const isSpent = (): boolean => requests >= maxRequests

  /** Whether the remains of the last exchange could be told from the response to a step. One with a body may leave some. */
  const mayMeetRemains = (step: Step): boolean =>
    isSafe(exchanges.at(-1)?.request.method ?? 'GET') ||
    (!step.mayBeRateLimited && isSurprise({ ...step, target: step.target(known()) }, rejection))

  /** The exchange before a request on its connection; the last one of the run where the connection is not known. */
  const exchangeBefore = (connection: UsedConnection | undefined): Exchange | undefined => {
    if (connection === undefined) return exchanges.at(-1)
    const id = connection.isReused ? lastOn.get(connection.number) : undefined
    return exchanges.find((exchange) => exchange.id === id)
  }

  /** Sends the request of a step once, unless the run is interrupted. */
  const sendOnce = async (
    step: Step,
    isFirst: boolean,
  ): Promise<(Sent & Pick<Attempt, 'at'>) | undefined> => {
    await pace.beforeRequest(step.id, step.credential)
    if (settings.signal?.aborted) return undefined
    const outgoing = write(step, known(), settings.headers, secrets)
    requests += 1
    const { method, target } = write(step, known(), settings.headers)
    settings.onRequest?.({ number: requests, method, target })
    const at = tenths(clock.now() - start)
    const isShared = isFirst && !repeats.closesConnections() && mayMeetRemains(step)
    const sent = await send({ ...outgoing, connection: connectionFor(step, isShared) })
    pace.afterResponse(step.credential, sent.outcome)
    return { ...sent, at }
  }

  /** Sends the request of a step, again where that is called for, and returns all that came of it. */
  const carryOut = async (step: Step): Promise<Carried | undefined> => {
    const attempts: Attempt[] = []
    for (;;) {
      const sent = await sendOnce(step, attempts.length === 0)
      if (sent === undefined) return lastOf(attempts)
      const { at, outcome } = sent
      const before = exchangeBefore(sent.connection)
      if (sent.connection !== undefined) lastOn.set(sent.connection.number, step.id)
      const asked = { ...step, target: step.target(known()) }
      const after = before !== undefined && sent.connection !== undefined && { after: before.id }
      const isLimited = isRateLimited(outcome) && !step.mayBeRateLimited && step.credential !== 'throttle-key'
      if (isLimited && !isSpent() && (await waitOut(step, at, outcome))) {
        attempts.push({ reason: 'rate-limited', at, ...after, outcome })
        if (!isSafe(step.method)) return { at, attempts, outcome: notSentAgain(step.method) }
        continue
      }
      const reason =
        isSpent() || step.mayBeRateLimited ? undefined : repeats.reasonFor(asked, sent, attempts, before)
      if (reason === undefined) return { at, ...(attempts.length > 0 && { attempts }), outcome }
      attempts.push({ reason, at, ...after, outcome })
    }
  }

  const waitOut = (step: Step, at: number, outcome: Outcome): Promise<boolean> =>
    pace.waitOut(step.id, retryAfter(transcript(), { at, outcome }))

  return {
    transcript,
    known,
    requests: () => requests,
    hasEnded: () => endedEarly !== undefined,
    async exchange(step) {
      if (endedEarly === undefined && isSpent()) {
        endedEarly = `the budget of ${maxRequests} requests is spent: raise --max-requests`
      }
      if (endedEarly !== undefined) return undefined
      const { method, target, headers, body } = write(step, known(), settings.headers)
      const request = { method, target, headers, ...(body !== undefined && { body }) }
      const carried = await carryOut(step)
      if (settings.signal?.aborted) endedEarly = 'it was interrupted: run it again'
      if (carried === undefined) return undefined
      const exchange = { id: step.id, credential: step.credential, request, ...carried }
      exchanges.push(exchange)
      learnt = undefined
      endedEarly ??= reasonToEnd(exchanges, step)
      settings.onExchange?.(exchange)
      return exchange
    },
  }
}

/** What a server returns for the remains of a request. */
const rejection: Outcome = {
  kind: 'response',
  response: { status: 400, headers: [], body: '', utf8: true, truncated: false, ms: 0 },
}

type Carried = Pick<Exchange, 'at' | 'attempts' | 'outcome'>

/** What came of a request that was to be sent again when the run was interrupted. */
function lastOf(attempts: readonly Attempt[]): Carried | undefined {
  const last = attempts.at(-1)
  const earlier = attempts.slice(0, -1)
  return last && { at: last.at, ...(earlier.length > 0 && { attempts: earlier }), outcome: last.outcome }
}

function notSentAgain(method: string): Outcome {
  return { kind: 'error', error: `rejected with 429, which was waited out: a ${method} is not sent again` }
}

/**
 * Returns on which connection a request is sent. One that is not safe opens one, as it cannot be sent again if the last one is closed or
 * has remains on it; without a valid key, it has it alone.
 */
function connectionFor({ method, credential }: Step, isShared: boolean): Outgoing['connection'] {
  if (isSafe(method)) return isShared ? 'shared' : 'fresh'
  return isAccepted(credential) ? 'fresh' : 'own'
}

function networkUse({ tls, proxy }: Settings): Pick<Transcript, 'network'> {
  const network: NetworkUse = {
    ...(tls.rejectUnauthorized === false && { insecure: true }),
    ...(proxy !== undefined && { proxy: proxy.origin }),
  }
  return Object.keys(network).length === 0 ? {} : { network }
}

type Written = Omit<Outgoing, 'connection'>

/** Returns a request as it goes over the wire or, without secrets, as the transcript shows it. */
function write(step: Step, known: Known, extra: readonly ExtraHeader[], secrets?: Secrets): Written {
  const { authorization, apiKey, accessToken } = carry(step.credential, secrets)
  const token =
    accessToken === undefined || secrets === undefined ? accessToken : encodeURIComponent(accessToken)
  const headers: HeaderList = [
    ['accept', 'application/json'],
    ...(authorization === undefined ? [] : [['authorization', authorization] as const]),
    ...(apiKey === undefined ? [] : [['x-api-key', apiKey] as const]),
    ...(step.idempotencyKey === undefined ? [] : [['idempotency-key', step.idempotencyKey(known)] as const]),
    ...(hasContent(step.method) ? [['content-type', step.contentType ?? 'application/json'] as const] : []),
  ]
  const more = extra
    .filter(({ name }) => !headers.some(([other]) => other === name))
    .map(({ name, value, shown }) => [name, secrets === undefined ? shown : value] as const)
  return {
    method: step.method,
    target: step.target(known) + (token === undefined ? '' : `?access_token=${token}`),
    headers: [...headers, ...more],
    body: step.body?.(known),
  }
}

/** Draws the random values of a run: its marker, a key that was never issued, and ids that no animal has. */
function draw({ key, throttleKey, random, categoryId }: Settings): { secrets: Secrets; given: Given } {
  const letters = [...random(4)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
  return {
    secrets: { key, throttleKey, unknownKey: `unknown-${hex(random(20))}` },
    given: {
      marker: `Test${letters}`,
      unknownId: (2n ** 62n + BigInt(`0x${hex(random(8))}`) / 4n).toString(),
      requestedId: (2n ** 44n + BigInt(`0x${hex(random(5))}`)).toString(),
      categoryId: categoryId?.toString(),
      throttleKeyHasLetters: /[a-z]/i.test(throttleKey ?? ''),
    },
  }
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
