import { toJson } from '../../core/to-json.ts'
import {
  callRules,
  checkMembers,
  createRules,
  givenMembers,
  petRules,
  queryRules,
  resolveOptions,
} from './options.ts'
import { readPet, readPets } from './pets.ts'
import { findLink, invalidResponse, type ReadResponse } from './responses.ts'
import { createSend } from './send.ts'
import type { ListQuery, PetClient, PetClientOptions } from './types.ts'

/**
 * Creates a client of a deployment of the interface. It waits for the rate limits, retries what may be sent again, and
 * validates each response.
 *
 * @throws {TypeError} An option is missing, unknown or wrong. The message names it.
 * @example
 * import { createPetClient } from 'pet-adoption-service/client'
 *
 * const pets = createPetClient({ baseUrl: 'https://pets.example.com/v1', apiKey: 'my-first-long-api-key' })
 * for await (const pet of pets.list({ status: 'available' })) console.log(pet.id, pet.name)
 * const rex = await pets.create({ name: 'Rex', categoryId: 7n })
 */
export function createPetClient(options: PetClientOptions): PetClient {
  const resolved = resolveOptions(options)
  const send = createSend(resolved)
  const { origin, pathname } = new URL(resolved.baseUrl)
  const address = `${origin}${pathname.replace(/\/$/, '')}/pets`

  /** Returns the address of the next page. Throws if it is not a page of this list, or was visited before. */
  function findNext(read: ReadResponse, visited: ReadonlySet<string>): string | undefined {
    const link = findLink(read, 'next')
    const next = link && toPageAddress(address, link)
    if (link && (!next || visited.has(next)))
      throw invalidResponse(read, 'rel="next" leads out of the list, or back')
    return next
  }

  return {
    list(query = {}, options = {}) {
      checkMembers('options', options, callRules)
      const first = toFirstAddress(address, query)
      const request = (url: string) => send({ ...options, operation: 'listPets', url })
      return {
        async page() {
          const read = await request(first)
          return { pets: readPets(read), next: findNext(read, new Set([first])) }
        },
        async *[Symbol.asyncIterator]() {
          const visited = new Set<string>()
          for (let url: string | undefined = first; url; ) {
            const read = await request(url)
            yield* readPets(read)
            url = findNext(read, visited.add(url))
          }
        },
      }
    },

    async create(newPet, options = {}) {
      checkMembers('options', options, createRules)
      const { name = null, categoryId = null, status } = newPet // null is wrong, undefined would be left out
      checkMembers('newPet', { name, categoryId, status }, petRules)
      const idempotencyKey =
        options.idempotencyKey ?? (resolved.idempotency ? createIdempotencyKey() : undefined)
      const body = toJson(newPet)
      return readPet(await send({ ...options, operation: 'createPet', url: address, body, idempotencyKey }))
    },

    async get(id, options = {}) {
      checkMembers('options', options, callRules)
      checkMembers('pet', { id: id ?? null }, petRules)
      return readPet(await send({ ...options, operation: 'getPet', url: `${address}/${id}` }))
    },
  }
}

/** Returns a link as the address of a page of the list, without credentials and fragment; undefined if it is not one. */
function toPageAddress(address: string, link: string): string | undefined {
  const { origin, pathname, search } = new URL(link, address)
  return origin + pathname === address ? address + search : undefined
}

function toFirstAddress(address: string, query: ListQuery | string): string {
  if (typeof query === 'string') {
    const page = toPageAddress(address, query)
    if (!page) throw new TypeError('query is not a page of this list')
    return page
  }
  checkMembers('query', query, queryRules)
  const search = new URLSearchParams(givenMembers(query).map(([name, value]) => [name, String(value)]))
  return search.size > 0 ? `${address}?${search}` : address
}

/** Creates an idempotency key of 128 random bits. Pages on plain http have no `crypto.randomUUID`. */
const createIdempotencyKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')
