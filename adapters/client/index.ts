import { readPet, readPets, toInt64 } from './pets.ts'
import { invalidResponse, linkOf, type Reply } from './responses.ts'
import { createSend } from './send.ts'
import type { Pet, PetClientOptions, PetStatus } from './types.ts'
import { withTimeout } from './with-timeout.ts'

export { PetApiError } from './responses.ts'
export type {
  DeprecationEvent,
  Pet,
  PetClientOptions,
  PetStatus,
  RetryEvent,
} from './types.ts'

/** An animal to create. Members that the interface does not know are sent as they are. */
export interface NewPet {
  /** The name of the new animal. */
  readonly name: string
  /** An int64: a bigint, or a number that is a safe integer. */
  readonly categoryId: bigint | number
  /** Left to the deployment by default. */
  readonly status?: PetStatus
  /** Further members are sent as they are. */
  readonly [member: string]: unknown
}

/** Which animals to list. */
export interface ListQuery {
  /** How many animals a page has: 1 to 100, 20 by default. An iteration reads all pages, whatever their size. */
  readonly limit?: number
  /** Only animals of this status. */
  readonly status?: PetStatus
  /** Only animals after the one with this id, on deployments that support it, such as this service. */
  readonly after?: bigint | number
}

/** The options of one call. */
export interface CallOptions {
  /** Ends the call at once with the signal's reason, also during a wait. */
  readonly signal?: AbortSignal
  /** How long one attempt may take, in milliseconds; that of the client by default. */
  readonly timeoutMs?: number
}

/** The options of a creation. */
export interface CreateOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters without `"` and `\`; by default a new UUID for each call. */
  readonly idempotencyKey?: string
}

/** A page of a list. */
export interface PetPage {
  /** The animals of the page. */
  readonly pets: readonly Pet[]
  /**
   * The address of the next page, for `list`; undefined after the last one. The interface leaves pages open: on a
   * deployment that sends no `Link`, the first page is the only one that can be read.
   */
  readonly next: string | undefined
}

/** The animals of all pages. Each iteration requests the first page anew. */
export interface PetList extends AsyncIterable<Pet> {
  /** Requests one page. */
  page(): Promise<PetPage>
}

/**
 * A client of one deployment, with one key. A call rejects with `PetApiError` for a response that is no success, with
 * the error of `fetch`, a `TimeoutError`, or the reason of its signal. A wrong argument is a `TypeError`, before
 * anything is sent.
 */
export interface PetClient {
  /** Lists animals (section 4.1). The `next` of a page may take the place of a query. */
  list(query?: ListQuery | string, options?: CallOptions): PetList
  /** Adds an animal (section 4.2). */
  create(newPet: NewPet, options?: CreateOptions): Promise<Pet>
  /**
   * Returns one animal (section 4.3).
   *
   * @deprecated The operation is removed on 5 December 2030. `list({ status })` replaces it.
   */
  get(id: bigint | number, options?: CallOptions): Promise<Pet>
}

/**
 * Creates a client of a deployment of the interface, which keeps its rules for clients: it waits when it is told to,
 * sends again what may be sent again, and validates responses.
 *
 * @throws {TypeError} An option is missing, unknown or wrong; the message names it.
 * @example
 * import { createPetClient } from 'pet-adoption-service/client'
 *
 * const pets = createPetClient({ baseUrl: 'https://pets.example.com/v1', apiKey: 'my-first-long-api-key' })
 * for await (const pet of pets.list({ status: 'available' })) console.log(pet.id, pet.name)
 * const rex = await pets.create({ name: 'Rex', categoryId: 7n })
 */
export function createPetClient(options: PetClientOptions): PetClient {
  const settings = readClientOptions(options)
  const send = createSend(settings)
  const { origin, pathname } = new URL(settings.baseUrl)
  const address = `${origin}${pathname.replace(/\/$/, '')}/pets`

  /** Returns the address of the page after one. Throws if it is none of this list, or was visited before. */
  function nextOf(reply: Reply, visited: ReadonlySet<string>): string | undefined {
    const link = linkOf(reply, 'next')
    const next = link && pageAddress(address, link)
    if (link && (!next || visited.has(next)))
      throw invalidResponse(reply, 'rel="next" leads out of the list, or back')
    return next
  }

  return {
    list(query = {}, options = {}) {
      checkMembers('options', options, callRules)
      const first = firstAddress(address, query)
      const request = (url: string) => send({ ...options, operation: 'listPets', url })
      return {
        async page() {
          const reply = await request(first)
          return { pets: readPets(reply), next: nextOf(reply, new Set([first])) }
        },
        async *[Symbol.asyncIterator]() {
          const visited = new Set<string>()
          for (let url: string | undefined = first; url; ) {
            const reply = await request(url)
            yield* readPets(reply)
            url = nextOf(reply, visited.add(url))
          }
        },
      }
    },

    async create(newPet, options = {}) {
      checkMembers('options', options, createRules)
      const { name = null, categoryId = null, status } = newPet // null is wrong where undefined would be left out
      checkMembers('newPet', { name, categoryId, status }, petRules)
      const idempotencyKey = options.idempotencyKey ?? (settings.idempotency ? createUuid() : undefined)
      // `JSON.stringify` has no form for a bigint
      const others = JSON.stringify({ ...newPet, categoryId: undefined }).slice(0, -1)
      const body = `${others},"categoryId":${newPet.categoryId}}`
      return readPet(await send({ ...options, operation: 'createPet', url: address, body, idempotencyKey }))
    },

    async get(id, options = {}) {
      checkMembers('options', options, callRules)
      checkMembers('pet', { id: id ?? null }, petRules)
      return readPet(await send({ ...options, operation: 'getPet', url: `${address}/${id}` }))
    },
  }
}

/** Returns the address of a page of the list that a link leads to, without credentials and a fragment. */
function pageAddress(address: string, link: string): string | undefined {
  const { origin, pathname, search } = new URL(link, address)
  return origin + pathname === address ? address + search : undefined
}

function firstAddress(address: string, query: ListQuery | string): string {
  if (typeof query === 'string') {
    const page = pageAddress(address, query)
    if (!page) throw new TypeError('query is not the next of a page of this list')
    return page
  }
  checkMembers('query', query, queryRules)
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length > 0 ? `${address}?${new URLSearchParams(given)}` : address
}

/** A random UUID. Pages on plain http have no `crypto.randomUUID`. */
function createUuid(): string {
  return '00000000-0000-4000-8000-000000000000'.replace(/[08]/g, (digit) => {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    return (digit === '8' ? 8 + (byte & 3) : byte & 15).toString(16)
  })
}

/** For each member that an object may have, the type of its value, or whether a value is right. */
type Rules = Readonly<Record<string, string | ((value: unknown) => boolean)>>

const isInt64 = (value: unknown) => toInt64(value) !== undefined
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0 // an integer is a number
const isText = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)

const petRules: Rules = { id: isInt64, name: 'string', categoryId: isInt64, status: 'string' }
const queryRules: Rules = { limit: 'number', status: 'string', after: isInt64 }
const callRules: Rules = { signal: (value) => value instanceof AbortSignal, timeoutMs: isCount }
const createRules: Rules = { ...callRules, idempotencyKey: isText(/^[!#-[\]-~]{1,255}$/) }

/** Throws a `TypeError` that names an unknown or wrong member, and never its value, which may be a key. */
function checkMembers(what: string, value: object, rules: Rules): void {
  for (const [name, member] of Object.entries(value)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : 'unknown'
    const isRight = typeof rule === 'function' ? rule(member) : typeof member === rule
    if (member !== undefined && !isRight) throw new TypeError(`${what}.${name} is missing, wrong or unknown`)
  }
}

const defaults = {
  fetch: (request: Request) => globalThis.fetch(request),
  pace: false,
  maxWaitMs: 120_000,
  maxRetries: 4,
  timeoutMs: 30_000,
  idempotency: true,
  onDeprecation: (event: unknown) => console.warn('Deprecated operation:', event),
  onRetry() {},
  /** Never steps, as the time of day does. */
  clock: () => performance.timeOrigin + performance.now(),
  sleep: (ms: number, signal: AbortSignal) =>
    withTimeout(ms, signal, () => new Promise(() => {})).catch(() => {}),
  random: Math.random,
}
const clientRules: Rules = {
  baseUrl: (value) =>
    (typeof value === 'string' || value instanceof URL) &&
    /^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i.test(String(value)) &&
    URL.canParse(value),
  apiKey: isText(/^[!-~]+$/),
  ...Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      typeof value === 'number' ? isCount : typeof value,
    ]),
  ),
}

/** Checks the options of a client, and fills in the defaults. Throws a `TypeError` that names the bad one. */
function readClientOptions(options: PetClientOptions): Required<PetClientOptions> {
  const { baseUrl = null, apiKey = null } = options // null is wrong where undefined would be left out
  checkMembers('options', { ...options, baseUrl, apiKey }, clientRules)
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...(Object.fromEntries(given) as typeof options) }
}
