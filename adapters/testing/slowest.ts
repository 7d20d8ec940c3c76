// Searches for the requests that take core longest, in this process, and exits with 1 where one takes longer than its
// bound.
import { parseArgs } from 'node:util'
import { createKeyStore, createPetService, sha256 } from '../../core/index.ts'
import { serviceRequest } from '../../core/testing/service-request.ts'
import { createRandom } from '../contracts/random.ts'
import { type Place, places } from './slowest/places.ts'

/** How often a request is timed in the search, and before it counts as slow. The shortest time counts. */
const attempts = 3
const finalAttempts = 100

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now()) },
  },
})

const limits = { minute: 100_000_000, day: 100_000_000 }
/** Has every option that reads requests. Its one key is never rate-limited. */
const service = createPetService({
  keys: createKeyStore([{ id: 'good', sha256: sha256('good'), plan: 'enterprise', limits }]),
  trustProxy: ['10.0.0.0/8', '192.168.0.0/16', 'fd00::/8', '2001:db8::/32'],
  cors: ['https://pets.example', 'https://shelter.example'],
  requestId: () => 'id',
  onResponse: () => {},
})

/** A text of any length: some tokens, then a repeated unit, then a closer as often. */
interface Shape {
  readonly start: string
  readonly unit: string
  readonly closer: string
  readonly after: string
}

const { whole, pick } = createRandom(Number(values.seed))

/** Returns so many of the tokens, joined. */
const some = (count: number, tokens: readonly string[]) =>
  Array.from({ length: count }, () => pick(tokens)).join('')

function randomShape({ tokens, frames }: Place): Shape {
  const [before, after] = pick(frames)
  const closer = whole(1, 5) === 1 ? some(whole(0, 2), tokens) : ''
  return { start: before + some(whole(0, 2), tokens), unit: some(whole(1, 4), tokens), closer, after }
}

/** Returns the longest text of a shape that fits in `maxBytes` bytes of UTF-8. */
function textOf({ start, unit, closer, after }: Shape, maxBytes: number): string {
  const room = maxBytes - Buffer.byteLength(start + after)
  const times = Math.floor(room / Math.max(1, Buffer.byteLength(unit + closer)))
  return start + unit.repeat(times) + closer.repeat(times) + after
}

/** Returns the shortest time of a request in `times` attempts, in milliseconds. */
async function quickest(place: Place, shape: Shape, times: number): Promise<number> {
  const request = serviceRequest(place.request(textOf(shape, place.maxBytes)))
  let shortest = Number.POSITIVE_INFINITY
  for (let left = times; left > 0; left--) {
    const began = performance.now()
    await service.handle(request)
    shortest = Math.min(shortest, performance.now() - began)
  }
  return shortest
}

console.log(`seed ${values.seed}, ${values.seconds} s`)
const slowest = new Map<Place, { readonly shape: Shape; readonly ms: number }>()
for (const deadline = performance.now() + Number(values.seconds) * 1000; performance.now() < deadline; )
  for (const place of places) {
    const shape = randomShape(place)
    const ms = await quickest(place, shape, attempts)
    if (ms > (slowest.get(place)?.ms ?? 0)) slowest.set(place, { shape, ms })
  }
for (const [place, { shape }] of slowest) {
  const ms = await quickest(place, shape, finalAttempts)
  const isTooSlow = ms > place.maxMs
  if (isTooSlow) process.exitCode = 1
  const found = `${place.name}: ${ms.toFixed(3)} ms of ${place.maxMs}: ${JSON.stringify(shape)}`
  console.log(`${isTooSlow ? 'TOO SLOW ' : ''}${found}`)
}
