import {
  type ApiRequest,
  type ApiResponse,
  createErrorResponse,
  findCaller,
  jsonResponse,
  readRequest,
} from './exchange.ts'
import { isObject, type Json, type JsonObject, readJson } from './json.ts'
import type { LimiterDecision } from './limiter.ts'
import { type Animal, type Clock, createWorld, type World } from './world.ts'

/** Middleware around the reference: it receives every request, and every response with its rate-limit headers. */
export type Middleware = (
  request: ApiRequest,
  next: (request: ApiRequest) => ApiResponse,
  world: World,
) => ApiResponse | Promise<ApiResponse>

/** A change to the reference deployment. */
export interface Change {
  /** The path of its base URL; `/v1` by default. */
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
  const caller = findCaller(request)
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

function responseFor(
  request: ApiRequest,
  caller: string,
  standing: LimiterDecision,
  world: World,
): ApiResponse {
  if (standing.wait > 0) return tooManyRequests(standing)
  return caller === 'anonymous' ? unauthorized() : operate(request, world)
}

function limitHeaders({ limit, remaining, reset }: LimiterDecision): ApiResponse['headers'] {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
  }
}

function tooManyRequests({ wait }: LimiterDecision): ApiResponse {
  return createErrorResponse(429, 'too_many_requests', 'Slow down.', {
    'retry-after': String(Math.ceil(wait / 1000)),
  })
}

function unauthorized(): ApiResponse {
  return createErrorResponse(401, 'unauthorized', 'Send a valid API key as a bearer token.', {
    'www-authenticate': 'Bearer',
  })
}

/** Carries out the request of a caller with a valid key. */
function operate(request: ApiRequest, world: World): ApiResponse {
  if (request.operation === 'listPets') return listPets(request, world)
  if (request.operation === 'createPet') return createPet(request, world)
  if (request.operation === 'getPet') return getPet(request, world)
  return createErrorResponse(404, 'no_such_route', 'No such route.')
}

function listPets({ query: { limit = '20', status } }: ApiRequest, { animals }: World): ApiResponse {
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) {
    return createErrorResponse(400, 'bad_limit', 'limit is a whole number from 1 to 100.')
  }
  if (status !== undefined && !isStatus(status))
    return createErrorResponse(400, 'bad_status', 'No such status.')
  const matching = animals.filter((animal) => status === undefined || animal.status === status)
  return jsonResponse(200, matching.slice(0, Number(limit)).map(petJson))
}

function getPet({ petId }: ApiRequest, { animals }: World): ApiResponse {
  const animal = /^-?\d+$/.test(petId) && animals.find(({ id }) => id === BigInt(petId))
  return animal
    ? jsonResponse(200, petJson(animal))
    : createErrorResponse(404, 'no_such_animal', 'No animal has this id.')
}

function createPet({ body }: ApiRequest, world: World): ApiResponse {
  const newPet = readNewPet(body)
  if (typeof newPet === 'string') return createErrorResponse(400, 'bad_body', newPet)
  const status = newPet.status ?? world.defaultStatus
  const animal = {
    ...newPet,
    id: world.nextId,
    ...(status !== undefined && { status }),
  }
  world.nextId += 1n
  world.animals.push(animal)
  return jsonResponse(201, petJson(animal))
}

/** Returns a valid body's members, or the problem of an invalid one. */
function readNewPet(body: string): Omit<Animal, 'id'> | string {
  let value: Json
  try {
    value = readJson(body)
  } catch {
    return 'The body is not JSON.'
  }
  if (!isObject(value)) return 'The body is not an object.'
  const { name, categoryId, status } = value
  if (typeof name !== 'string') return 'name is a string and required.'
  if (typeof categoryId !== 'bigint' || BigInt.asIntN(64, categoryId) !== categoryId) {
    return 'categoryId is an int64 and required.'
  }
  if (status === undefined) return { name, categoryId }
  return isStatus(status) ? { name, categoryId, status } : 'status is available, pending or sold.'
}

function isStatus(value: Json): value is string {
  return value === 'available' || value === 'pending' || value === 'sold'
}

/** Returns an animal as the deployment sends it. */
export function petJson({ id, name, categoryId, status }: Animal): JsonObject {
  return { id, name, categoryId, ...(status !== undefined && { status }) }
}
