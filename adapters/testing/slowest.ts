// Searches for the requests that take core longest, in this process, and exits with 1 if one takes longer than its
// bound.
import { parseArgs } from 'node:util'
import { createKeyStore, createPetService, sha256 } from '../../core/index.ts'
import { type Asked, serviceRequest } from '../../core/testing/service-request.ts'
import { createRandom } from '../contracts/random.ts'
import { headerValues, json, odd, query } from './fuzz/words.ts'

/** Number of times a request is timed in the search, and before it counts as slow. The shortest time counts. */
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

type Frame = readonly [before: string, after: string]

/** A part of a request whose text the client chooses. */
interface Place {
  readonly name: string
  /** The maximum size of its text, in bytes. */
  readonly maxBytes: number
  /** Maximum time of a request with the longest text, in milliseconds. */
  readonly maxMs: number
  /** The parts of its text. */
  readonly tokens: readonly string[]
  /** Text before and after, so that the service reads as far as possible. */
  readonly frames: readonly Frame[]
  request(text: string): Asked
}

const key = { host: 'pets.example', authorization: 'Bearer good' }
const anywhere: readonly Frame[] = [['', '']]
const creation = { method: 'POST', body: '{"name":"Rex","categoryId":1}' }

/** A place in the head of a request. */
function inHead(
  name: string,
  tokens: readonly string[],
  request: Place['request'],
  frames: readonly Frame[] = [],
): Place {
  return { name, maxBytes: 16 * 1024, maxMs: 3, tokens, frames: [...anywhere, ...frames], request }
}

const field = (name: string, tokens: readonly string[], { headers, ...asked }: Asked = {}): Place =>
  inHead(name, [...tokens, ...odd], (text) => ({ ...asked, headers: { ...key, ...headers, [name]: text } }))

/** Every place of a request that core reads. */
const places: readonly Place[] = [
  inHead('query', [...query, ...odd], (text) => ({ target: `/v1/pets?${text}`, headers: key }), [
    ['limit=5&', ''],
    ['status=', '&limit=100'],
    ['after=', ''],
  ]),
  inHead('petId', odd, (text) => ({ target: `/v1/pets/${text}`, headers: key })),
  inHead('target', odd, (target) => ({ target, headers: key }), [
    ['/', ''],
    ['http://', '/v1/pets'],
  ]),
  field('authorization', ['Bearer', 'bearer ', ', ', '=']),
  field('host', ['pets.example', '[::1]']),
  field('content-type', ['application/json', ';', 'charset=utf-8', '="', '\\"'], creation),
  field('content-encoding', headerValues, creation),
  field('transfer-encoding', headerValues),
  field('expect', headerValues),
  field('origin', headerValues, { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }),
  inHead(
    'x-forwarded-for',
    ['10.1.1.1', '2001:db8::1', '::', ', ', ',', ...odd],
    (text) => ({ headers: { host: 'pets.example', 'x-forwarded-for': text }, client: '10.0.0.1' }),
    [['', ',10.1.1.1']],
  ),
  {
    name: 'body',
    maxBytes: 64 * 1024,
    maxMs: 10,
    tokens: [...json, '\\', '\\"', '"', '"a":1,', '"\\u0061":1,', '0', '9', 'e', '-', '.', 'é', '🐈'],
    frames: [
      ...anywhere,
      ['{"name":"', '","categoryId":1}'],
      ['{"name":"Rex","categoryId":', '}'],
      ['{"name":"Rex","categoryId":1', 'e1}'],
      ['{"name":"Rex","x":', ',"categoryId":1}'],
      ['{"name":"Rex","categoryId":1.0,', '"\\u0063ategoryId":2.5}'],
    ],
    request: (text) => ({ method: 'POST', headers: key, body: text }),
  },
]

const { whole, pick } = createRandom(Number(values.seed))

/** Returns `count` of the tokens, joined. */
const some = (count: number, tokens: readonly string[]) =>
  Array.from({ length: count }, () => pick(tokens)).join('')

/** Returns a text as long as its place allows: some tokens, then a repeated unit, then a closer as often. */
function randomText({ tokens, frames, maxBytes }: Place): string {
  const [before, after] = pick(frames)
  const start = before + some(whole(0, 2), tokens)
  const unit = some(whole(1, 4), tokens)
  const closer = whole(1, 5) === 1 ? some(whole(0, 2), tokens) : ''
  const room = maxBytes - Buffer.byteLength(start + after)
  const times = Math.floor(room / Math.max(1, Buffer.byteLength(unit + closer)))
  return start + unit.repeat(times) + closer.repeat(times) + after
}

/** Returns the shortest time of a request in `times` attempts, in milliseconds. */
async function quickest(place: Place, text: string, times: number): Promise<number> {
  const request = serviceRequest(place.request(text))
  let shortest = Number.POSITIVE_INFINITY
  for (let left = times; left > 0; left--) {
    const began = performance.now()
    await service.handle(request)
    shortest = Math.min(shortest, performance.now() - began)
  }
  return shortest
}

console.log(`seed ${values.seed}, ${values.seconds} s`)
const slowest = new Map<Place, { readonly text: string; readonly ms: number }>()
for (const deadline = performance.now() + Number(values.seconds) * 1000; performance.now() < deadline; )
  for (const place of places) {
    const text = randomText(place)
    const ms = await quickest(place, text, attempts)
    if (ms > (slowest.get(place)?.ms ?? 0)) slowest.set(place, { text, ms })
  }
for (const [place, { text }] of slowest) {
  const ms = await quickest(place, text, finalAttempts)
  const isTooSlow = ms > place.maxMs
  if (isTooSlow) process.exitCode = 1
  const found = `${place.name}: ${ms.toFixed(3)} ms of ${place.maxMs}: ${JSON.stringify(text.slice(0, 100))}`
  console.log(`${isTooSlow ? 'TOO SLOW ' : ''}${found}`)
}
