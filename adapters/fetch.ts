import { BodyFailure, type PetService, type ServiceRequest, type ServiceResponse } from '../core/index.ts'

/** How `createFetchHandler` is set up; everything has a default. */
export interface FetchHandlerOptions<Info> {
  /** Answers what is outside the base path; by default the service does, with a 404. */
  readonly fallback?: (request: Request, info?: Info) => Response | Promise<Response>
  /**
   * Tells the peer's address from what the platform hands over beside the request. By default that of `Deno.serve`
   * (`info.remoteAddr.hostname`) and `Bun.serve` (`server.requestIP(request)`); elsewhere none is known, and strangers
   * share one bucket.
   */
  readonly client?: (request: Request, info?: Info) => string | undefined
  /** How long a body may take to arrive, in milliseconds; 30,000 by default. */
  readonly bodyTimeoutMs?: number
}

/**
 * Mounts the service where requests come as the Fetch API has them: `Deno.serve`, `Bun.serve`, a Workers `fetch`,
 * Hono, a route handler. The promise never rejects, unless the `fallback` does.
 */
export function createFetchHandler<Info = unknown>(
  service: PetService,
  options: FetchHandlerOptions<Info> = {},
): (request: Request, info?: Info) => Promise<Response> {
  const { fallback } = options
  const outside = fallback && (async (request: Request, info?: Info) => fallback(request, info))
  const settings = { client: options.client ?? peerAddress, bodyTimeoutMs: options.bodyTimeoutMs ?? 30_000 }
  return (request, info) => {
    const asked = new FetchRequest(request, info, settings)
    if (outside && !service.owns(asked.target)) return outside(request, info)
    const answer = service.handle(asked)
    const respond = (decided: ServiceResponse) =>
      new Promise<void>(atEndOfTurn).then(() => toResponse(decided, asked.method))
    return answer instanceof Promise ? answer.then(respond) : respond(answer) // an async function took a tenth longer
  }
}

/**
 * Where a platform can wait for it: then the requests that came at once are decided before the first is answered, as on
 * node:http, and Deno and Bun answer a tenth to a quarter more a second.
 */
const atEndOfTurn: (call: () => void) => void =
  typeof setImmediate === 'function' ? (call) => void setImmediate(call) : (call) => call()

type FetchSettings<Info> = Required<Pick<FetchHandlerOptions<Info>, 'client' | 'bodyTimeoutMs'>>

/** A class, so that a request costs one object and no closures: an object with a getter took 2 µs more on Deno. */
class FetchRequest<Info> implements ServiceRequest {
  readonly method: string
  readonly target: string
  readonly httpVersion: undefined
  readonly #request: Request
  readonly #info: Info | undefined
  readonly #settings: FetchSettings<Info>

  constructor(request: Request, info: Info | undefined, settings: FetchSettings<Info>) {
    this.method = request.method
    this.target = targetOf(request.url)
    this.#request = request
    this.#info = info
    this.#settings = settings
  }

  get client(): string | undefined {
    return this.#settings.client(this.#request, this.#info)
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  body(maxBytes: number): Promise<Uint8Array> {
    return readBody(this.#request, maxBytes, this.#settings.bodyTimeoutMs)
  }
}

const encoder = new TextEncoder()

/** The path and the query of a URL that is absolute already, without parsing it again. */
function targetOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('://') + 3)
  const fragment = url.indexOf('#', path)
  return fragment < 0 ? url.slice(path) : url.slice(path, fragment)
}

/** Headers in a record: from pairs Deno takes twice as long. */
function toResponse({ status, headers, body }: ServiceResponse, method: string): Response {
  const fields: Record<string, string> = {}
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? ''
    const before = fields[name]
    fields[name] = before === undefined ? (headers[i + 1] ?? '') : `${before}, ${headers[i + 1]}`
  }
  if (method !== 'HEAD') return new Response(body, { status, headers: fields })
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  fields['Content-Length'] = String(bytes?.length ?? 0)
  return new Response(null, { status, headers: fields })
}

/** Bounds a body in size and in time, since not every platform does. */
async function readBody(request: Request, maxBytes: number, timeoutMs: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared === '0' || (declared === null && !request.body)) return new Uint8Array()
  if (request.bodyUsed) throw readAlready()
  const read = declared !== null && Number(declared) <= maxBytes ? readWhole : readInParts
  const { late, end } = startDeadline(timeoutMs)
  try {
    return await read(request, maxBytes, late)
  } finally {
    end()
  }
}

/** The timer waits for the end of the turn, by which most bodies are there: on Deno it takes as long as reading one. */
function startDeadline(ms: number): { readonly late: Promise<undefined>; end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const late = new Promise<undefined>((resolve) => {
    atEndOfTurn(() => {
      if (!isOver) timer = setTimeout(() => resolve(undefined), ms)
    })
  })
  return {
    late,
    end() {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** Reads a body whose length is declared, and held to that by the platform: in a third of the time that its parts take. */
async function readWhole(request: Request, _maxBytes: number, late: Promise<undefined>): Promise<Uint8Array> {
  const arriving = request.arrayBuffer()
  if (!request.bodyUsed) {
    arriving.catch(() => {})
    throw readAlready()
  }
  const whole = await Promise.race([arriving, late]).catch(brokenOff)
  if (!whole) throw new BodyFailure('request_timeout')
  return new Uint8Array(whole)
}

async function readInParts(
  request: Request,
  maxBytes: number,
  late: Promise<undefined>,
): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  if (request.body.locked) throw readAlready()
  const reader = request.body.getReader()
  try {
    // One race for the whole body: a race for each part would leave a reaction on `late` each time.
    const whole = await Promise.race([collect(reader, maxBytes), late])
    if (whole) return whole
    throw new BodyFailure('request_timeout')
  } catch (cause) {
    reader.cancel().catch(() => {})
    throw cause
  }
}

/** Copies each part into one buffer that doubles: a list of parts of one byte costs 400 times the body. */
async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  let buffer = new Uint8Array()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) return buffer.subarray(0, size)
    const end = size + value.length
    if (end > maxBytes) throw new BodyFailure('body_too_large')
    if (end > buffer.length) {
      const larger = new Uint8Array(Math.max(end, Math.min(2 * buffer.length, maxBytes)))
      larger.set(buffer.subarray(0, size))
      buffer = larger
    }
    buffer.set(value, size)
    size = end
  }
}

function readAlready(): Error {
  return new Error('The body has been read already: hand the request over before anything else reads it.')
}

function brokenOff(cause: unknown): never {
  throw new BodyFailure('invalid_request', { cause })
}

/** What `Deno.serve` and `Bun.serve` hand over beside a request, as far as it tells the peer. */
interface PlatformInfo {
  readonly remoteAddr?: { readonly hostname?: string }
  requestIP?(request: Request): { readonly address: string } | null
}

function peerAddress(request: Request, info: unknown): string | undefined {
  if (typeof info !== 'object' || info === null) return undefined
  const platform = info as PlatformInfo // every member is optional, and checked by its use
  return platform.remoteAddr?.hostname ?? platform.requestIP?.(request)?.address
}
