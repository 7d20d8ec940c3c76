import { describeError } from '../network/advice.ts'
import type { BodyBytes } from '../network/read-body.ts'
import { createDeadline } from '../network/read-body.ts'
import type { FailureKind, Transport, WireRequest } from '../network/transport.ts'
import { redactBody, redactHeader } from '../redact/evidence.ts'
import { suite } from '../suite.ts'
import { maxBodyBytes, maxRunBytes, maxStoredLength, shorten } from '../transcript/bounds.ts'
import { readJson } from '../transcript/json-reader.ts'
import type { HeaderList, Outcome, ReceivedResponse } from '../transcript/transcript.ts'
import type { ResolvedOptions } from './options.ts'

/** A request that is sent as it is, with secrets. */
export interface OutgoingRequest
  extends Pick<WireRequest, 'method' | 'headers' | 'body' | 'opensConnection' | 'beforeSend'> {
  /** Path and query below the base URL. */
  readonly target: string
}

/** Outcome of a request, and how its connection was used. */
export interface SendResult {
  readonly outcome: Outcome
  /** When the request was sent, in milliseconds by `clock.elapsed`. */
  readonly start: number
  /** Whether the request reused a connection. `undefined` if that is not known. */
  readonly isReused: boolean | undefined
  /** How the connection failed. Set if there is no response. */
  readonly failure?: FailureKind
}

/** Sends one request and records the outcome without secrets. Errors are recorded as well. */
export type Send = (outgoing: OutgoingRequest) => Promise<SendResult>

const notUtf8 = '[not stored: the body is not UTF-8]'
const notRedactable = '[not stored: a key in the body cannot be redacted]'

/**
 * Creates the function that sends a run's requests. It follows no redirects, sends nothing twice, and limits the bytes
 * and the time of each response. `redact` replaces secrets in everything that is recorded.
 */
export function createSender(
  { baseUrl, timeoutMs, clock }: ResolvedOptions,
  transport: Transport,
  redact: (text: string) => string,
): Send {
  let retainedBytes = 0
  return async ({ target, headers, beforeSend, ...outgoing }) => {
    let start = clock.elapsed()
    const requestDeadline = createDeadline(timeoutMs)
    const receivedResponse = await transport.send({
      ...outgoing,
      ...(beforeSend && {
        beforeSend: async () => {
          await beforeSend()
          start = clock.elapsed()
        },
      }),
      url: new URL(baseUrl + target),
      headers: [...fixedHeaders.filter(([name]) => !headers.some(([other]) => other === name)), ...headers],
      maxBytes: Math.min(maxBodyBytes, maxRunBytes - retainedBytes),
      deadline: requestDeadline,
    })
    requestDeadline.clear()
    const { isReused } = receivedResponse
    const durationMs = roundToTenths(clock.elapsed() - start)
    if (receivedResponse.kind === 'error') {
      const errorText = shorten(redact(describeError(receivedResponse.error)))
      return {
        outcome: { error: errorText, ms: durationMs },
        start,
        isReused,
        failure: receivedResponse.failure,
      }
    }
    const { status, body } = receivedResponse
    retainedBytes += body.bytes.byteLength
    const response = {
      status,
      headers: receivedResponse.headers.map((header) => redactHeader(header, redact)),
      ...toStoredBody(body, redact),
      ms: durationMs,
    }
    return { outcome: { response }, start, isReused }
  }
}

/** Headers on every request, unless the caller sets them. Compression would hide the body's size. */
const fixedHeaders: HeaderList = [
  ['user-agent', `${suite.name}/${suite.version}`],
  ['accept-encoding', 'identity'],
]

/**
 * Returns the body to record. A body that is not UTF-8 is dropped, and so is one that redaction makes invalid or too
 * long.
 */
function toStoredBody(
  { bytes, truncated }: BodyBytes,
  redact: (text: string) => string,
): Pick<ReceivedResponse, 'body' | 'utf8' | 'truncated' | 'withheld'> {
  const decodedBody = decodeUtf8(bytes)
  if (decodedBody === undefined) return { body: notUtf8, utf8: false, truncated }
  const body = redactBody(decodedBody, redact)
  const isBroken = body !== decodedBody && readJson(decodedBody) !== undefined && readJson(body) === undefined
  return isBroken || body.length > maxStoredLength
    ? { body: notRedactable, utf8: true, truncated, withheld: true }
    : { body, utf8: true, truncated }
}

/** Rounds a time to tenths of a millisecond. */
export function roundToTenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
