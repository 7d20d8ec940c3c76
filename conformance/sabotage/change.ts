import type { Change } from './deployment.ts'
import type { Call, Reply } from './exchange.ts'
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json.ts'
import type { Limiter } from './limiter.ts'
import { type Animal, throttleKey, type World } from './world.ts'

/** Headers by name in lower case; `undefined` for one that is dropped. */
export type Headers = Readonly<Record<string, string | undefined>>

/** Which calls a change is about. */
export type When = (call: Call) => boolean

export const always: When = () => true
export const listing: When = (call) => call.operation === 'listPets'
export const getting: When = (call) => call.operation === 'getPet'
export const creating: When = (call) => call.operation === 'createPet'

/** getPet with something that is no integer. */
export const gettingMalformed: When = (call) => getting(call) && !/^-?\d+$/.test(call.petId)
/** A filter by a status that section 2 does not name. */
export const askingUndeclared: When = (call) =>
  listing(call) && !['available', 'pending', 'sold', undefined].includes(call.query.status)

/** Calls that all of the conditions hold for. */
export function allOf(...conditions: readonly When[]): When {
  return (call) => conditions.every((condition) => condition(call))
}

/** Calls whose query has exactly this value. */
export function asking(name: string, value: string): When {
  return (call) => call.query[name] === value
}

/** The deployment hears another call than the one that was sent. */
export function hear(when: When, edit: (call: Call, world: World) => Call): Change {
  return { around: (call, next, world) => next(when(call) ? edit(call, world) : call) }
}

/** The answer is changed on its way out. */
export function say(when: When, edit: (reply: Reply, call: Call, world: World) => Reply): Change {
  return {
    around: (call, next, world) => (when(call) ? edit(next(call), call, world) : next(call)),
  }
}

/** The answer is changed on its way out where it has one of these statuses. */
export function sayOn(
  statuses: readonly number[],
  when: When,
  edit: (reply: Reply, call: Call, world: World) => Reply,
): Change {
  return say(when, (reply, call, world) =>
    statuses.includes(reply.status) ? edit(reply, call, world) : reply,
  )
}

/** Another answer in place of those that have one of these statuses. */
export function sayInstead(statuses: readonly number[], when: When, other: Reply): Change {
  return sayOn(statuses, when, (reply) => instead(reply, other))
}

/** Headers set, or dropped where the value is `undefined`, on the answers that have one of these statuses. */
export function sayHeaders(statuses: readonly number[], when: When, headers: Headers): Change {
  return sayOn(statuses, when, (reply) => withHeaders(reply, headers))
}

/** The deployment starts with other animals. */
export function holding(animals: readonly Animal[]): Change {
  return {
    prepare: (world) => {
      world.animals = [...animals]
    },
  }
}

/** The throttle key has one limiter, and everyone else another. */
export function limiting(throttled: Limiter, others: Limiter): Change {
  return {
    prepare: (world) => {
      world.limiter = (caller, now) => (caller === throttleKey ? throttled : others)(caller, now)
    },
  }
}

/** Another answer, under the headers of the one that was due. */
export function instead(reply: Reply, other: Reply): Reply {
  return { ...other, headers: { ...reply.headers, ...other.headers } }
}

/** The same answer with headers set, or dropped where the value is `undefined`. */
export function withHeaders(reply: Reply, headers: Headers): Reply {
  const all = Object.entries({ ...reply.headers, ...headers })
  const kept = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return { ...reply, headers: Object.fromEntries(kept) }
}

/** The same answer with another JSON body. */
export function withJson(reply: Reply, edit: (body: Json) => Json): Reply {
  return { ...reply, body: writeJson(edit(bodyOf(reply))) }
}

/** The same answer with each Pet (or the Error) in it changed. */
export function withEach(reply: Reply, edit: (item: JsonObject, n: number) => Json): Reply {
  const editItem = (item: Json, n: number): Json => (isObject(item) ? edit(item, n) : item)
  return withJson(reply, (body) => (Array.isArray(body) ? body.map(editItem) : editItem(body, 0)))
}

/** The same answer with each page's list changed. */
export function withList(reply: Reply, edit: (pets: readonly Json[]) => readonly Json[]): Reply {
  return withJson(reply, (body) => (Array.isArray(body) ? edit(body) : body))
}

/** The object without one member. */
export function without(item: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = item
  return rest
}

/** The same call with members of its query set, or dropped where the value is `undefined`. */
export function withQuery(call: Call, query: Readonly<Record<string, string | undefined>>): Call {
  const all = Object.entries({ ...call.query, ...query })
  return {
    ...call,
    query: Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  }
}

/** The same call with members of its body changed; left as it is where the body is no JSON object. */
export function withBody(call: Call, edit: (body: JsonObject) => JsonObject): Call {
  const body = sentBy(call)
  return isObject(body) ? { ...call, body: writeJson(edit(body)) } : call
}

/** The JSON that a call sent, `undefined` where it sent none. */
export function sentBy(call: Pick<Call, 'body'>): Json | undefined {
  try {
    return readJson(call.body)
  } catch {
    return undefined
  }
}

/** The JSON of an answer of the reference deployment. */
export function bodyOf(reply: Reply): Json {
  return readJson(reply.body)
}
