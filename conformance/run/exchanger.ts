import { Buffer } from 'node:buffer'
import type { Transport } from '../network/transport.ts'
import { type Redact, redactBody, redactUrl } from '../redact/evidence.ts'
import type { Known, Step } from '../steps/step.ts'
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
import type { ResolvedOptions } from './options.ts'
import { createPace } from './pace.ts'
import { type Carrier, carry, createRunRedactor, type Secrets } from './secrets.ts'
import { createSender, type Outgoing, roundToTenths, type Sent } from './send.ts'
import { createDoubt, findReasonToEnd, isRateLimited, isSurprise } from './surprises.ts'
import { createKeyAlike } from './unknown-key.ts'

/** Sends the requests of one run and records its transcript. */
export interface Exchanger {
  /** Sends the request of a step, unless the run has ended. The response may end the run. */
  exchange(step: Step): Promise<Exchange | undefined>
  /** Returns the transcript so far, and its facts. Nothing is read again before the next exchange. */
  soFar(): SoFar
}

interface SoFar {
  readonly transcript: Transcript
  readonly known: Known
}

/** Starts a run: reads the clock, and draws the marker, the ids and the unknown key. */
export function createExchanger(settings: ResolvedOptions, transport: Transport): Exchanger {
  const { baseUrl, profile, plan, clock, maxRequests = Number.POSITIVE_INFINITY } = settings
  const [start, begin] = [clock.now(), clock.elapsed()]
  const startedAt = new Date(start)
  const { secrets, given } = draw(settings)
  const { marker, categoryId } = given
  settings.onStart?.({ marker })
  const redact = createRunRedactor(settings, secrets)
  const send = createSender(settings, transport, redact)
  const pace = createPace(settings)
  const isDoubtful = createDoubt()
  const exchanges: Exchange[] = []
  let requests = 0
  let endedEarly: string | undefined
  let shown: SoFar | undefined

  const soFar = (): SoFar => {
    if (shown !== undefined) return shown
    const transcript: Transcript = {
      version: 1,
      baseUrl: redactUrl(baseUrl, redact),
      profile,
      ...(plan !== undefined && { plan }),
      startedAt: startedAt.toISOString(),
      now: (settings.now ?? startedAt).toISOString(),
      durationMs: roundToTenths(clock.elapsed() - begin),
      marker,
      ...(categoryId !== undefined && { categoryId }),
      ...(endedEarly !== undefined && { endedEarly }),
      network: networkUse(settings),
      ...(pace.waits.length > 0 && { waits: [...pace.waits] }),
      exchanges: [...exchanges],
    }
    shown = { transcript, known: learn(transcript, given) }
    return shown
  }
  const end = (reason: string | undefined): void => {
    endedEarly ??= reason
    shown = undefined
  }
  const isSpent = (): boolean => requests >= maxRequests

  /** True if leftover bytes of the last exchange can be distinguished from a response. */
  const mayMeetLeftover = ({ step, shown }: Prepared): boolean =>
    exchanges.at(-1)?.request.method !== 'POST' ||
    (!step.mayBeRateLimited && isSurprise({ ...step, target: shown.target }, 400))

  /** Sends the request of a step once, unless the run is interrupted. */
  const sendOnce = async (prepared: Prepared, isFirst: boolean): Promise<Dated | undefined> => {
    const { step, wire } = prepared
    await pace.beforeRequest(step.id, step.credential)
    if (settings.signal?.aborted) return undefined
    requests += 1
    // by the time, as limits leak in standby too; it is not before the last request if the clock is set back
    const at = Math.max(roundToTenths(clock.now() - start), exchanges.at(-1)?.at ?? 0)
    // one that is not safe opens a connection, as it cannot be sent again if the last one is closed
    const continues = isFirst && step.method === 'GET' && mayMeetLeftover(prepared)
    const sent = await send({ ...wire, isFresh: !continues })
    pace.afterResponse(step.credential, sent.outcome)
    const { isReused, failure } = sent
    const isKnown = continues && exchanges.length > 0 && isReused !== undefined
    return { ...sent, at, ...(isKnown && { continues: isReused && failure !== 'closed' }) }
  }

  /** Sends the request of a step, and repeats a GET if necessary. */
  const carryOut = async (prepared: Prepared): Promise<Carried | undefined> => {
    const { step, shown } = prepared
    const asked = { ...step, target: shown.target }
    let last: Dated | undefined
    let doubted: Dated | undefined
    for (let times = 1; ; times++) {
      const sent = await sendOnce(prepared, times === 1)
      if (sent === undefined) return last && carried(last, times - 1)
      last = sent
      if (step.mayBeRateLimited || isSpent()) return carried(sent, times, doubted)
      const isLimited = isRateLimited(sent.outcome) && step.credential !== 'throttle-key'
      if (isLimited && (await pace.waitOut(step.id, retryAfter(soFar().transcript, sent)))) {
        if (step.method !== 'GET') return { at: sent.at, outcome: notSentAgain }
      } else if (doubted === undefined && isDoubtful(asked, sent, exchanges.at(-1))) {
        doubted = sent
      } else {
        return carried(sent, times, doubted)
      }
    }
  }

  return {
    soFar,
    async exchange(step) {
      if (isSpent()) end(`the budget of ${maxRequests} requests is spent: raise --max-requests`)
      if (endedEarly !== undefined) return undefined
      const prepared = prepare(step, soFar().known, settings.headers, secrets, redact)
      const carried = await carryOut(prepared)
      if (settings.signal?.aborted) end('it was interrupted: run it again')
      if (carried === undefined) return undefined
      const exchange = { id: step.id, credential: step.credential, request: prepared.shown, ...carried }
      exchanges.push(exchange)
      end(findReasonToEnd({ baseUrl: redactUrl(baseUrl, redact), exchanges }, step))
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
type Carried = Pick<Exchange, 'at' | 'times' | 'continues' | 'leftover' | 'outcome'>

/** @param doubted What came the first time, if the request was sent again to tell whether that was the response. */
function carried({ at, outcome, ...last }: Dated, times: number, doubted?: Dated): Carried {
  const { continues } = doubted ?? last
  const leftover = doubted && continues ? describeOutcome(doubted.outcome) : undefined
  return {
    at,
    ...(times > 1 && { times }),
    ...(continues !== undefined && { continues }),
    ...(leftover !== undefined && leftover !== describeOutcome(outcome) && { leftover }),
    outcome,
  }
}

/** Returns the outcome of a request as a short text. */
function describeOutcome(outcome: Outcome): string {
  return outcome.kind === 'error' ? outcome.error : String(outcome.response.status)
}

const notSentAgain: Outcome = {
  kind: 'error',
  error: 'rejected with 429, which was waited out: a POST is not sent again',
}

function networkUse({ tls, proxy }: ResolvedOptions): NetworkUse {
  return {
    ...(tls.rejectUnauthorized === false && { insecure: true }),
    ...(proxy !== undefined && { proxy: proxy.origin }),
  }
}

/** Writes the request of a step as the transcript shows it, and as it goes over the wire. */
function prepare(
  step: Step,
  known: Known,
  extra: readonly ExtraHeader[],
  secrets: Secrets,
  redact: Redact,
): Prepared {
  const { method, idempotencyKey, contentType = 'application/json' } = step
  const [target, body] = [step.target(known), step.body?.(known)]
  const more: HeaderList = [
    ...(idempotencyKey === undefined ? [] : [['idempotency-key', idempotencyKey(known)] as const]),
    ...(method !== 'GET' ? [['content-type', contentType] as const] : []),
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
    // the body too, so that a name that contains a key is the same in the response
    shown: {
      ...write(carry(step.credential), ({ shown }) => shown),
      ...(body !== undefined && { body: redactBody(body, redact) }),
    },
    wire: { body: undefined, ...wire },
  }
}

/** Draws the random values of a run: its marker, two keys that were never issued, and ids that no animal has. */
function draw({ key, throttleKey = '', random, categoryId }: ResolvedOptions): {
  secrets: Secrets
  given: Given
} {
  const hex = (size: number): string => Buffer.from(random(size)).toString('hex')
  const letters = [...random(4)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
  const unknownKey = `unknown-${hex(20)}`
  return {
    secrets: {
      key,
      throttleKey,
      unknownKey,
      unknownKeyAlike: createKeyAlike(key, random) ?? unknownKey,
    },
    given: {
      marker: `Test${letters}`,
      unknownId: (2n ** 62n + BigInt(`0x${hex(8)}`) / 4n).toString(),
      requestedId: (2n ** 44n + BigInt(`0x${hex(5)}`)).toString(),
      categoryId: categoryId?.toString(),
      throttleKeyHasLetters: /[a-z]/i.test(throttleKey),
    },
  }
}
