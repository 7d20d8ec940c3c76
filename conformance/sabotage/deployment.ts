import type { Clock } from './clock.ts'
import { type ApiRequest, type ApiResponse, callerOf, errorResponse, readRequest } from './exchange.ts'
import type { Standing } from './limiter.ts'
import { operate } from './operations.ts'
import { createWorld, type World } from './world.ts'

/** Middleware around the reference: it receives every request, and every response with its rate-limit headers. */
export type Middleware = (
  request: ApiRequest,
  next: (request: ApiRequest) => ApiResponse,
  world: World,
) => ApiResponse | Promise<ApiResponse>

/** A change to the reference deployment. */
export interface Change {
  /** The path of its base address; `/v1` by default. */
  readonly base?: string
  readonly prepare?: (world: World) => void
  readonly middleware?: Middleware
}

/** A Fetch-style handler. */
export type Handler = (request: Request) => Promise<Response>

/**
 * A small deployment of the interface with its own state. It is written from the spec alone and shares no code with
 * the service or with the suite that judges it. Without a change it conforms to every rule.
 */
export function createDeployment(clock: Clock, change: Change = {}): Handler {
  const world = createWorld(clock, change.base)
  change.prepare?.(world)
  const next = (request: ApiRequest): ApiResponse => respond(request, world)
  const middleware = change.middleware ?? next
  return async (request) => {
    world.requests += 1
    const { status, headers, body } = await middleware(await readRequest(request, world), next, world)
    const bytes = body === '' ? null : new TextEncoder().encode(body)
    return new Response(bytes, { status, headers: { ...headers } })
  }
}

function respond(request: ApiRequest, world: World): ApiResponse {
  const now = world.clock.now()
  const caller = callerOf(request)
  const standing = world.limiter(caller, now)
  const response = responseFor(request, caller, standing, world)
  return {
    ...response,
    headers: {
      ...response.headers,
      ...limitHeaders(standing),
      date: new Date(now).toUTCString(),
    },
  }
}

function responseFor(request: ApiRequest, caller: string, standing: Standing, world: World): ApiResponse {
  if (standing.wait > 0) return tooManyRequests(standing)
  return caller === 'anonymous' ? unauthorized() : operate(request, world)
}

function limitHeaders({ limit, remaining, reset }: Standing): ApiResponse['headers'] {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
  }
}

function tooManyRequests({ wait }: Standing): ApiResponse {
  return errorResponse(429, 'too_many_requests', 'Slow down.', {
    'retry-after': String(Math.ceil(wait / 1000)),
  })
}

function unauthorized(): ApiResponse {
  return errorResponse(401, 'unauthorized', 'Send a valid API key as a bearer token.', {
    'www-authenticate': 'Bearer',
  })
}
