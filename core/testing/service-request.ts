import { BodyFailure } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'

/** The members of a request that a test sets. The others are those of a `GET /v1/pets` without a key. */
export interface Asked {
  readonly method?: string
  readonly target?: string
  readonly httpVersion?: string | undefined
  readonly client?: string | undefined
  /** In pairs where a name is repeated; `host` is there unless it is set to undefined. */
  readonly headers?: Readonly<Record<string, string | undefined>> | readonly (readonly [string, string])[]
  readonly body?: string | Uint8Array
}

const encoder = new TextEncoder()

/** A request as a mount over HTTP/1.1 hands it over. */
export function serviceRequest(asked: Asked = {}): ServiceRequest {
  const { method = 'GET', target = '/v1/pets', body = '' } = asked
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const headers = fields(asked.headers ?? {}, bytes.length)
  return {
    method,
    target,
    httpVersion: 'httpVersion' in asked ? asked.httpVersion : '1.1',
    client: 'client' in asked ? asked.client : '192.0.2.1',
    header: (name) => headers.get(name),
    body: async (maxBytes) => {
      if (bytes.length > maxBytes) throw new BodyFailure('body_too_large')
      return bytes
    },
  }
}

function fields(given: NonNullable<Asked['headers']>, length: number): ReadonlyMap<string, string> {
  const pairs: readonly (readonly [string, string | undefined])[] = Array.isArray(given)
    ? given
    : Object.entries({ host: 'pets.example', ...given })
  const joined = new Map<string, string>(length > 0 ? [['content-length', String(length)]] : [])
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    const before = joined.get(key)
    if (value !== undefined) joined.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return joined
}
