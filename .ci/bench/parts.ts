import { measure } from 'mitata'
import { limitsOf } from '../../core/limits/plans.ts'
import { petsToJson } from '../../core/pets/pet.ts' // the package does not export it
import {
  createKeyStore,
  createMemoryLimiter,
  createMemoryStore,
  parseNewPet,
  sha256,
} from '../../dist/core/index.js'
import type { Figure } from './figures.ts'
import { key, limits, makePets, newPet } from './world.ts'

/** Measures single functions in this process: the median time of a call. */
export async function* parts(): AsyncGenerator<Figure> {
  yield await part('a check of two limits, 1,000 live keys', limitCheck(1_000), 0.5)
  yield await part('a check of two limits, 1,000,000 live keys', limitCheck(1_000_000), 1.5)

  const keys = createKeyStore([{ id: 'bench', sha256: sha256(key), plan: 'enterprise', limits }])
  yield await part('a key looked up by its SHA-256', () => keys.find(key))

  const body = new TextEncoder().encode(JSON.stringify(newPet))
  yield await part('a body parsed and validated', () => parseNewPet(body))

  const store = createMemoryStore()
  for (const { name, categoryId, status } of makePets())
    store.create({ name, categoryId: BigInt(categoryId), status })
  for (const limit of [20, 100]) {
    const page = store.list({ limit })
    yield await part(`a page of ${limit} to JSON`, () => Buffer.byteLength(petsToJson(page)))
  }
}

/** Returns a function that charges callers in an order that defeats CPU caches. */
function limitCheck(callers: number): () => unknown {
  const limiter = createMemoryLimiter()
  const ids = Array.from({ length: callers }, (_, i) => `key:caller-${i}`)
  const both = limitsOf(limits)
  for (const id of ids) limiter.consume(id, both)
  let i = 0
  return () => {
    i = (i + 611_953) % callers
    return limiter.consume(ids[i] ?? '', both)
  }
}

async function part(title: string, call: () => unknown, atMost?: number): Promise<Figure> {
  const { p50, p99 } = await measure(call)
  const figure = { title, value: p50 / 1_000, unit: 'µs', note: `p99 ${(p99 / 1_000).toPrecision(3)} µs` }
  return atMost === undefined ? figure : { ...figure, target: { atMost } }
}
