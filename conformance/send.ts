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

/** The most bytes of a body that are read; names of any length are legal. */
const bodyBound = 4 * 1024 * 1024

/**
 * Makes the function that carries out one exchange: no redirect is followed, nothing is sent twice, and neither the
 * bytes nor the time of an answer can pass their bounds. What comes back goes through `redact`, messages as well.
 */
export function createSender(
  { baseUrl, fetch, timeoutMs, clock }: Settings,
  redact: (text: string) => string,
): (outgoing: Outgoing) => Promise<Exchange['outcome']> {
  return async ({ method, target, headers, body }) => {
    const start = clock.now()
    const abort = new AbortController()
    const late = new Error(`no answer within ${timeoutMs} ms`)
    const deadline = performance.now() + timeoutMs
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(late), timeoutMs)
    })
    timeout.catch(() => {})
    try {
      const request = new Request(baseUrl + target, {
        method,
        headers: [['user-agent', `${suite.name}/${suite.version}`], ...headers.map(copy)],
        redirect: 'manual',
        signal: abort.signal,
        ...(body !== undefined && { body }),
      })
      const response = await Promise.race([fetch(request), timeout])
      const read = await readBody(response, timeout, () => performance.now() > deadline)
      if (read.truncated) abort.abort()
      return {
        kind: 'response',
        response: { ...received(response, read, redact), ms: tenths(clock.now() - start) },
      }
    } catch (error) {
      abort.abort()
      return { kind: 'error', error: redact(reasonOf(error)) }
    } finally {
      clearTimeout(timer)
    }
  }
}

interface ReadBody {
  readonly bytes: Uint8Array
  /** Cut off at a bound of the suite's own. */
  readonly truncated: boolean
}

/** Reads a body up to its bounds; one that breaks off by itself throws. */
async function readBody(
  response: Response,
  timeout: Promise<never>,
  isLate: () => boolean,
): Promise<ReadBody> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let truncated = false
  while (reader !== undefined && !truncated) {
    const step = await Promise.race([reader.read(), timeout.catch(() => 'late' as const)])
    if (step === 'late') truncated = true
    else if (step.done) break
    else {
      chunks.push(step.value)
      size += step.value.byteLength
      truncated = size > bodyBound || isLate()
    }
  }
  if (truncated) reader?.cancel().catch(() => {})
  return { bytes: joined(chunks, size), truncated }
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
  const cause: unknown = error.cause
  if (!(cause instanceof Error)) return error.message
  const code = 'code' in cause ? ` (${cause.code})` : ''
  return `${error.message}: ${cause.message || cause.name}${code}`
}
