import { always, isCreate, isList, type When } from '../change.ts'
import type { Change } from '../deployment.ts'
import { replaced, withEach } from '../edit.ts'
import { type ApiResponse, errorResponse } from '../exchange.ts'
import { allowedBy, type Legal } from '../variant.ts'

/** Freedoms of a deployment after a creation: when it shows the animal, and what it does with a creation that comes again. */
export const legalLater: readonly Legal[] = allowedBy({
  consistency: {
    'shows a created animal after half a second': visibleAfter(500),
    'lists a created animal after two seconds': visibleAfter(2000, isList),
    'lists an animal under its first name for two seconds': namedAfter(2000),
  },
  'a creation that is sent twice': {
    'returns the first response to a creation with the same Idempotency-Key': replaying(201),
    'rejects a creation with the same Idempotency-Key': replaying(409),
  },
})

/** Responds in another way to a creation whose `Idempotency-Key` came before. */
function replaying(status: 201 | 409): Change {
  const first = new Map<string, ApiResponse>()
  return {
    prepare: () => first.clear(),
    middleware: (request, next) => {
      const { idempotencyKey } = request
      const known = idempotencyKey === undefined ? undefined : first.get(idempotencyKey)
      if (known !== undefined) {
        return status === 201
          ? replaced(next({ ...request, body: '' }), known)
          : replaced(next({ ...request, body: '' }), errorResponse(status))
      }
      const response = next(request)
      if (idempotencyKey !== undefined) first.set(idempotencyKey, response)
      return response
    },
  }
}

/** Lists created animals under a name of its own for so many milliseconds. */
function namedAfter(delay: number): Change {
  const createdAt = new Map<bigint, number>()
  return {
    prepare: () => createdAt.clear(),
    middleware: (request, next, world) => {
      const now = world.clock.now()
      const response = next(request)
      if (response.status === 201) createdAt.set(world.nextId - 1n, now)
      if (!isList(request) || response.status !== 200) return response
      return withEach(response, (pet) => {
        const at = typeof pet.id === 'bigint' ? createdAt.get(pet.id) : undefined
        return at !== undefined && at + delay > now ? { ...pet, name: 'New' } : pet
      })
    },
  }
}

/** Hides every created animal from some requests for so many milliseconds. */
export function visibleAfter(delay: number, when: When = always): Change {
  const createdAt = new Map<bigint, number>()
  return {
    prepare: () => createdAt.clear(),
    middleware: (request, next, world) => {
      const now = world.clock.now()
      const all = world.animals
      if (!isCreate(request) && when(request))
        world.animals = all.filter(({ id }) => (createdAt.get(id) ?? 0) + delay <= now)
      const response = next(request)
      world.animals = all
      if (response.status === 201) createdAt.set(world.nextId - 1n, now)
      return response
    },
  }
}
