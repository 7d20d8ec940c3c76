import { describeError } from '../network/advice.ts'
import type { ReadBody } from '../network/read-body.ts'
import { createDeadline } from '../network/read-body.ts'
import type { Failure, Transport, WireRequest } from '../network/transport.ts'
import { redactBody, redactHeader } from '../redact/evidence.ts'
import { suite } from '../suite.ts'
import { mostOfBody, mostOfRun, shorten } from '../transcript/bounds.ts'
import { readJson } from '../transcript/json-reader.ts'
import type { HeaderList, Outcome, ReceivedResponse } from '../transcript/transcript.ts'
import type { ResolvedOptions } from './options.ts'

/** A request as it goes over the wire, secrets included. */
export interface Outgoing extends Pick<WireRequest, 'method' | 'headers' | 'body' | 'isFresh'> {
  /** Path and query below the base URL. */
  readonly target: string
}

/** The result of a request, without secrets, and the state of its connection. */
export interface Sent {
  readonly outcome: Outcome
  /** Set if it continued on the connection of the last request; `undefined` if that is not known. */
  readonly isReused: boolean | undefined
  /** Set if no response came. */
  readonly failure?: Failure
}

/** Sends one request. Never rejects: an error is an outcome too. */
export type Send = (outgoing: Outgoing) => Promise<Sent>

/** The texts that replace a body that is not stored. */
const notText = '[not stored: the body is not UTF-8]'
const notSafe = '[not stored: a key in the body cannot be redacted]'

/**
 * Returns the function that sends one request. It follows no redirect, sends nothing twice, and bounds the bytes and
 * the time of a response. Every text of a response, and every message, passes through `redact`.
 */
export function createSender(
  { baseUrl, timeoutMs, clock }: ResolvedOptions,
  transport: Transport,
  redact: (text: string) => string,
): Send {
  let retained = 0
  return async ({ target, headers, ...outgoing }) => {
    const start = clock.elapsed()
    const deadline = createDeadline(timeoutMs)
    const received = await transport.send({
      ...outgoing,
      url: new URL(baseUrl + target),
      headers: [...fixedHeaders.filter(([name]) => !headers.some(([other]) => other === name)), ...headers],
      most: Math.min(mostOfBody, mostOfRun - retained),
      deadline,
    })
    deadline.clear()
    const { isReused } = received
    if (received.kind === 'error') {
      const error = shorten(redact(describeError(received.error)))
      return { outcome: { kind: 'error', error }, isReused, failure: received.failure }
    }
    const { status, body } = received
    retained += body.bytes.byteLength
    const response = {
      status,
      headers: received.headers.map((header) => redactHeader(header, redact)),
      ...storedBody(body, redact),
      ms: roundToTenths(clock.elapsed() - start),
    }
    return { outcome: { kind: 'response', response }, isReused }
  }
}

/** The headers of every request. No response is to be compressed, so that the suite reads the bytes that were sent. */
const fixedHeaders: HeaderList = [
  ['user-agent', `${suite.name}/${suite.version}`],
  ['accept-encoding', 'identity'],
]

/** Returns the body to record. A truncated body is dropped: it may contain part of a key. */
function storedBody(
  { bytes, truncated }: ReadBody,
  redact: (text: string) => string,
): Pick<ReceivedResponse, 'body' | 'utf8' | 'truncated' | 'withheld'> {
  const text = utf8Text(bytes)
  if (text === undefined) return { body: notText, utf8: false, truncated }
  const body = redactBody(text, redact)
  return body !== text && readJson(text) !== undefined && readJson(body) === undefined
    ? { body: notSafe, utf8: true, truncated, withheld: true }
    : { body, utf8: true, truncated }
}

/** Milliseconds as a transcript stores them, rounded to tenths. */
export function roundToTenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
