import type { MaybePromise } from '../base/maybe-promise.ts'
import { BodyFailure } from '../http/errors.ts'
import type { ServiceRequest, ServiceResponse } from '../http/http.ts'

/** The members of a request that a test sets. The defaults are a `GET /v1/pets` without a key. */
export interface Asked {
  readonly method?: string
  readonly target?: string
  readonly httpVersion?: string | undefined
  readonly client?: string | undefined
  /** The headers, as pairs if a name is repeated; `host` is added unless it is set to undefined. */
  readonly headers?: Readonly<Record<string, string | undefined>> | readonly (readonly [string, string])[]
  readonly body?: string | Uint8Array
}

/** A response as a test reads it. */
export interface Received {
  readonly status: number
  /** The headers by lower-case name, repeated values joined by `, `. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

const encoder = new TextEncoder()

/** A request as a mount over HTTP/1.1 hands it over. */
export function serviceRequest(asked: Asked = {}): ServiceRequest {
  const { method = 'GET', target = '/v1/pets', headers = {}, body = '' } = asked
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const pairs: readonly (readonly [string, string | undefined])[] = Array.isArray(headers)
    ? headers
    : Object.entries({ host: 'pets.example', ...headers })
  const fields = joined([
    ...(bytes.length > 0 ? [['content-length', `${bytes.length}`] as const] : []),
    ...pairs,
  ])
  return {
    method,
    target,
    httpVersion: 'httpVersion' in asked ? asked.httpVersion : '1.1',
    client: 'client' in asked ? asked.client : '192.0.2.1',
    header: (name) => fields.get(name),
    body: async (maxBytes) => {
      if (bytes.length > maxBytes) throw new BodyFailure('body_too_large')
      return bytes
    },
  }
}

/** Hands a request to a service, and reads the response. */
export function ask(
  service: { handle(request: ServiceRequest): MaybePromise<ServiceResponse> },
  asked?: Asked,
): Promise<Received> {
  return received(service.handle(serviceRequest(asked)))
}

export async function received(response: MaybePromise<ServiceResponse>): Promise<Received> {
  const { status, rawHeaders, body = '' } = await response
  const pairs = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]] as const] : []))
  return { status, headers: joined(pairs), text: body }
}

/** Returns headers by lower-case name, without undefined ones. */
export function joined(pairs: Iterable<readonly [string, string | undefined]>): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of pairs) {
    const before = fields.get(name.toLowerCase())
    if (value !== undefined)
      fields.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`)
  }
  return fields
}

/** Returns the body of a response, parsed as JSON. */
export function json<T = unknown>({ text }: Pick<Received, 'text'>): T {
  return JSON.parse(text)
}

/** Returns the `code` of an Error; undefined for another body. */
export function readCode({ text }: Pick<Received, 'text'>): string | undefined {
  return text === '' ? undefined : JSON.parse(text).code
}

/** Returns `X-RateLimit-Remaining`. */
export function readRemaining({ headers }: Pick<Received, 'headers'>): string | undefined {
  return headers.get('x-ratelimit-remaining')
}

/** Throws a value, as an expression. */
export function fail(cause: unknown): never {
  throw cause
}
