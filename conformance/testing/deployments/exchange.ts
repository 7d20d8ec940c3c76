import { type Json, writeJson } from './json.ts'
import { mainKey, throttleKey, type World } from './world.ts'

/** A request as the deployment reads it. */
export interface ApiRequest {
  readonly method: string
  readonly operation: 'listPets' | 'createPet' | 'getPet' | 'none'
  readonly query: Readonly<Record<string, string>>
  /** The last segment of the path; empty unless the operation is getPet. */
  readonly petId: string
  readonly authorization: string | undefined
  /** The header `X-API-Key`. */
  readonly apiKey: string | undefined
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined
  readonly contentType: string | undefined
  readonly body: string
}

/** A response that the deployment sends. Header names are in lower case. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The caller that a request's key identifies; `anonymous` without a valid key. */
export function findCaller(request: ApiRequest): string {
  const token = /^bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1]
  return token === mainKey || token === throttleKey ? token : 'anonymous'
}

/** A response with a JSON body. */
export function jsonResponse(status: number, body: Json, headers: ApiResponse['headers'] = {}): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: writeJson(body),
  }
}

/** A response with an Error as its body (section 7). */
export function createErrorResponse(
  status: number,
  code = 'rejected',
  message = 'Rejected.',
  headers: ApiResponse['headers'] = {},
): ApiResponse {
  return jsonResponse(status, { code, message, status: BigInt(status) }, headers)
}

/** Reads a request. One outside the base URL has the operation `none`. */
export async function readRequest(request: Request, world: World): Promise<ApiRequest> {
  const url = new URL(request.url)
  const path = url.pathname.startsWith(`${world.base}/`) ? url.pathname.slice(world.base.length) : ''
  const petId = /^\/pets\/([^/]+)$/.exec(path)?.[1] ?? ''
  return {
    method: request.method,
    operation: findOperation(request.method, path, petId),
    query: Object.fromEntries(url.searchParams),
    petId,
    authorization: request.headers.get('authorization') ?? undefined,
    apiKey: request.headers.get('x-api-key') ?? undefined,
    idempotencyKey: request.headers.get('idempotency-key') ?? undefined,
    contentType: request.headers.get('content-type') ?? undefined,
    body: request.method === 'POST' ? await request.text() : '',
  }
}

function findOperation(method: string, path: string, petId: string): ApiRequest['operation'] {
  if (path === '/pets') return method === 'GET' ? 'listPets' : method === 'POST' ? 'createPet' : 'none'
  return petId !== '' && method === 'GET' ? 'getPet' : 'none'
}
