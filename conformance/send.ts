import { mostOfBody, mostOfHeaders, mostOfRun, shorten } from './bounds.ts'
import { createDeadline } from './deadline.ts'
import type { Settings } from './options.ts'
import { type ReadBody, readBody } from './read-body.ts'
import { suite } from './suite.ts'
import { readJson } from './transcript/json.ts'
import type { Exchange, HeaderList, ReceivedResponse } from './transcript/transcript.ts'

/** A request as it goes over the wire, secrets included. */
export interface Outgoing {
  readonly method: string
  /** Path and query below the base address. */
  readonly target: string
  readonly headers: HeaderList
  /** `undefined`: no body, which a POST sends as `Content-Length: 0`. */
  readonly body: string | undefined
}

/** Sends one request. Never rejects: an error is an outcome too. */
export type Send = (outgoing: Outgoing) => Promise<Exchange['outcome']>

/** What replaces a body that is not stored. */
const notText = '[not stored: the body is not UTF-8]'
const notSafe = '[not stored: a key in the body cannot be redacted]'

/**
 * Returns the function that sends one request. It follows no redirect, sends nothing twice, and bounds the bytes and
 * the time of a response. Every text of a response, and every message, passes through `redact`.
 */
export function createSender(settings: Settings, redact: (text: string) => string): Send {
  const { baseUrl, fetch, timeoutMs, clock } = settings
  let retained = 0
  return async ({ method, target, headers, body }) => {
    const start = clock.now()
    const deadline = createDeadline(timeoutMs)
    const abort = new AbortController()
    try {
      const request = new Request(baseUrl + target, {
        method,
        headers: [...fixedHeaders, ...headers].map(copy),
        redirect: 'manual',
        signal: abort.signal,
        ...(body !== undefined && { body }),
      })
      const response = await Promise.race([fetch(request), deadline.passed])
      const responseHeaders = readHeaders(response.headers, redact)
      const read = await readBody(response.body, Math.min(mostOfBody, mostOfRun - retained), deadline)
      retained += read.bytes.byteLength
      if (read.truncated) abort.abort()
      const ms = tenths(clock.now() - start)
      const { status } = response
      return {
        kind: 'response',
        response: { status, headers: responseHeaders, ...storedBody(read, redact), ms },
      }
    } catch (error) {
      abort.abort()
      return { kind: 'error', error: shorten(redact(reasonOf(error))) }
    } finally {
      deadline.clear()
    }
  }
}

/** The headers of every request. No response is to be compressed, so that the suite reads the bytes that were sent. */
const fixedHeaders: HeaderList = [
  ['user-agent', `${suite.name}/${suite.version}`],
  ['accept-encoding', 'identity'],
]

function readHeaders(headers: Headers, redact: (text: string) => string): HeaderList {
  const all = [...headers]
  const size = all.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (size > mostOfHeaders) throw new RangeError(`the headers are larger than ${mostOfHeaders / 1024} KiB`)
  return all.map(([name, value]) => [redact(name), redact(value)] as const)
}

/** What a transcript stores of a body. A truncated body is empty: no rule can judge it, and part of a key may be in it. */
function storedBody(
  { bytes, truncated }: ReadBody,
  redact: (text: string) => string,
): Pick<ReceivedResponse, 'body' | 'utf8' | 'truncated' | 'withheld'> {
  const text = utf8Text(bytes)
  if (text === undefined) return { body: notText, utf8: false, truncated }
  const body = redact(text)
  return body !== text && isJson(text) && !isJson(body)
    ? { body: notSafe, utf8: true, truncated, withheld: true }
    : { body, utf8: true, truncated }
}

/** Milliseconds as a transcript stores them, rounded to tenths. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

function copy([name, value]: HeaderList[number]): [string, string] {
  return [name, value]
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function isJson(text: string): boolean {
  return readJson(text) !== undefined
}

/** Describes an error; the reason of `fetch` is in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const code = 'code' in cause ? ` (${cause.code})` : ''
  return `${error.message}: ${cause.message || cause.name}${code}`
}
