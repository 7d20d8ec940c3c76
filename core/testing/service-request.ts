import type { MaybePromise } from '../base/maybe-promise.ts'
import { BodyError } from '../http/errors.ts'
import type { ServiceRequest, ServiceResponse } from '../http/http.ts'

/** A request to a service. Omitted members have defaults. */
export interface RequestOptions {
  readonly method?: string
  readonly target?: string
  readonly httpVersion?: string | undefined
  readonly clientAddress?: string | undefined
  /** Pairs may repeat a name. */
  readonly headers?: Readonly<Record<string, string | undefined>> | readonly (readonly [string, string])[]
  readonly body?: string | Uint8Array
}

/** A response from a service. */
export interface TestResponse {
  readonly status: number
  /** Headers by lower-case name, with repeated values joined by `, `. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

const encoder = new TextEncoder()

/** Creates a request as a mount does. */
export function createServiceRequest(asked: RequestOptions = {}): ServiceRequest {
  const { method = 'GET', target = '/v1/pets', headers = {}, body = '' } = asked
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const headerPairs: readonly (readonly [string, string | undefined])[] = Array.isArray(headers)
    ? headers
    : Object.entries({ host: 'pets.example', ...headers })
  const fields = joinFields([
    ...(bytes.length > 0 ? [['content-length', `${bytes.length}`] as const] : []),
    ...headerPairs,
  ])
  return {
    method,
    target,
    httpVersion: 'httpVersion' in asked ? asked.httpVersion : '1.1',
    clientAddress: 'clientAddress' in asked ? asked.clientAddress : '192.0.2.1',
    header: (name) => fields.get(name),
    body: async (maxBytes) => {
      if (bytes.length > maxBytes) throw new BodyError('body_too_large')
      return bytes
    },
  }
}

export function sendRequest(
  service: { handle(request: ServiceRequest): MaybePromise<ServiceResponse> },
  asked?: RequestOptions,
): Promise<TestResponse> {
  return toTestResponse(service.handle(createServiceRequest(asked)))
}

export async function toTestResponse(response: MaybePromise<ServiceResponse>): Promise<TestResponse> {
  const { status, rawHeaders, body = '' } = await response
  const rawHeaderPairs = rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1]] as const] : [],
  )
  return { status, headers: joinFields(rawHeaderPairs), text: body }
}

/** Joins repeated headers. */
export function joinFields(
  pairs: Iterable<readonly [string, string | undefined]>,
): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of pairs) {
    const previousValue = fields.get(name.toLowerCase())
    if (value !== undefined)
      fields.set(name.toLowerCase(), previousValue === undefined ? value : `${previousValue}, ${value}`)
  }
  return fields
}

export function parseJsonText<T = unknown>({ text }: Pick<TestResponse, 'text'>): T {
  return JSON.parse(text)
}

/** Returns the error code in a response, or `undefined` if there is none. */
export function readCode({ text }: Pick<TestResponse, 'text'>): string | undefined {
  return text === '' ? undefined : JSON.parse(text).code
}

export function readRemaining({ headers }: Pick<TestResponse, 'headers'>): string | undefined {
  return headers.get('x-ratelimit-remaining')
}

export function throwError(cause: unknown): never {
  throw cause
}
