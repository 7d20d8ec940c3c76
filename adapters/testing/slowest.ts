import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createKeyStore, createPetService, type PetService, sha256 } from '../../core/index.ts'
import { serviceRequest } from '../../core/testing/service-request.ts'
import { createRandom } from './fuzz/random.ts'
import { type Place, places } from './slowest/places.ts'
import { describe, randomShape, type Shape, textOf } from './slowest/shape.ts'

/** The slowest request that was found for a place, and how long it took, in milliseconds. */
export interface Slowest {
  readonly place: Place
  readonly shape: Shape
  readonly ms: number
}

/** How often a request is timed in the search, and before it counts as slow. The shortest time counts, for busy machines. */
const attempts = 3
const finalAttempts = 100

/**
 * Tries random requests on the service, in this process, for as long as `goesOn` returns true. Resolves with the slowest of each
 * place of a request, those nearest to their bound first.
 */
export async function findSlowest(seed: number, goesOn: () => boolean): Promise<readonly Slowest[]> {
  const service = createTimedService()
  const random = createRandom(seed)
  const slowest = new Map<Place, Slowest>()
  while (goesOn())
    for (const place of places) {
      const shape = randomShape(random, place)
      const ms = await quickest(service, place, shape, attempts)
      if (ms > (slowest.get(place)?.ms ?? 0)) slowest.set(place, { place, shape, ms })
    }
  for (const { place, shape } of slowest.values())
    slowest.set(place, { place, shape, ms: await quickest(service, place, shape, finalAttempts) })
  return [...slowest.values()].sort((a, b) => b.ms / b.place.maxMs - a.ms / a.place.maxMs)
}

/** Creates a service with every option that reads requests. Its one key is never rate-limited. */
function createTimedService(): PetService {
  const limits = { minute: 100_000_000, day: 100_000_000 }
  return createPetService({
    keys: createKeyStore([{ id: 'good', sha256: sha256('good'), plan: 'enterprise', limits }]),
    trustProxy: ['10.0.0.0/8', '192.168.0.0/16', 'fd00::/8', '2001:db8::/32'],
    cors: ['https://pets.example', 'https://shelter.example'],
    requestId: () => 'id',
    onResponse: () => {},
  })
}

/** Returns the shortest time of a request in `times` attempts, in milliseconds. */
async function quickest(service: PetService, place: Place, shape: Shape, times: number): Promise<number> {
  const request = serviceRequest(place.request(textOf(shape, place.maxBytes)))
  let shortest = Number.POSITIVE_INFINITY
  for (let left = times; left > 0; left--) {
    const began = performance.now()
    await service.handle(request)
    shortest = Math.min(shortest, performance.now() - began)
  }
  return shortest
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Date.now()) },
    },
  })
  console.log(`seed ${values.seed}, ${values.seconds} s`)
  const deadline = performance.now() + Number(values.seconds) * 1000
  const slowest = await findSlowest(Number(values.seed), () => performance.now() < deadline)
  for (const { place, shape, ms } of slowest) {
    const excess = ms > place.maxMs ? 'TOO SLOW ' : ''
    console.log(`${excess}${place.name}: ${ms.toFixed(3)} ms of ${place.maxMs}: ${describe(shape)}`)
  }
  process.exitCode = slowest.some(({ place, ms }) => ms > place.maxMs) ? 1 : 0
}
