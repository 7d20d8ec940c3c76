import { carry } from './credentials.ts'
import { type Given, learn } from './known.ts'
import type { Settings } from './options.ts'
import { createRedactor } from './redact/redactor.ts'
import { type Secrets, secretsOf } from './secrets.ts'
import { createSender, type Outgoing, tenths } from './send.ts'
import type { Known, Step } from './steps.ts'
import type { Exchange, HeaderList, Transcript } from './transcript/transcript.ts'

/** Sends the requests of one run and records its transcript. */
export interface Exchanger {
  /** Sends the request of a step, unless the run has ended. The response may end the run. */
  exchange(step: Step): Promise<Exchange | undefined>
  transcript(): Transcript
  known(): Known
  hasEnded(): boolean
}

/** The pause between two requests, in milliseconds. */
const spacing = 10
/** The run ends after so many exchanges in a row without a complete response. */
const mostErrors = 3

/** Starts a run: reads the clock, and draws the marker, the ids and the unknown key. */
export function createExchanger(settings: Settings): Exchanger {
  const { clock, maxRequests = Number.POSITIVE_INFINITY } = settings
  const start = clock.now()
  const { secrets, given } = draw(settings)
  settings.onStart?.({ marker: given.marker })
  const send = createSender(settings, createRedactor(secretsOf(secrets)))
  const exchanges: Exchange[] = []
  let endedEarly: string | undefined
  let learnt: Known | undefined

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
    exchanges: [...exchanges],
  })
  const known = (): Known => (learnt ??= learn(transcript(), given))

  return {
    transcript,
    known,
    hasEnded: () => endedEarly !== undefined,
    async exchange(step) {
      if (endedEarly === undefined && exchanges.length >= maxRequests) {
        endedEarly = `the budget of ${maxRequests} requests is spent: raise --max-requests`
      }
      if (endedEarly !== undefined) return undefined
      if (exchanges.length > 0) await clock.sleep(spacing)
      const facts = known()
      const at = tenths(clock.now() - start)
      const outcome = await send(write(step, facts, secrets))
      const { method, target, headers, body } = write(step, facts)
      const request = { method, target, headers, ...(body !== undefined && { body }) }
      const exchange = { id: step.id, credential: step.credential, at, request, outcome }
      exchanges.push(exchange)
      learnt = undefined
      endedEarly = reasonToEnd(exchanges, step)
      return exchange
    },
  }
}

function reasonToEnd(exchanges: readonly Exchange[], { id, mayBeRateLimited }: Step): string | undefined {
  const last = exchanges.at(-1)?.outcome
  if (last?.kind === 'response' && last.response.status === 429 && !mayBeRateLimited) {
    return `${id} returned 429: wait until the limit resets, then run again`
  }
  const recent = exchanges.slice(-mostErrors).map(({ outcome }) => outcome)
  if (last?.kind !== 'error' || recent.filter(({ kind }) => kind === 'error').length < mostErrors) {
    return undefined
  }
  return `${mostErrors} requests in a row had no complete response (${last.error}): check the base address and the network`
}

/** Returns a request as it goes over the wire or, without secrets, as the transcript shows it. */
function write(step: Step, known: Known, secrets?: Secrets): Outgoing {
  const { authorization, accessToken } = carry(step.credential, secrets)
  const token =
    accessToken === undefined || secrets === undefined ? accessToken : encodeURIComponent(accessToken)
  const headers: HeaderList = [
    ['accept', 'application/json'],
    ...(authorization === undefined ? [] : [['authorization', authorization] as const]),
    ...(step.method === 'POST' ? [['content-type', step.contentType ?? 'application/json'] as const] : []),
  ]
  return {
    method: step.method,
    target: step.target(known) + (token === undefined ? '' : `?access_token=${token}`),
    headers,
    body: step.body?.(known),
  }
}

/** Draws the random values of a run: its marker, a key that was never issued, and ids that no animal has. */
function draw({ key, throttleKey, random, categoryId }: Settings): { secrets: Secrets; given: Given } {
  const letters = [...random(6)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
  return {
    secrets: { key, throttleKey, unknownKey: `unknown-${hex(random(20))}` },
    given: {
      marker: `Trial ${letters}`,
      unknownId: (2n ** 62n + BigInt(`0x${hex(random(8))}`) / 4n).toString(),
      requestedId: (2n ** 44n + BigInt(`0x${hex(random(5))}`)).toString(),
      categoryId: categoryId?.toString(),
    },
  }
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
