import { type Call, errorReply, jsonReply, type Reply } from './exchange.ts'
import { isObject, type Json, type JsonObject, readJson } from './json.ts'
import type { Animal, World } from './world.ts'

/** Carries out what a known caller asks for. */
export function operate(call: Call, world: World): Reply {
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
