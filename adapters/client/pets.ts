import { parseInt64 } from './int64.ts'
import { findWrong, petRules } from './options.ts'
import { createInvalidResponse, type ReadResponse, readJson } from './responses.ts'
import type { Pet } from './types.ts'

/** Returns the animals of a response. Throws a `PetApiError` that names the wrong member. */
export function readPets(read: ReadResponse): readonly Pet[] {
  const { value, exact } = readJson(read)
  if (!Array.isArray(value)) throw createInvalidResponse(read, 'the body is not an array')
  return value.map((pet, i) => readPet(read, { value: pet, exact: Object(exact)[i] }, `pets[${i}]`))
}

/** Returns the animal of a response or of a part of its body. Throws a `PetApiError` that names the wrong member. */
export function readPet(
  read: ReadResponse,
  { value, exact }: ReturnType<typeof readJson> = readJson(read),
  where = 'pet',
): Pet {
  const pet = { ...Object(value) }
  for (const name of ['id', 'categoryId'])
    pet[name] = typeof pet[name] === 'number' ? parseInt64(Object(exact)[name]) : undefined
  const { id, name, categoryId, status } = pet
  const wrong = findWrong({ id, name, categoryId, status }, petRules)
  if (wrong) throw createInvalidResponse(read, `${where}.${wrong} is missing or wrong`)
  return pet
}
