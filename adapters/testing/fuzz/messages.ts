import fc from 'fast-check'
import {
  authorities,
  categories,
  headerNames,
  headerValues,
  json,
  methods,
  noise,
  odd,
  path,
  petNames,
  query,
  versions,
} from './words.ts'

/** A request before it is serialised. Most are nearly valid, since an invalid one does not reach much code. */
export interface Message {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

const one = (...words: readonly string[]) => fc.constantFrom(...words)
const text = (words: readonly string[], maxLength: number) =>
  fc.array(one(...words), { maxLength }).map((parts) => parts.join(''))
const joined = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''))
/** Chooses `usual` in `times` of 100 cases, otherwise `other`. */
const mostly = <T>(times: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 100 - times, arbitrary: other })
const maybe = <T>(times: number, some: fc.Arbitrary<T>) =>
  mostly<readonly T[]>(times, fc.tuple(some), fc.constant([]))

const value = mostly(70, one('5', '100', 'sold', '0', '-3'), text(query, 2))
const pair = joined(one('limit', 'status', 'after', 'page'), one('='), value)
const pairs = fc.array(pair, { minLength: 1, maxLength: 2 }).map((all) => all.join('&'))
const someQuery = joined(one('?'), mostly(80, pairs, text(query, 9)))
const oddPath = joined(one('/v1', '/v1/pets', ''), text(path, 4))
function arbitraryTarget(...usual: readonly string[]): fc.Arbitrary<string> {
  const authority = mostly(96, one(''), one(...authorities))
  const path = mostly(85, one(...usual), oddPath)
  return mostly(95, joined(authority, path, mostly(60, one(''), someQuery)), text(odd, 40))
}

const pet = fc
  .tuple(one(...petNames), one(...categories), one('', ',"status":"sold"'))
  .map(([name, category, status]) => `{"name":${name},"categoryId":${category}${status}}`)
const brokenPet = fc
  .tuple(pet, fc.nat(60), text(json, 3), fc.nat(3))
  .map(([whole, at, inserted, left]) => whole.slice(0, at) + inserted + whole.slice(at + left))
const nested = fc.nat(150_000).map((depth) => '['.repeat(depth))
const none = fc.constant(Buffer.alloc(0))
const toBytes = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((content) => Buffer.from(content))
const body = fc.oneof(
  { weight: 24, arbitrary: toBytes(pet) },
  { weight: 8, arbitrary: toBytes(brokenPet) },
  { weight: 5, arbitrary: toBytes(text(json, 24)) },
  { weight: 1, arbitrary: toBytes(nested) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }).map((content) => Buffer.from(content)) },
)

const field = (name: string, content: fc.Arbitrary<string>) => fc.tuple(one(name), content)
const oddField = fc.tuple(one(...headerNames), mostly(80, one(...headerValues), text(odd, 20)))
const address = fc.nat(65_535).map((n) => `${n >> 8}.${n & 255}.1.1`)
const headers = fc
  .tuple(
    maybe(98, field('Host', mostly(98, one('pets.example'), text(odd, 8)))),
    maybe(85, field('Authorization', mostly(90, one('Bearer good'), text(['Bearer', ' ', ...odd], 6)))),
    maybe(50, field('X-Forwarded-For', address)),
    fc.array(oddField, { maxLength: 2 }),
  )
  .map((all) => all.flat())

const start = fc.oneof(
  fc.record({ method: one('POST'), target: arbitraryTarget('/v1/pets'), body: mostly(95, body, none) }),
  fc.record({
    method: mostly(95, one(...methods), text(odd, 6)),
    target: arbitraryTarget('/v1/pets', '/v1/pets/1', '/v1/pets/999'),
    body: mostly(90, none, body),
  }),
)

export const message: fc.Arbitrary<Message> = fc
  .record({
    start,
    version: mostly(90, one('1.1'), one(...versions)),
    headers,
    framing: mostly(80, one('Content-Length'), one('Transfer-Encoding', 'X-Unframed')),
  })
  .map(({ start, version, headers, framing }) => {
    const { length } = start.body
    const value = framing === 'Content-Length' ? String(length) : 'chunked'
    return { ...start, version, headers: length > 0 ? [...headers, [framing, value]] : headers }
  })

/** Returns the bytes of a request over HTTP/1. */
function toWire({ method, target, version, headers, body }: Message): Buffer {
  const lines = headers.map(([name, content]) => `${name}: ${content}\r\n`).join('')
  const isChunked = /^Transfer-Encoding: chunked$/m.test(lines)
  const [before, after] = isChunked ? [`${body.length.toString(16)}\r\n`, '\r\n0\r\n\r\n'] : ['', '']
  const head = Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines}\r\n${before}`, 'latin1')
  return Buffer.concat([head, body, Buffer.from(after)])
}

/** The bytes of a request, with some inserted, left out or repeated, or without the end. */
const damaged = fc
  .tuple(message.map(toWire), fc.nat(400), fc.nat(12), text(noise, 4), fc.nat(3))
  .map(([bytes, at, count, inserted, kind]) => {
    const rest = bytes.subarray(at)
    const changes = [
      [Buffer.from(inserted, 'latin1'), rest],
      [rest.subarray(count)],
      [rest.subarray(0, count), rest],
      [],
    ]
    return Buffer.concat([bytes.subarray(0, at), ...(changes[kind] ?? [])])
  })

/** The parts that a client sends over a connection, and how it then closes. */
export interface Story {
  readonly parts: readonly Uint8Array[]
  readonly isReset: boolean
}

export const story: fc.Arbitrary<Story> = fc
  .record({
    requests: fc.array(mostly(70, message.map(toWire), damaged), { minLength: 1, maxLength: 4 }),
    cut: maybe(50, fc.nat(400)),
    isReset: mostly(90, fc.constant(false), fc.constant(true)),
  })
  .map(({ requests, cut, isReset }) => {
    const bytes = Buffer.concat(requests)
    const [at = bytes.length] = cut
    return { parts: [bytes.subarray(0, at), bytes.subarray(at)], isReset }
  })
