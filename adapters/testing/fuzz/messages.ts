import fc from 'fast-check'
import {
  authorities,
  categoryValues,
  headerNames,
  headerValues,
  jsonTokens,
  methods,
  noise,
  oddText,
  pathParts,
  petNames,
  queryParts,
  versions,
} from './words.ts'

/**
 * Generates an HTTP request. Most of them are nearly valid, because an invalid request is rejected before it reaches
 * much code.
 */
export interface Message {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

const pickWord = (...words: readonly string[]) => fc.constantFrom(...words)
const joinSome = (words: readonly string[], maxLength: number) =>
  fc.array(pickWord(...words), { maxLength }).map((parts) => parts.join(''))
const joinAll = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''))
/** Generates the first or the second value. `times` is the first one's probability in percent. */
const pickWeighted = <T>(times: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 100 - times, arbitrary: other })
const includeSometimes = <T>(times: number, some: fc.Arbitrary<T>) =>
  pickWeighted<readonly T[]>(times, fc.tuple(some), fc.constant([]))

const value = pickWeighted(70, pickWord('5', '100', 'sold', '0', '-3'), joinSome(queryParts, 2))
const pair = joinAll(pickWord('limit', 'status', 'after', 'page'), pickWord('='), value)
const parameterPairs = fc.array(pair, { minLength: 1, maxLength: 2 }).map((all) => all.join('&'))
const arbitraryQuery = joinAll(pickWord('?'), pickWeighted(80, parameterPairs, joinSome(queryParts, 9)))
const oddPath = joinAll(pickWord('/v1', '/v1/pets', ''), joinSome(pathParts, 4))
function createTarget(...usual: readonly string[]): fc.Arbitrary<string> {
  const authority = pickWeighted(96, pickWord(''), pickWord(...authorities))
  const path = pickWeighted(85, pickWord(...usual), oddPath)
  return pickWeighted(
    95,
    joinAll(authority, path, pickWeighted(60, pickWord(''), arbitraryQuery)),
    joinSome(oddText, 40),
  )
}

const pet = fc
  .tuple(pickWord(...petNames), pickWord(...categoryValues), pickWord('', ',"status":"sold"'))
  .map(([name, category, status]) => `{"name":${name},"categoryId":${category}${status}}`)
const brokenPet = fc
  .tuple(pet, fc.nat(60), joinSome(jsonTokens, 3), fc.nat(3))
  .map(([whole, at, inserted, left]) => whole.slice(0, at) + inserted + whole.slice(at + left))
const deeplyNestedArray = fc.nat(150_000).map((depth) => '['.repeat(depth))
const emptyBody = fc.constant(Buffer.alloc(0))
const toBytes = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((content) => Buffer.from(content))
const body = fc.oneof(
  { weight: 24, arbitrary: toBytes(pet) },
  { weight: 8, arbitrary: toBytes(brokenPet) },
  { weight: 5, arbitrary: toBytes(joinSome(jsonTokens, 24)) },
  { weight: 1, arbitrary: toBytes(deeplyNestedArray) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }).map((content) => Buffer.from(content)) },
)

const createField = (name: string, content: fc.Arbitrary<string>) => fc.tuple(pickWord(name), content)
const oddField = fc.tuple(
  pickWord(...headerNames),
  pickWeighted(80, pickWord(...headerValues), joinSome(oddText, 20)),
)
const address = fc.nat(65_535).map((n) => `${n >> 8}.${n & 255}.1.1`)
const headers = fc
  .tuple(
    includeSometimes(
      98,
      createField('Host', pickWeighted(98, pickWord('pets.example'), joinSome(oddText, 8))),
    ),
    includeSometimes(
      85,
      createField(
        'Authorization',
        pickWeighted(90, pickWord('Bearer good'), joinSome(['Bearer', ' ', ...oddText], 6)),
      ),
    ),
    includeSometimes(50, createField('X-Forwarded-For', address)),
    fc.array(oddField, { maxLength: 2 }),
  )
  .map((all) => all.flat())

const requestStart = fc.oneof(
  fc.record({
    method: pickWord('POST'),
    target: createTarget('/v1/pets'),
    body: pickWeighted(95, body, emptyBody),
  }),
  fc.record({
    method: pickWeighted(95, pickWord(...methods), joinSome(oddText, 6)),
    target: createTarget('/v1/pets', '/v1/pets/1', '/v1/pets/999'),
    body: pickWeighted(90, emptyBody, body),
  }),
)

export const message: fc.Arbitrary<Message> = fc
  .record({
    requestStart,
    version: pickWeighted(90, pickWord('1.1'), pickWord(...versions)),
    headers,
    framing: pickWeighted(80, pickWord('Content-Length'), pickWord('Transfer-Encoding', 'X-Unframed')),
  })
  .map(({ requestStart: start, version, headers, framing }) => {
    const { length } = start.body
    const value = framing === 'Content-Length' ? String(length) : 'chunked'
    return { ...start, version, headers: length > 0 ? [...headers, [framing, value]] : headers }
  })

/** Formats a request for a connection. */
function formatMessage({ method, target, version, headers, body }: Message): Buffer {
  const lines = headers.map(([name, content]) => `${name}: ${content}\r\n`).join('')
  const isChunked = /^Transfer-Encoding: chunked$/m.test(lines)
  const [before, after] = isChunked ? [`${body.length.toString(16)}\r\n`, '\r\n0\r\n\r\n'] : ['', '']
  const messageHead = Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines}\r\n${before}`, 'latin1')
  return Buffer.concat([messageHead, body, Buffer.from(after)])
}

/** A request with bytes inserted, removed or repeated, or without its end. */
const damagedMessage = fc
  .tuple(message.map(formatMessage), fc.nat(400), fc.nat(12), joinSome(noise, 4), fc.nat(3))
  .map(([bytes, at, count, inserted, kind]) => {
    const remainingBytes = bytes.subarray(at)
    const changes = [
      [Buffer.from(inserted, 'latin1'), remainingBytes],
      [remainingBytes.subarray(count)],
      [remainingBytes.subarray(0, count), remainingBytes],
      [],
    ]
    return Buffer.concat([bytes.subarray(0, at), ...(changes[kind] ?? [])])
  })

/** What a client sends on one connection, in two parts, and whether it resets the connection. */
export interface ConnectionScript {
  readonly parts: readonly Uint8Array[]
  readonly isReset: boolean
}

export const connectionScript: fc.Arbitrary<ConnectionScript> = fc
  .record({
    requests: fc.array(pickWeighted(70, message.map(formatMessage), damagedMessage), {
      minLength: 1,
      maxLength: 4,
    }),
    cut: includeSometimes(50, fc.nat(400)),
    isReset: pickWeighted(90, fc.constant(false), fc.constant(true)),
  })
  .map(({ requests, cut, isReset }) => {
    const bytes = Buffer.concat(requests)
    const [at = bytes.length] = cut
    return { parts: [bytes.subarray(0, at), bytes.subarray(at)], isReset }
  })
