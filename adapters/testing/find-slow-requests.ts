// Searches for requests that the service handles slowly: random parts are repeated until they fill a header, a target
// or a body. Exits with 1 if a request takes longer than its maximum.
import { parseArgs } from 'node:util'
import { createKeyStore, createPetService, sha256 } from '../../core/index.ts'
import { createServiceRequest, type RequestOptions } from '../../core/testing/service-request.ts'
import { createRandom } from '../contracts/random.ts'
import { headerValues, jsonTokens, oddText, queryParts } from './fuzz/words.ts'

/** How many times each text is measured. The fastest time counts. */
const attemptsPerText = 3
const finalAttemptsPerText = 100

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now()) },
  },
})

const limits = { minute: 100_000_000, day: 100_000_000 }
/** A service with many options, so that all parsers run. */
const service = createPetService({
  keys: createKeyStore([{ id: 'good', sha256: sha256('good'), plan: 'enterprise', limits }]),
  trustProxy: ['10.0.0.0/8', '192.168.0.0/16', 'fd00::/8', '2001:db8::/32'],
  cors: ['https://pets.example', 'https://shelter.example'],
  requestId: () => 'id',
  onResponse: () => {},
})

type Frame = readonly [before: string, after: string]

/** The place in a request where random text is inserted. */
interface InputPlace {
  readonly name: string
  /** Maximum text length. */
  readonly maxBytes: number
  /** Maximum time to handle the request, in milliseconds. */
  readonly maxMs: number
  /** The parts that are combined to a text. */
  readonly tokens: readonly string[]
  /** Text before and after the random text, which makes the service parse it. */
  readonly frames: readonly Frame[]
  request(text: string): RequestOptions
}

const authHeaders = { host: 'pets.example', authorization: 'Bearer good' }
const emptyFrames: readonly Frame[] = [['', '']]
const createPetRequest = { method: 'POST', body: '{"name":"Rex","categoryId":1}' }

/** Creates a place in the request head. Node.js accepts at most 16 KiB there. */
function createHeadPlace(
  name: string,
  tokens: readonly string[],
  request: InputPlace['request'],
  frames: readonly Frame[] = [],
): InputPlace {
  return { name, maxBytes: 16 * 1024, maxMs: 3, tokens, frames: [...emptyFrames, ...frames], request }
}

const createHeaderPlace = (
  name: string,
  tokens: readonly string[],
  { headers, ...asked }: RequestOptions = {},
): InputPlace =>
  createHeadPlace(name, [...tokens, ...oddText], (text) => ({
    ...asked,
    headers: { ...authHeaders, ...headers, [name]: text },
  }))

/** Every place that takes input. */
const inputPlaces: readonly InputPlace[] = [
  createHeadPlace(
    'query',
    [...queryParts, ...oddText],
    (text) => ({ target: `/v1/pets?${text}`, headers: authHeaders }),
    [
      ['limit=5&', ''],
      ['status=', '&limit=100'],
      ['after=', ''],
    ],
  ),
  createHeadPlace('petId', oddText, (text) => ({ target: `/v1/pets/${text}`, headers: authHeaders })),
  createHeadPlace('target', oddText, (target) => ({ target, headers: authHeaders }), [
    ['/', ''],
    ['http://', '/v1/pets'],
  ]),
  createHeaderPlace('authorization', ['Bearer', 'bearer ', ', ', '=']),
  createHeaderPlace('host', ['pets.example', '[::1]']),
  createHeaderPlace(
    'content-type',
    ['application/json', ';', 'charset=utf-8', '="', '\\"'],
    createPetRequest,
  ),
  createHeaderPlace('content-encoding', headerValues, createPetRequest),
  createHeaderPlace('transfer-encoding', headerValues),
  createHeaderPlace('expect', headerValues),
  createHeaderPlace('origin', headerValues, {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST' },
  }),
  createHeadPlace(
    'x-forwarded-for',
    ['10.1.1.1', '2001:db8::1', '::', ', ', ',', ...oddText],
    (text) => ({ headers: { host: 'pets.example', 'x-forwarded-for': text }, clientAddress: '10.0.0.1' }),
    [['', ',10.1.1.1']],
  ),
  {
    name: 'body',
    maxBytes: 64 * 1024,
    maxMs: 10,
    tokens: [...jsonTokens, '\\', '\\"', '"', '"a":1,', '"\\u0061":1,', '0', '9', 'e', '-', '.', 'é', '🐈'],
    frames: [
      ...emptyFrames,
      ['{"name":"', '","categoryId":1}'],
      ['{"name":"Rex","categoryId":', '}'],
      ['{"name":"Rex","categoryId":1', 'e1}'],
      ['{"name":"Rex","x":', ',"categoryId":1}'],
      ['{"name":"Rex","categoryId":1.0,', '"\\u0063ategoryId":2.5}'],
    ],
    request: (text) => ({ method: 'POST', headers: authHeaders, body: text }),
  },
]

const { integer, pick } = createRandom(Number(values.seed))

/** Joins random tokens. */
const joinRandom = (count: number, tokens: readonly string[]) =>
  Array.from({ length: count }, () => pick(tokens)).join('')

/** Returns a text of nearly `maxBytes`: a random unit that repeats, and sometimes as many repeats of a random ending. */
function createRandomText({ tokens, frames, maxBytes }: InputPlace): string {
  const [before, after] = pick(frames)
  const textStart = before + joinRandom(integer(0, 2), tokens)
  const repeatedUnit = joinRandom(integer(1, 4), tokens)
  const textEnd = integer(1, 5) === 1 ? joinRandom(integer(0, 2), tokens) : ''
  const remainingBytes = maxBytes - Buffer.byteLength(textStart + after)
  const times = Math.floor(remainingBytes / Math.max(1, Buffer.byteLength(repeatedUnit + textEnd)))
  return textStart + repeatedUnit.repeat(times) + textEnd.repeat(times) + after
}

/** Returns the fastest time to handle a request, in milliseconds. */
async function measureFastest(place: InputPlace, text: string, times: number): Promise<number> {
  const request = createServiceRequest(place.request(text))
  let shortestMs = Number.POSITIVE_INFINITY
  for (let left = times; left > 0; left--) {
    const startedAt = performance.now()
    await service.handle(request)
    shortestMs = Math.min(shortestMs, performance.now() - startedAt)
  }
  return shortestMs
}

console.log(`seed ${values.seed}, ${values.seconds} s`)
const slowestInputs = new Map<InputPlace, { readonly text: string; readonly ms: number }>()
for (const deadline = performance.now() + Number(values.seconds) * 1000; performance.now() < deadline; )
  for (const place of inputPlaces) {
    const randomText = createRandomText(place)
    const fastestMs = await measureFastest(place, randomText, attemptsPerText)
    if (fastestMs > (slowestInputs.get(place)?.ms ?? 0))
      slowestInputs.set(place, { text: randomText, ms: fastestMs })
  }
for (const [place, { text }] of slowestInputs) {
  const fastestMs = await measureFastest(place, text, finalAttemptsPerText)
  const isTooSlow = fastestMs > place.maxMs
  if (isTooSlow) process.exitCode = 1
  const summary = `${place.name}: ${fastestMs.toFixed(3)} ms of ${place.maxMs}: ${JSON.stringify(text.slice(0, 100))}`
  console.log(`${isTooSlow ? 'TOO SLOW ' : ''}${summary}`)
}
