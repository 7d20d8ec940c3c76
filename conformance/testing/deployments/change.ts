import type { Change } from './deployment.ts'
import { type ApiRequest, type ApiResponse, findCaller } from './exchange.ts'
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json.ts'
import type { Limiter } from './limiter.ts'
import { throttleKey, type World } from './world.ts'

/** Selects requests. */
export type When = (request: ApiRequest) => boolean

export const everyRequest: When = () => true
export const isList: When = ({ operation }) => operation === 'listPets'
export const isGet: When = ({ operation }) => operation === 'getPet'
export const isCreate: When = ({ operation }) => operation === 'createPet'
export const isAnonymous: When = (request) => findCaller(request) === 'anonymous'

export const isMalformedGet: When = (request) => isGet(request) && !/^-?\d+$/.test(request.petId)
export const isUnknownOperation: When = ({ operation }) => operation === 'none'
/** Selects requests with a status filter that section 2 does not declare. */
export const hasUndeclaredStatus: When = (request) =>
  isList(request) && !['available', 'pending', 'sold', undefined].includes(request.query.status)

export function allOf(...conditions: readonly When[]): When {
  return (request) => conditions.every((condition) => condition(request))
}

export function negateCondition(condition: When): When {
  return (request) => !condition(request)
}

/** Selects requests by a query parameter. Without `value`, selects requests that lack the parameter. */
export function hasQuery(name: string, value?: string): When {
  return (request) => request.query[name] === value
}

/** Selects creations by their body. */
export function isCreateWith(condition: (body: JsonObject) => boolean): When {
  return (request) => {
    const body = readRequestJson(request)
    return isCreate(request) && isObject(body) && condition(body)
  }
}

export function readRequestJson({ body }: Pick<ApiRequest, 'body'>): Json | undefined {
  try {
    return readJson(body)
  } catch {
    return undefined
  }
}

/** Members to replace. `undefined` removes a member. */
type Members<Value> = Readonly<Record<string, Value | undefined>>
/** Members to replace in a JSON object, or a function that changes it. */
export type ItemEdit<Result = Json> = Members<Json> | ((item: JsonObject, index: number) => Result)

function mergeMembers<Value>(record: Readonly<Record<string, Value>>, members: Members<Value>) {
  const mergedEntries = Object.entries({ ...record, ...members })
  return Object.fromEntries(
    mergedEntries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

export function applyEdit<Result>(item: JsonObject, edit: ItemEdit<Result>, index = 0): Result | JsonObject {
  return typeof edit === 'function' ? edit(item, index) : mergeMembers(item, edit)
}

/** Changes requests before the deployment handles them. */
export function editRequest(
  when: When,
  edit: Partial<ApiRequest> | ((request: ApiRequest) => Partial<ApiRequest>),
): Change {
  const createEdit = typeof edit === 'function' ? edit : () => edit
  return {
    middleware: (request, next) => next(when(request) ? { ...request, ...createEdit(request) } : request),
  }
}

export function editQuery(when: When, query: Members<string>): Change {
  return editRequest(when, (request) => ({ query: mergeMembers(request.query, query) }))
}

/** Reads some bodies differently, such as with a rounded number. */
export function readBodyAs(when: (body: JsonObject) => boolean, edit: ItemEdit<JsonObject>): Change {
  return editRequest(isCreateWith(when), (request) => {
    const body = readRequestJson(request)
    return isObject(body) ? { body: writeJson(applyEdit(body, edit)) } : {}
  })
}

/** A replacement for the response, or a function that changes the response. */
export type Edit = ApiResponse | ((response: ApiResponse, request: ApiRequest, world: World) => ApiResponse)

/** Replaces a response but keeps the headers that the other one lacks. */
export function replaceResponse(response: ApiResponse, other: ApiResponse): ApiResponse {
  return { ...other, headers: { ...response.headers, ...other.headers } }
}

export function editResponse(when: When, edit: Edit): Change {
  return {
    middleware(request, next, world) {
      const response = next(request)
      if (!when(request)) return response
      return typeof edit === 'function' ? edit(response, request, world) : replaceResponse(response, edit)
    },
  }
}

/** Changes responses with certain statuses. */
export function editOn(statuses: number | readonly number[], when: When, edit: Edit): Change {
  const toEditedResponse =
    typeof edit === 'function' ? edit : (response: ApiResponse) => replaceResponse(response, edit)
  return editResponse(when, (response, request, world) =>
    [statuses].flat().includes(response.status) ? toEditedResponse(response, request, world) : response,
  )
}

type ResponseEdit = (response: ApiResponse) => ApiResponse

export function setStatus(code: number): ResponseEdit {
  return (response) => ({ ...response, status: code })
}

export function setHeaders(members: Members<string>): ResponseEdit {
  return (response) => ({ ...response, headers: mergeMembers(response.headers, members) })
}

/** Changes `X-RateLimit-Reset`. `seconds` is its value, and `now` the Unix time. */
export function editReset(edit: (seconds: number, now: number) => number | string): Edit {
  return (response, _, { clock }) => {
    const resetSeconds = Number(response.headers['x-ratelimit-reset'])
    return setHeaders({ 'x-ratelimit-reset': String(edit(resetSeconds, Math.floor(clock.now() / 1000))) })(
      response,
    )
  }
}

export function setBody(text: string, type?: string): ResponseEdit {
  return (response) => ({
    ...response,
    headers: { ...response.headers, ...(type !== undefined && { 'content-type': type }) },
    body: text,
  })
}

export function setHtml(page: string): ResponseEdit {
  return setBody(page, 'text/html')
}

export function editJson(edit: (body: Json) => Json): ResponseEdit {
  return (response) => ({ ...response, body: writeJson(edit(readJson(response.body))) })
}

/** Changes each pet in a list, or the only one. */
export function editItems(edit: ItemEdit): ResponseEdit {
  const editItem = (value: Json, index: number): Json =>
    isObject(value) ? applyEdit(value, edit, index) : value
  return editJson((value) => (Array.isArray(value) ? value.map(editItem) : editItem(value, 0)))
}

export function editList(edit: (pets: readonly Json[]) => readonly Json[]): ResponseEdit {
  return editJson((value) => (Array.isArray(value) ? edit(value) : value))
}

export function editName(edit: (name: string) => string): (pet: JsonObject) => JsonObject {
  return (pet) => ({ ...pet, name: edit(String(pet.name)) })
}

/** Rounds `categoryId` to the nearest number that a double can represent. */
export const toDouble = (pet: JsonObject): JsonObject => ({
  ...pet,
  categoryId: BigInt(Number(pet.categoryId)),
})

/** Changes the world before the first request. */
export function startWith(state: Partial<World>): Change {
  return {
    prepare(world) {
      Object.assign(world, state)
      // Each run has its own list.
      world.animals = [...world.animals]
    },
  }
}

export function setLimiter(limiter: (reference: Limiter) => Limiter): Change {
  return {
    prepare(world) {
      world.limiter = limiter(world.limiter)
    },
  }
}

let runs = 0

/** Replaces the limiters of the throttle key and of all other callers. */
export function setLimiters(throttled: Limiter, others: Limiter): Change {
  return setLimiter(() => {
    // Each run counts on its own, although the limiters are shared.
    const run = ++runs
    return (caller, now) => (caller === throttleKey ? throttled : others)(`${caller} ${run}`, now)
  })
}
