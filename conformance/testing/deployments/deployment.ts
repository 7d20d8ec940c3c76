import {
  type ApiRequest,
  type ApiResponse,
  createErrorResponse,
  createJsonResponse,
  findCaller,
  readRequest,
} from './exchange.ts'
import { isObject, type Json, type JsonObject, readJson } from './json.ts'
import type { LimiterDecision } from './limiter.ts'
import { type Animal, type Clock, createWorld, type World } from './world.ts'

/** Handles a request, usually by calling `next`. */
export type Middleware = (
  request: ApiRequest,
  next: (request: ApiRequest) => ApiResponse,
  world: World,
) => ApiResponse | Promise<ApiResponse>

/** What a deployment does differently from the reference. */
export interface Change {
  /** Base path, `/v1` by default. */
  readonly base?: string
  readonly prepare?: (world: World) => void
  readonly middleware?: Middleware
}

export type Handler = (request: Request) => Promise<Response>

/**
 * Creates a deployment that conforms to the interface, with a change. It shares no code with the service, so that a
 * mistake in one does not hide a mistake in the other.
 */
export function createDeployment(clock: Clock, change: Change = {}): Handler {
  const world = createWorld(clock, change.base)
  change.prepare?.(world)
  const respondAsReference = (request: ApiRequest): ApiResponse => createLimitedResponse(request, world)
  const middleware = change.middleware ?? respondAsReference
  return async (request) => {
    world.requests += 1
    const { status, headers, body } = await middleware(
      await readRequest(request, world),
      respondAsReference,
      world,
    )
    const bytes = body === '' ? null : new TextEncoder().encode(body)
    return new Response(bytes, { status, headers: { ...headers } })
  }
}

function createLimitedResponse(request: ApiRequest, world: World): ApiResponse {
  const nowMs = world.clock.now()
  const caller = findCaller(request)
  const limiterDecision = world.limiter(caller, nowMs)
  const response = findResponse(request, caller, limiterDecision, world)
  return {
    ...response,
    headers: {
      ...response.headers,
      ...createLimitHeaders(limiterDecision),
      date: new Date(nowMs).toUTCString(),
    },
  }
}

function findResponse(
  request: ApiRequest,
  caller: string,
  standing: LimiterDecision,
  world: World,
): ApiResponse {
  if (standing.waitMs > 0) return createTooManyRequests(standing)
  return caller === 'anonymous' ? createUnauthorized() : performOperation(request, world)
}

function createLimitHeaders({ limit, remaining, resetAt }: LimiterDecision): ApiResponse['headers'] {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
  }
}

function createTooManyRequests({ waitMs }: LimiterDecision): ApiResponse {
  return createErrorResponse(429, 'too_many_requests', 'Slow down.', {
    'retry-after': String(Math.ceil(waitMs / 1000)),
  })
}

function createUnauthorized(): ApiResponse {
  return createErrorResponse(401, 'unauthorized', 'Send a valid API key as a bearer token.', {
    'www-authenticate': 'Bearer',
  })
}

function performOperation(request: ApiRequest, world: World): ApiResponse {
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
  const matchingAnimals = animals.filter((animal) => status === undefined || animal.status === status)
  return createJsonResponse(200, matchingAnimals.slice(0, Number(limit)).map(toPetJson))
}

function getPet({ petId }: ApiRequest, { animals }: World): ApiResponse {
  const animal = /^-?\d+$/.test(petId) && animals.find(({ id }) => id === BigInt(petId))
  return animal
    ? createJsonResponse(200, toPetJson(animal))
    : createErrorResponse(404, 'no_such_animal', 'No animal has this id.')
}

function createPet({ body }: ApiRequest, world: World): ApiResponse {
  const newPet = readNewPet(body)
  if (typeof newPet === 'string') return createErrorResponse(400, 'bad_body', newPet)
  const petStatus = newPet.status ?? world.defaultStatus
  const animal = {
    ...newPet,
    id: world.nextId,
    ...(petStatus !== undefined && { status: petStatus }),
  }
  world.nextId += 1n
  world.animals.push(animal)
  return createJsonResponse(201, toPetJson(animal))
}

/** Returns the new pet, or an error message. */
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

export function toPetJson({ id, name, categoryId, status }: Animal): JsonObject {
  return { id, name, categoryId, ...(status !== undefined && { status }) }
}
