import type { Random } from './random.ts'
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
  query as queryParts,
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

const encoder = new TextEncoder()

export function message(random: Random): Message {
  const method = random.chance(0.95) ? random.pick(methods) : random.text(odd, 6)
  const bytes = random.chance(method === 'POST' ? 0.95 : 0.1) ? body(random) : new Uint8Array()
  return {
    method,
    target: target(random, method),
    version: random.chance(0.9) ? '1.1' : random.pick(versions),
    headers: headers(random, bytes.length),
    body: bytes,
  }
}

function target(random: Random, method: string): string {
  if (random.chance(0.04)) return random.text(odd, 40)
  if (random.chance(0.01)) return '*'
  const authority = random.chance(0.04) ? random.pick(authorities) : ''
  const places = method === 'POST' ? ['/v1/pets'] : ['/v1/pets', '/v1/pets/1', '/v1/pets/999']
  const place = random.chance(0.85)
    ? random.pick(places)
    : `${random.pick(['/v1', '/v1/pets', ''])}${random.text(path, 4)}`
  return authority + place + (random.chance(0.4) ? `?${query(random)}` : '')
}

function query(random: Random): string {
  if (random.chance(0.2)) return random.text(queryParts, 9)
  const pairs = Array.from({ length: 1 + random.below(2) }, () => {
    const name = random.pick(['limit', 'status', 'after', 'page'])
    return `${name}=${random.chance(0.7) ? random.pick(['5', '100', 'sold', '0', '-3']) : random.text(queryParts, 2)}`
  })
  return pairs.join('&')
}

function headers(random: Random, length: number): Message['headers'] {
  const all: (readonly [string, string])[] = []
  if (random.chance(0.98)) all.push(['Host', random.chance(0.98) ? 'pets.example' : random.text(odd, 8)])
  if (random.chance(0.85))
    all.push(['Authorization', random.chance(0.9) ? 'Bearer good' : random.text(['Bearer', ' ', ...odd], 6)])
  if (random.chance(0.5)) all.push(['X-Forwarded-For', `${random.below(256)}.${random.below(256)}.1.1`])
  if (length > 0 && random.chance(0.95))
    all.push(random.chance(0.8) ? ['Content-Length', String(length)] : ['Transfer-Encoding', 'chunked'])
  while (random.chance(0.25))
    all.push([
      random.pick(headerNames),
      random.chance(0.8) ? random.pick(headerValues) : random.text(odd, 20),
    ])
  return all
}

function body(random: Random): Uint8Array {
  const kind = random.below(40)
  if (kind === 0) return Uint8Array.from({ length: random.below(50) }, () => random.below(256))
  if (kind === 1) return encoder.encode('['.repeat(random.below(150_000)))
  if (kind === 2) return encoder.encode(`"${'\\"'.repeat(random.below(40_000))}`)
  if (kind < 8) return encoder.encode(random.text(json, 24))
  const pet = `{"name":${random.pick(petNames)},"categoryId":${random.pick(categories)}${random.chance(0.3) ? ',"status":"sold"' : ''}}`
  const at = random.below(pet.length)
  return encoder.encode(
    random.chance(0.6) ? pet : pet.slice(0, at) + random.text(json, 3) + pet.slice(at + random.below(4)),
  )
}

/** Returns the bytes of a request over HTTP/1, sometimes damaged. */
export function toWire(
  random: Random,
  { method, target: place, version, headers: fields, body: payload }: Message,
): Uint8Array {
  const chunked = fields.some(([name, value]) => name === 'Transfer-Encoding' && value === 'chunked')
  const head = `${method} ${place} HTTP/${version}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  const framed = chunked
    ? [Buffer.from(`${payload.length.toString(16)}\r\n`), payload, Buffer.from('\r\n0\r\n\r\n')]
    : [payload]
  return damage(random, Buffer.concat([Buffer.from(head, 'latin1'), ...framed]))
}

function damage(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0 || random.chance(0.7)) return bytes
  const at = random.below(Math.min(bytes.length, 400))
  const end = at + random.below(12)
  const inserted = Buffer.from(random.text(noise, 4), 'latin1')
  const kinds = [
    () => Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]),
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]),
  ]
  return random.pick(kinds)()
}
