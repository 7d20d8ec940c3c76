import type { Transport } from '../network/transport.ts'
import { createRedactor } from '../redact/redactor.ts'
import { hasContent, isSafe, type Known, type Step } from '../steps/step.ts'
import { type Given, learn } from '../transcript/known.ts'
import type {
  Exchange,
  HeaderList,
  NetworkUse,
  Outcome,
  SentRequest,
  Transcript,
} from '../transcript/transcript.ts'
import { retryAfter } from '../transcript/waits.ts'
import type { ExtraHeader } from './extra-headers.ts'
import type { Settings } from './options.ts'
import { createPace } from './pace.ts'
import { type Carrier, carry, type Secrets, secretsOf, secretsOfNetwork } from './secrets.ts'
import { createSender, type Outgoing, type Sent, tenths } from './send.ts'
import { createDoubt, isRateLimited, isSurprise, reasonToEnd } from './surprises.ts'

/** Sends the requests of one run and records its transcript. */
export interface Exchanger {
  /** Sends the request of a step, unless the run has ended. The response may end the run. */
  exchange(step: Step): Promise<Exchange | undefined>
  /** Returns the transcript of the run, which has ended. */
  transcript(): Transcript
  /** Returns what the exchanges so far have shown. Nothing is read again before the next one. */
  soFar(): { readonly transcript: Transcript; readonly known: Known }
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
  const isDoubtful = createDoubt()
  const exchanges: Exchange[] = []
  let requests = 0
  let endedEarly: string | undefined
  /** What the exchanges so far have shown; `undefined` after one more. */
  let shown: { readonly transcript: Transcript; readonly known: Known } | undefined

  const transcript = (): Transcript => ({
    version: 1,
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
  const soFar = (): NonNullable<typeof shown> => {
    if (shown === undefined) {
      const now = transcript()
      shown = { transcript: now, known: learn(now, given) }
    }
    return shown
  }
  const isSpent = (): boolean => requests >= maxRequests

  /** Whether remains of the last exchange, which one with a body may leave, could be told from a response. */
  const mayMeetRemains = ({ shown, step }: Prepared): boolean =>
    isSafe(exchanges.at(-1)?.request.method ?? 'GET') ||
    (!step.mayBeRateLimited && isSurprise({ ...step, target: shown.target }, 400))

  /** Sends the request of a step once, unless the run is interrupted. */
  const sendOnce = async (prepared: Prepared, isFirst: boolean): Promise<Dated | undefined> => {
    const { step, shown, wire } = prepared
    await pace.beforeRequest(step.id, step.credential)
    if (settings.signal?.aborted) return undefined
    requests += 1
    settings.onRequest?.({ number: requests, method: shown.method, target: shown.target })
    const at = tenths(clock.now() - start)
    // one that is not safe opens a connection, as it cannot be sent again if the last one is closed
    const continues = isFirst && isSafe(step.method) && mayMeetRemains(prepared)
    const sent = await send({ ...wire, isFresh: !continues })
    pace.afterResponse(step.credential, sent.outcome)
    const { isReused, failure } = sent
    const isKnown = continues && exchanges.length > 0 && isReused !== undefined
    return { ...sent, at, ...(isKnown && { continues: isReused && failure !== 'closed' }) }
  }

  /** Sends the request of a step, a GET again where that is called for. */
  const carryOut = async (prepared: Prepared): Promise<Carried | undefined> => {
    const { step, shown } = prepared
    let last: Dated | undefined
    let doubted: Dated | undefined
    for (let times = 1; ; times++) {
      const sent = await sendOnce(prepared, times === 1)
      if (sent === undefined) return last && carried(last, times - 1)
      last = sent
      const mayRepeat = !step.mayBeRateLimited && !isSpent()
      const isLimited = mayRepeat && isRateLimited(sent.outcome) && step.credential !== 'throttle-key'
      if (isLimited && (await waitOut(step, sent))) {
        if (!isSafe(step.method)) return { at: sent.at, outcome: notSentAgain(step.method) }
      } else if (
        doubted === undefined &&
        mayRepeat &&
        isDoubtful({ ...step, target: shown.target }, sent, exchanges.at(-1))
      ) {
        doubted = sent
      } else {
        return carried(sent, times, doubted)
      }
    }
  }

  const waitOut = ({ id }: Step, limited: Dated): Promise<boolean> =>
    pace.waitOut(id, retryAfter(soFar().transcript, limited))

  return {
    transcript,
    soFar,
    requests: () => requests,
    hasEnded: () => endedEarly !== undefined,
    async exchange(step) {
      if (endedEarly === undefined && isSpent()) {
        endedEarly = `the budget of ${maxRequests} requests is spent: raise --max-requests`
      }
      if (endedEarly !== undefined) return undefined
      const prepared = prepare(step, soFar().known, settings.headers, secrets)
      const carried = await carryOut(prepared)
      if (settings.signal?.aborted) endedEarly = 'it was interrupted: run it again'
      if (carried === undefined) return undefined
      const exchange = { id: step.id, credential: step.credential, request: prepared.shown, ...carried }
      exchanges.push(exchange)
      shown = undefined
      endedEarly ??= reasonToEnd(exchanges, step)
      settings.onExchange?.(exchange)
      return exchange
    },
  }
}

/** A step, and its request without secrets and with them. */
interface Prepared {
  readonly step: Step
  readonly shown: SentRequest
  readonly wire: Omit<Outgoing, 'isFresh'>
}

type Dated = Sent & Pick<Exchange, 'at' | 'continues'>
type Carried = Pick<Exchange, 'at' | 'times' | 'continues' | 'remains' | 'outcome'>

/** @param doubted What came the first time, if the request was sent again to tell whether that was the response. */
function carried(last: Dated, times: number, doubted?: Dated): Carried {
  const { at, outcome } = last
  const [first, second] = [doubted?.outcome, outcome].map((one) => one && resultOf(one))
  const { continues } = doubted ?? last
  return {
    at,
    ...(times > 1 && { times }),
    ...(continues !== undefined && { continues }),
    ...(continues && first !== undefined && first !== second && { remains: first }),
    outcome,
  }
}

/** Returns what came of a request, in short. */
function resultOf(outcome: Outcome): string {
  return outcome.kind === 'error' ? outcome.error : String(outcome.response.status)
}

function notSentAgain(method: string): Outcome {
  return { kind: 'error', error: `rejected with 429, which was waited out: a ${method} is not sent again` }
}

function networkUse({ tls, proxy }: Settings): Pick<Transcript, 'network'> {
  const network: NetworkUse = {
    ...(tls.rejectUnauthorized === false && { insecure: true }),
    ...(proxy !== undefined && { proxy: proxy.origin }),
  }
  return Object.keys(network).length === 0 ? {} : { network }
}

/** Writes the request of a step as the transcript shows it, and as it goes over the wire. */
function prepare(step: Step, known: Known, extra: readonly ExtraHeader[], secrets: Secrets): Prepared {
  const { method, idempotencyKey, contentType = 'application/json' } = step
  const [target, body] = [step.target(known), step.body?.(known)]
  const more: HeaderList = [
    ...(idempotencyKey === undefined ? [] : [['idempotency-key', idempotencyKey(known)] as const]),
    ...(hasContent(method) ? [['content-type', contentType] as const] : []),
  ]
  const write = (carried: Carrier, textOf: (header: ExtraHeader) => string): SentRequest => {
    const headers: HeaderList = [['accept', 'application/json'], ...carried.headers, ...more]
    const others = extra.filter(({ name }) => !headers.some(([other]) => other === name))
    return {
      method,
      target: target + carried.query,
      headers: [...headers, ...others.map((header) => [header.name, textOf(header)] as const)],
      ...(body !== undefined && { body }),
    }
  }
  const wire = write(carry(step.credential, secrets), ({ value }) => value)
  return {
    step,
    shown: write(carry(step.credential), ({ shown }) => shown),
    wire: { body: undefined, ...wire },
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
