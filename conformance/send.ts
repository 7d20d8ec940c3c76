import { createDeadline, type Deadline } from './deadline.ts'
import type { Settings } from './options.ts'
import { suite } from './suite.ts'
import type { Exchange, HeaderList, ReceivedResponse } from './transcript.ts'

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

/** The most bytes of a body that are read; names of any length are legal. */
const bodyBound = 4 * 1024 * 1024

/**
 * Makes the function that carries out one exchange: no redirect is followed, nothing is sent twice, and neither the
 * bytes nor the time of an answer can pass their bounds. What comes back goes through `redact`, messages as well.
 */
export function createSender(settings: Settings, redact: (text: string) => string): Send {
  const { baseUrl, fetch, timeoutMs, clock } = settings
  return async ({ method, target, headers, body }) => {
    const start = clock.now()
    const deadline = createDeadline(timeoutMs)
    const abort = new AbortController()
    try {
      const request = new Request(baseUrl + target, {
        method,
        headers: [['user-agent', `${suite.name}/${suite.version}`], ...headers.map(copy)],
        redirect: 'manual',
        signal: abort.signal,
        ...(body !== undefined && { body }),
      })
      const response = await Promise.race([fetch(request), deadline.passed])
      const read = await readBody(response, deadline)
      if (read.truncated) abort.abort()
      const ms = tenths(clock.now() - start)
      return { kind: 'response', response: { ...received(response, read, redact), ms } }
    } catch (error) {
      abort.abort()
      return { kind: 'error', error: redact(reasonOf(error)) }
    } finally {
      deadline.clear()
    }
  }
}

interface ReadBody {
  readonly bytes: Uint8Array
  /** Cut off at the bound. */
  readonly truncated: boolean
}

/** Reads a body up to the bound; one that breaks off, or takes longer than it may, throws. */
async function readBody({ body }: Response, deadline: Deadline): Promise<ReadBody> {
  const reader = body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (reader !== undefined && size <= bodyBound) {
      deadline.check()
      const { done, value } = await Promise.race([reader.read(), deadline.passed])
      if (done) break
      chunks.push(value)
      size += value.byteLength
    }
  } finally {
    reader?.cancel().catch(() => {})
  }
  return { bytes: joined(chunks, size), truncated: size > bodyBound }
}

function received(
  { status, headers }: Response,
  { bytes, truncated }: ReadBody,
  redact: (text: string) => string,
): Omit<ReceivedResponse, 'ms'> {
  return {
    status,
    headers: [...headers].map(([name, value]) => [redact(name), redact(value)] as const),
    // a part may end within a secret, where it is not recognised, and no rule can read it
    body: truncated ? '' : redact(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
    utf8: isUtf8(bytes),
    truncated,
  }
}

/** Milliseconds as a transcript keeps them. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

function copy([name, value]: HeaderList[number]): [string, string] {
  return [name, value]
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/** What went wrong; `fetch` has its reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const code = 'code' in cause ? ` (${cause.code})` : ''
  return `${error.message}: ${cause.message || cause.name}${code}`
}
