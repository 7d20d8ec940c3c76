import { parseInt64 } from './int64.ts'
import { createInvalidResponse, type ReadResponse, readJson } from './responses.ts'
import { findProblem, petRules } from './rules.ts'
import type { Pet } from './types.ts'

/** Reads an array with animals from a response body. Throws a `PetApiError` that names the invalid member. */
export function readPets(read: ReadResponse): readonly Pet[] {
  const { value, exact } = readJson(read)
  if (!Array.isArray(value)) throw createInvalidResponse(read, 'the body must be an array')
  return value.map((pet, i) => readPet(read, { value: pet, exact: Object(exact)[i] }, `pets[${i}]`))
}

/** Reads an animal from a response body. Throws a `PetApiError` that names the invalid member. */
export function readPet(
  read: ReadResponse,
  { value, exact }: ReturnType<typeof readJson> = readJson(read),
  where = 'pet',
): Pet {
  const pet = { ...Object(value) }
  for (const name of ['id', 'categoryId'])
    pet[name] = typeof pet[name] === 'number' ? parseInt64(Object(exact)[name]) : undefined
  const petProblem = findProblem(where, pet, petRules)
  if (petProblem) throw createInvalidResponse(read, petProblem)
  return pet
}
