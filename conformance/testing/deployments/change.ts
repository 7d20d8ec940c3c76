import type { Change } from './deployment.ts'
import { type ApiRequest, type ApiResponse, findCaller } from './exchange.ts'
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json.ts'
import type { Limiter } from './limiter.ts'
import { throttleKey, type World } from './world.ts'

/** The requests that a change applies to. */
export type When = (request: ApiRequest) => boolean

export const always: When = () => true
export const isList: When = ({ operation }) => operation === 'listPets'
export const isGet: When = ({ operation }) => operation === 'getPet'
export const isCreate: When = ({ operation }) => operation === 'createPet'
/** Requests without a valid key. */
export const isAnonymous: When = (request) => findCaller(request) === 'anonymous'

/** getPet with a `petId` that is not an integer. */
export const isMalformedGet: When = (request) => isGet(request) && !/^-?\d+$/.test(request.petId)
/** Requests for a path or a method that the interface does not have. */
export const isUnknown: When = ({ operation }) => operation === 'none'
/** listPets with a `status` that section 2 does not declare. */
export const hasUndeclaredStatus: When = (request) =>
  isList(request) && !['available', 'pending', 'sold', undefined].includes(request.query.status)

/** Requests that meet all conditions. */
export function allOf(...conditions: readonly When[]): When {
  return (request) => conditions.every((condition) => condition(request))
}

/** Requests that do not meet a condition. */
export function not(condition: When): When {
  return (request) => !condition(request)
}

/** Requests whose query has exactly this value; without one, lacks the parameter. */
export function queryIs(name: string, value?: string): When {
  return (request) => request.query[name] === value
}

/** Creations whose body is a JSON object that meets the condition. */
export function createsWith(condition: (body: JsonObject) => boolean): When {
  return (request) => {
    const body = requestJson(request)
    return isCreate(request) && isObject(body) && condition(body)
  }
}

/** The JSON body of a request; `undefined` if the body is not JSON. */
export function requestJson({ body }: Pick<ApiRequest, 'body'>): Json | undefined {
  try {
    return readJson(body)
  } catch {
    return undefined
  }
}

/** Members to set, or to drop if the value is `undefined`. */
type Members<Value> = Readonly<Record<string, Value | undefined>>
/** An edit of a JSON object: members to set or to drop, or a function that returns another value. */
export type ItemEdit<Result = Json> = Members<Json> | ((item: JsonObject, index: number) => Result)

function merged<Value>(record: Readonly<Record<string, Value>>, members: Members<Value>) {
  const all = Object.entries({ ...record, ...members })
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** A JSON object after an edit. */
export function edited<Result>(item: JsonObject, edit: ItemEdit<Result>, index = 0): Result | JsonObject {
  return typeof edit === 'function' ? edit(item, index) : merged(item, edit)
}

/** The deployment handles another request than the one that was sent: with other members, or the returned one. */
export function editRequest(
  when: When,
  edit: Partial<ApiRequest> | ((request: ApiRequest) => Partial<ApiRequest>),
): Change {
  const other = typeof edit === 'function' ? edit : () => edit
  return {
    middleware: (request, next) => next(when(request) ? { ...request, ...other(request) } : request),
  }
}

/** The deployment handles a request with another query. */
export function editQuery(when: When, query: Members<string>): Change {
  return editRequest(when, (request) => ({ query: merged(request.query, query) }))
}

/** The deployment reads the bodies that meet a condition as others. */
export function readAs(when: (body: JsonObject) => boolean, edit: ItemEdit<JsonObject>): Change {
  return editRequest(createsWith(when), (request) => {
    const body = requestJson(request)
    return isObject(body) ? { body: writeJson(edited(body, edit)) } : {}
  })
}

/** An edit of a response: another response, whose headers are added to the first, or a function that returns one. */
export type Edit = ApiResponse | ((response: ApiResponse, request: ApiRequest, world: World) => ApiResponse)

/** Another response with the headers of the first that it does not set itself. */
export function replaced(response: ApiResponse, other: ApiResponse): ApiResponse {
  return { ...other, headers: { ...response.headers, ...other.headers } }
}

/** The deployment sends another response than the reference would. */
export function editResponse(when: When, edit: Edit): Change {
  return {
    middleware(request, next, world) {
      const response = next(request)
      if (!when(request)) return response
      return typeof edit === 'function' ? edit(response, request, world) : replaced(response, edit)
    },
  }
}

/** Like `editResponse`, for responses that have the status, or one of the statuses. */
export function on(statuses: number | readonly number[], when: When, edit: Edit): Change {
  const other = typeof edit === 'function' ? edit : (response: ApiResponse) => replaced(response, edit)
  return editResponse(when, (response, request, world) =>
    [statuses].flat().includes(response.status) ? other(response, request, world) : response,
  )
}

/** An edit of a response. */
type ResponseEdit = (response: ApiResponse) => ApiResponse

/** Another status. */
export function status(code: number): ResponseEdit {
  return (response) => ({ ...response, status: code })
}

/** Other headers. */
export function headers(members: Members<string>): ResponseEdit {
  return (response) => ({ ...response, headers: merged(response.headers, members) })
}

/** Another `X-RateLimit-Reset`, by the one of the reference and the time of the clock, in Unix seconds. */
export function reset(edit: (seconds: number, now: number) => number | string): Edit {
  return (response, _, { clock }) => {
    const seconds = Number(response.headers['x-ratelimit-reset'])
    return headers({ 'x-ratelimit-reset': String(edit(seconds, Math.floor(clock.now() / 1000))) })(response)
  }
}

/** Another body, and its content type if one is given. */
export function body(text: string, type?: string): ResponseEdit {
  return (response) => ({
    ...response,
    headers: { ...response.headers, ...(type !== undefined && { 'content-type': type }) },
    body: text,
  })
}

/** An HTML page as the body. */
export function html(page: string): ResponseEdit {
  return body(page, 'text/html')
}

/** Another JSON body. */
export function json(edit: (body: Json) => Json): ResponseEdit {
  return (response) => ({ ...response, body: writeJson(edit(readJson(response.body))) })
}

/** Another Pet, for each in the body, or another Error. */
export function items(edit: ItemEdit): ResponseEdit {
  const item = (value: Json, index: number): Json => (isObject(value) ? edited(value, edit, index) : value)
  return json((value) => (Array.isArray(value) ? value.map(item) : item(value, 0)))
}

/** Another list, if the body is an array. */
export function list(edit: (pets: readonly Json[]) => readonly Json[]): ResponseEdit {
  return json((value) => (Array.isArray(value) ? edit(value) : value))
}

/** A Pet with another name. */
export function named(edit: (name: string) => string): (pet: JsonObject) => JsonObject {
  return (pet) => ({ ...pet, name: edit(String(pet.name)) })
}

/** A Pet whose category has passed through a double. */
export const asDouble = (pet: JsonObject): JsonObject => ({
  ...pet,
  categoryId: BigInt(Number(pet.categoryId)),
})

/** The deployment starts in another state. */
export function initially(state: Partial<World>): Change {
  return {
    prepare(world) {
      Object.assign(world, state)
      // the list of a state outlives a run
      world.animals = [...world.animals]
    },
  }
}

/** The deployment has another limiter, which may wrap the reference limiter. */
export function limitedBy(limiter: (reference: Limiter) => Limiter): Change {
  return {
    prepare(world) {
      world.limiter = limiter(world.limiter)
    },
  }
}

/** The number of runs with limiters, which separates the callers of one run from the callers of the next. */
let runs = 0

/** The throttle key has one limiter, and all other callers have another. */
export function withLimiters(throttled: Limiter, others: Limiter): Change {
  return limitedBy(() => {
    // a limiter outlives a run, and the next one begins at the same time with its own accounts
    const run = ++runs
    return (caller, now) => (caller === throttleKey ? throttled : others)(`${caller} ${run}`, now)
  })
}
