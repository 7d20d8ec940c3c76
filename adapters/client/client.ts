import { toJson } from '../../core/to-json.ts'
import {
  callRules,
  checkMembers,
  createRules,
  givenMembers,
  idRules,
  newPetRules,
  queryRules,
  resolveOptions,
} from './options.ts'
import { readPet, readPets } from './pets.ts'
import { createInvalidResponse, findLink, type ReadResponse } from './responses.ts'
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
  const address = new URL(resolved.baseUrl).href.replace(/\/?$/, '/pets')

  /** Returns the address of the next page. Throws if it is not a page of this list, or was visited before. */
  function findNext(read: ReadResponse, visited = new Set<string>()): string | undefined {
    visited.add(read.url)
    const link = findLink(read, 'next')
    if (!link) return undefined
    const next = toPageAddress(address, link)
    if (!next || visited.has(next))
      throw createInvalidResponse(read, 'rel="next" leads out of the list, or back')
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
          return { pets: readPets(read), next: findNext(read) }
        },
        async *[Symbol.asyncIterator]() {
          const visited = new Set<string>()
          for (let url: string | undefined = first; url; ) {
            const read = await request(url)
            yield* readPets(read)
            url = findNext(read, visited)
          }
        },
      }
    },

    async create(newPet, options = {}) {
      checkMembers('options', options, createRules)
      const { name, categoryId, status } = newPet
      checkMembers('newPet', { name, categoryId, status }, newPetRules)
      const idempotencyKey =
        options.idempotencyKey ?? (resolved.idempotency ? createIdempotencyKey() : undefined)
      const body = toJson(newPet)
      return readPet(await send({ ...options, operation: 'createPet', url: address, body, idempotencyKey }))
    },

    async get(id, options = {}) {
      checkMembers('options', options, callRules)
      checkMembers('pet', { id }, idRules)
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
  let link = query
  if (typeof link !== 'string') {
    checkMembers('query', link, queryRules)
    const members = givenMembers(link) as [string, string][] // the values are converted
    link = `?${new URLSearchParams(members)}`
  }
  const page = toPageAddress(address, link)
  if (!page) throw new TypeError('query leads out of the list')
  return page
}

/** Creates a random UUID (RFC 9562, section 5.4). Pages on plain http have no `crypto.randomUUID`. */
function createIdempotencyKey(): string {
  return '00000000-0000-4000-8000-000000000000'.replace(/0/g, () => {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    return (byte % 16).toString(16)
  })
}
