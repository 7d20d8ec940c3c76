import type { Change } from './deployment.ts'
import { type Headers, hasJsonBody, replaced, withEach, withHeaders, withList } from './edit.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import type { Json, JsonObject } from './json.ts'
import type { Limiter } from './limiter.ts'
import { type Animal, throttleKey, type World } from './world.ts'

/** The requests that a change applies to. */
export type When = (request: ApiRequest) => boolean

export const always: When = () => true
export const isList: When = (request) => request.operation === 'listPets'
export const isGet: When = (request) => request.operation === 'getPet'
export const isCreate: When = (request) => request.operation === 'createPet'

/** getPet with a `petId` that is not an integer. */
export const isMalformedGet: When = (request) => isGet(request) && !/^-?\d+$/.test(request.petId)
/** listPets with a `status` that section 2 does not declare. */
export const hasUndeclaredStatus: When = (request) =>
  isList(request) && !['available', 'pending', 'sold', undefined].includes(request.query.status)

/** Requests that meet all conditions. */
export function allOf(...conditions: readonly When[]): When {
  return (request) => conditions.every((condition) => condition(request))
}

/** Requests whose query has exactly this value. */
export function queryIs(name: string, value: string): When {
  return (request) => request.query[name] === value
}

/** Creations whose body is a JSON object that meets the condition. */
export function createsWith(condition: (body: JsonObject) => boolean): When {
  return (request) => isCreate(request) && hasJsonBody(request, condition)
}

/** The deployment handles another request than the one that was sent. */
export function editRequest(when: When, edit: (request: ApiRequest, world: World) => ApiRequest): Change {
  return { middleware: (request, next, world) => next(when(request) ? edit(request, world) : request) }
}

/** The deployment sends another response than the reference would. */
export function editResponse(
  when: When,
  edit: (response: ApiResponse, request: ApiRequest, world: World) => ApiResponse,
): Change {
  return {
    middleware: (request, next, world) =>
      when(request) ? edit(next(request), request, world) : next(request),
  }
}

/** Like `editResponse`, for responses that have one of these statuses. */
export function editResponseWith(
  statuses: readonly number[],
  when: When,
  edit: (response: ApiResponse, request: ApiRequest, world: World) => ApiResponse,
): Change {
  return editResponse(when, (response, request, world) =>
    statuses.includes(response.status) ? edit(response, request, world) : response,
  )
}

/** Changes each Pet, or the Error, in the responses that have one of these statuses. */
export function editItems(
  statuses: readonly number[],
  when: When,
  edit: (item: JsonObject, index: number) => Json,
): Change {
  return editResponseWith(statuses, when, (response) => withEach(response, edit))
}

/** Changes the array of pages. */
export function editPages(when: When, edit: (pets: readonly Json[]) => readonly Json[]): Change {
  return editResponseWith([200], when, (response) => withList(response, edit))
}

/** Replaces the responses that have one of these statuses. */
export function replaceResponse(statuses: readonly number[], when: When, other: ApiResponse): Change {
  return editResponseWith(statuses, when, (response) => replaced(response, other))
}

/** Sets headers, or drops those whose value is `undefined`, on responses that have one of these statuses. */
export function setHeaders(statuses: readonly number[], when: When, headers: Headers): Change {
  return editResponseWith(statuses, when, (response) => withHeaders(response, headers))
}

/** The deployment starts with these animals. */
export function withAnimals(animals: readonly Animal[]): Change {
  return {
    prepare: (world) => {
      world.animals = [...animals]
    },
  }
}

/** How many runs have had limiters: the number tells one run's callers from those of the next. */
let runs = 0

/** The throttle key has one limiter, and all other callers have another. */
export function withLimiters(throttled: Limiter, others: Limiter): Change {
  return {
    prepare: (world) => {
      // a limiter outlives a run, and the next one begins at the same time with its own accounts
      const run = ++runs
      world.limiter = (caller, now) => (caller === throttleKey ? throttled : others)(`${caller} ${run}`, now)
    },
  }
}
