import { type Json, writeJson } from './json.ts'
import { mainKey, throttleKey, type World } from './world.ts'

/** A request as the test deployments read it. */
export interface ApiRequest {
  readonly method: string
  readonly operation: 'listPets' | 'createPet' | 'getPet' | 'none'
  readonly query: Readonly<Record<string, string>>
  /** The last path segment of a getPet, or an empty string. */
  readonly petId: string
  readonly authorization: string | undefined
  /** Value of `X-API-Key`. */
  readonly apiKey: string | undefined
  readonly idempotencyKey: string | undefined
  readonly contentType: string | undefined
  readonly body: string
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Returns the key, or `anonymous` if it is missing or unknown. */
export function findCaller(request: ApiRequest): string {
  const token = /^bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1]
  return token === mainKey || token === throttleKey ? token : 'anonymous'
}

export function createJsonResponse(
  status: number,
  body: Json,
  headers: ApiResponse['headers'] = {},
): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: writeJson(body),
  }
}

/** Creates an Error response (section 7). */
export function createErrorResponse(
  status: number,
  code = 'rejected',
  message = 'Rejected.',
  headers: ApiResponse['headers'] = {},
): ApiResponse {
  return createJsonResponse(status, { code, message, status: BigInt(status) }, headers)
}

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
