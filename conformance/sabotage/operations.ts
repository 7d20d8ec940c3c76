import { type ApiRequest, type ApiResponse, errorResponse, jsonResponse } from './exchange.ts'
import { isObject, type Json, type JsonObject, readJson } from './json.ts'
import type { Animal, World } from './world.ts'

/** Carries out the request of a caller with a valid key. */
export function operate(request: ApiRequest, world: World): ApiResponse {
  if (request.operation === 'listPets') return listPets(request, world)
  if (request.operation === 'createPet') return createPet(request, world)
  if (request.operation === 'getPet') return getPet(request, world)
  return errorResponse(404, 'no_such_route', 'No such route.')
}

function listPets({ query: { limit = '20', status } }: ApiRequest, { animals }: World): ApiResponse {
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) {
    return errorResponse(400, 'bad_limit', 'limit is a whole number from 1 to 100.')
  }
  if (status !== undefined && !isStatus(status)) return errorResponse(400, 'bad_status', 'No such status.')
  const matching = animals.filter((animal) => status === undefined || animal.status === status)
  return jsonResponse(200, matching.slice(0, Number(limit)).map(petJson))
}

function getPet({ petId }: ApiRequest, { animals }: World): ApiResponse {
  const animal = /^-?\d+$/.test(petId) && animals.find(({ id }) => id === BigInt(petId))
  return animal
    ? jsonResponse(200, petJson(animal))
    : errorResponse(404, 'no_such_animal', 'No animal has this id.')
}

function createPet({ body }: ApiRequest, world: World): ApiResponse {
  const newPet = readNewPet(body)
  if (typeof newPet === 'string') return errorResponse(400, 'bad_body', newPet)
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

/** Returns a valid body's members, or what is wrong with it. */
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

function petJson({ id, name, categoryId, status }: Animal): JsonObject {
  return { id, name, categoryId, ...(status !== undefined && { status }) }
}
