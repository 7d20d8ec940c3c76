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
  /** Absent: no body, which for a POST is sent as `Content-Length: 0`. */
  readonly body: string | undefined
}

/** Carries out one exchange. Never rejects: what goes wrong is an outcome. */
export type Send = (outgoing: Outgoing) => Promise<Exchange['outcome']>

/** What stands in the place of a body that is kept nowhere. */
const notText = '[not kept: the body is not UTF-8]'
const notSafe = '[not kept: the body holds a key where it cannot be taken out]'

/**
 * Makes the function that carries out one exchange: no redirect is followed, nothing is sent twice, and neither the
 * bytes nor the time of a response can pass their bounds. What comes back goes through `redact`, messages as well.
 */
export function createSender(settings: Settings, redact: (text: string) => string): Send {
  const { baseUrl, fetch, timeoutMs, clock } = settings
  let kept = 0
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
      const read = await readBody(response.body, Math.min(mostOfBody, mostOfRun - kept), deadline)
      kept += read.bytes.byteLength
      if (read.truncated) abort.abort()
      const ms = tenths(clock.now() - start)
      const { status } = response
      return {
        kind: 'response',
        response: { status, headers: responseHeaders, ...keptBody(read, redact), ms },
      }
    } catch (error) {
      abort.abort()
      return { kind: 'error', error: shorten(redact(reasonOf(error))) }
    } finally {
      deadline.clear()
    }
  }
}

/** On every request; nothing is to be decompressed, so that what is read is what was sent. */
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

/** What a transcript keeps of a body. Of one cut off nothing: a key may end where it is cut, and no rule can read it. */
function keptBody(
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

/** Milliseconds as a transcript keeps them. */
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

/** What went wrong; `fetch` has its reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const code = 'code' in cause ? ` (${cause.code})` : ''
  return `${error.message}: ${cause.message || cause.name}${code}`
}
