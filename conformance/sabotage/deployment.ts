import type { Clock } from './clock.ts'
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json.ts'
import type { Standing } from './limiter.ts'
import { type Animal, createWorld, mainKey, throttleKey, type World } from './world.ts'

/** A request as the deployment sees it; a variant may hand on another. */
export interface Call {
  readonly operation: 'listPets' | 'createPet' | 'getPet' | 'none'
  readonly method: string
  /** Path and query below the base address. */
  readonly target: string
  readonly query: Readonly<Record<string, string>>
  /** The path's last segment on getPet. */
  readonly petId: string
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  readonly body: string
}

/** An answer on its way out. Header names are in lower case. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** What a variant puts around the reference: it sees every call and every reply, headers of the limits included. */
export type Around = (call: Call, next: (call: Call) => Reply, world: World) => Reply | Promise<Reply>

/** A change to the reference deployment. */
export interface Change {
  readonly prepare?: (world: World) => void
  readonly around?: Around
}

/** A Fetch-style handler. */
export type Handler = (request: Request) => Promise<Response>

/**
 * A small deployment of the interface with state of its own, written from the spec alone: it shares no code with the
 * service and none with the suite that judges it. Without a change it keeps every rule.
 */
export function createDeployment(clock: Clock, change: Change = {}): Handler {
  const world = createWorld(clock)
  change.prepare?.(world)
  const next = (call: Call): Reply => answer(call, world)
  const around = change.around ?? next
  return async (request) => {
    world.requests += 1
    const { status, headers, body } = await around(await readCall(request, world), next, world)
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    return new Response(bytes, {
      status,
      headers: [...Object.entries(headers)],
    })
  }
}

/** The caller that a call's credential stands for; `anonymous` where there is none that is known. */
export function callerOf(call: Call): string {
  const token = /^bearer +(\S+)$/i.exec(call.authorization ?? '')?.[1]
  return token === mainKey || token === throttleKey ? token : 'anonymous'
}

/** A reply with a JSON body. */
export function jsonReply(status: number, body: Json, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: writeJson(body),
  }
}

/** A reply with the body of an Error (section 7). */
export function errorReply(status: number, code: string, message: string): Reply {
  return jsonReply(status, { code, message, status: BigInt(status) })
}

async function readCall(request: Request, world: World): Promise<Call> {
  const url = new URL(request.url)
  const path = url.pathname.startsWith(`${world.base}/`) ? url.pathname.slice(world.base.length) : ''
  const petId = /^\/pets\/([^/]+)$/.exec(path)?.[1] ?? ''
  return {
    operation: operationOf(request.method, path, petId),
    method: request.method,
    target: path + url.search,
    query: Object.fromEntries(url.searchParams),
    petId,
    authorization: request.headers.get('authorization') ?? undefined,
    contentType: request.headers.get('content-type') ?? undefined,
    body: request.method === 'POST' ? await request.text() : '',
  }
}

function operationOf(method: string, path: string, petId: string): Call['operation'] {
  if (path === '/pets') return method === 'GET' ? 'listPets' : method === 'POST' ? 'createPet' : 'none'
  return petId !== '' && method === 'GET' ? 'getPet' : 'none'
}

function answer(call: Call, world: World): Reply {
  const now = world.clock.now()
  const caller = callerOf(call)
  const standing = world.limiter(caller, now)
  const reply =
    standing.wait > 0 ? refusal(standing) : caller === 'anonymous' ? unauthorized() : operate(call, world)
  return {
    ...reply,
    headers: {
      ...reply.headers,
      ...limitHeaders(standing),
      date: new Date(now).toUTCString(),
    },
  }
}

function limitHeaders({ limit, remaining, reset }: Standing): Reply['headers'] {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
  }
}

function refusal({ wait }: Standing): Reply {
  const reply = errorReply(429, 'too_many_requests', 'Slow down.')
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'retry-after': String(Math.ceil(wait / 1000)),
    },
  }
}

function unauthorized(): Reply {
  const reply = errorReply(401, 'unauthorized', 'Send a valid API key as a bearer token.')
  return {
    ...reply,
    headers: { ...reply.headers, 'www-authenticate': 'Bearer' },
  }
}

function operate(call: Call, world: World): Reply {
  if (call.operation === 'listPets') return listPets(call, world)
  if (call.operation === 'createPet') return createPet(call, world)
  if (call.operation === 'getPet') return getPet(call, world)
  return errorReply(404, 'no_such_route', 'There is nothing here.')
}

function listPets({ query: { limit = '20', status } }: Call, { animals }: World): Reply {
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) {
    return errorReply(400, 'bad_limit', 'limit is a whole number from 1 to 100.')
  }
  if (status !== undefined && !isStatus(status)) return errorReply(400, 'bad_status', 'No such status.')
  const wanted = animals.filter((animal) => status === undefined || animal.status === status)
  return jsonReply(200, wanted.slice(0, Number(limit)).map(petJson))
}

function getPet({ petId }: Call, { animals }: World): Reply {
  const animal = /^-?\d+$/.test(petId) && animals.find(({ id }) => id === BigInt(petId))
  return animal
    ? jsonReply(200, petJson(animal))
    : errorReply(404, 'no_such_animal', 'No animal has this id.')
}

function createPet({ body }: Call, world: World): Reply {
  const sent = readNewPet(body)
  if (typeof sent === 'string') return errorReply(400, 'bad_body', sent)
  const status = sent.status ?? world.defaultStatus
  const animal = {
    ...sent,
    id: world.nextId,
    ...(status !== undefined && { status }),
  }
  world.nextId += 1n
  world.animals.push(animal)
  return jsonReply(201, petJson(animal))
}

function readNewPet(body: string): Omit<Animal, 'id'> | string {
  let sent: Json
  try {
    sent = readJson(body)
  } catch {
    return 'The body is no JSON.'
  }
  if (!isObject(sent)) return 'The body is no object.'
  const { name, categoryId, status } = sent
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

function petJson({ id, name, categoryId, status }: Animal): JsonObject {
  return { id, name, categoryId, ...(status !== undefined && { status }) }
}
