import { toJson } from '../../core/to-json.ts'
import { findLink } from './links.ts'
import { dropUndefined, resolveOptions } from './options.ts'
import { readPet, readPets } from './pets.ts'
import { createInvalidResponse, type ReadResponse } from './responses.ts'
import {
  callRules,
  checkMembers,
  checkOptions,
  createRules,
  idRules,
  newPetRules,
  queryRules,
} from './rules.ts'
import { createSender } from './send.ts'
import type { ListQuery, PetClient, PetClientOptions } from './types.ts'

/**
 * Creates a client for a pet API deployment. The client waits while it is rate-limited, retries requests that are safe
 * to repeat, and validates every response.
 *
 * @throws {TypeError} An option is missing, unknown or invalid.
 *
 * @example
 * import { createPetClient } from 'pet-adoption-service/client'
 *
 * const pets = createPetClient({ baseUrl: 'https://pets.example.com/v1', apiKey: 'my-first-long-api-key' })
 * for await (const pet of pets.list({ status: 'available' })) console.log(pet.id, pet.name)
 * const rex = await pets.create({ name: 'Rex', categoryId: 7n })
 */
export function createPetClient(options: PetClientOptions): PetClient {
  const resolvedOptions = resolveOptions(options)
  const sendRequest = createSender(resolvedOptions)
  const address = new URL(resolvedOptions.baseUrl).href.replace(/\/?$/, '/pets')

  /**
   * Returns the next page's URL, or `undefined` on the last page. Throws a {@link PetApiError} if the link points
   * outside the list, or to a page that was already read.
   */
  function findNext(read: ReadResponse, visited = new Set<string>()): string | undefined {
    visited.add(read.url)
    const link = findLink(read, 'next')
    if (!link) return undefined
    const nextPageAddress = toPageAddress(address, link)
    if (!nextPageAddress || visited.has(nextPageAddress))
      throw createInvalidResponse(read, 'the rel="next" link must be another page of the list')
    return nextPageAddress
  }

  return {
    list(query = {}, options = {}) {
      checkOptions('options', options, callRules)
      const firstPageAddress = toFirstAddress(address, query)
      const request = (url: string) => sendRequest({ ...options, operation: 'listPets', url })
      return {
        async page() {
          const firstResponse = await request(firstPageAddress)
          return { pets: readPets(firstResponse), next: findNext(firstResponse) }
        },
        async *[Symbol.asyncIterator]() {
          const visitedAddresses = new Set<string>()
          for (let url: string | undefined = firstPageAddress; url; ) {
            const pageResponse = await request(url)
            yield* readPets(pageResponse)
            url = findNext(pageResponse, visitedAddresses)
          }
        },
      }
    },

    async create(newPet, options = {}) {
      checkOptions('options', options, createRules)
      checkMembers('newPet', newPet, newPetRules)
      const idempotencyKey =
        options.idempotencyKey ?? (resolvedOptions.idempotency ? createIdempotencyKey() : undefined)
      const body = toJson(newPet)
      return readPet(
        await sendRequest({ ...options, operation: 'createPet', url: address, body, idempotencyKey }),
      )
    },

    async get(id, options = {}) {
      checkOptions('options', options, callRules)
      checkMembers('pet', { id }, idRules)
      return readPet(await sendRequest({ ...options, operation: 'getPet', url: `${address}/${id}` }))
    },
  }
}

/**
 * Resolves a link to a page URL. Returns `undefined` if the link points outside the list. Credentials and fragment are
 * dropped.
 */
function toPageAddress(address: string, link: string): string | undefined {
  const { origin, pathname, search } = new URL(link, address)
  return origin + pathname === address ? address + search : undefined
}

function toFirstAddress(address: string, query: ListQuery | string): string {
  let link = query
  if (typeof link !== 'string') {
    checkOptions('query', link, queryRules)
    link = `?${new URLSearchParams(dropUndefined(link) as Record<string, string>)}` // URLSearchParams converts numbers and bigints to strings
  }
  const pageAddress = toPageAddress(address, link)
  if (!pageAddress) throw new TypeError('query must be a link to a page')
  return pageAddress
}

/**
 * Returns a random UUID (RFC 9562, section 5.4). `crypto.randomUUID` is missing on pages that are served over plain
 * HTTP.
 */
function createIdempotencyKey(): string {
  return '00000000-0000-4000-8000-000000000000'.replace(/0/g, () => {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    return (byte % 16).toString(16)
  })
}
