import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limitsOf } from '../../../core/limits/plans.ts' // the package does not export it
import { createKeyStore, createMemoryLimiter, createMemoryStore } from '../../../dist/core/index.js'
import { limits } from '../world.ts'
import {
  type Costs,
  costOfLookup,
  costsOfRequests,
  microsOf,
  newPets,
  repeated,
  stepsBelow,
} from './costs.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // V8 defines it by that flag

/** Measures the parts of core. Each is garbage before the next one is filled. */
export async function costsInMemory(size: number): Promise<Costs> {
  return {
    ...(await costsOfAnimals(size)),
    key: await costOfLookup(createKeyStore(keyRecords(size))),
    limit: await costOfCheck(size),
  }
}

async function costsOfAnimals(size: number): Promise<Costs> {
  const before = liveBytes()
  const store = createMemoryStore()
  const begin = performance.now()
  for (const pet of newPets(size)) store.create(pet)
  const ms = performance.now() - begin
  const bytes = (liveBytes() - before) / size
  return { import: (ms * 1000) / size, bytes, ...(await costsOfRequests(store, size, 50)) }
}

/** Collects garbage more than once: some is found only when what refers to it is gone. */
function liveBytes(): number {
  for (let i = 0; i < 3; i++) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function keyRecords(size: number) {
  return Array.from({ length: size }, (_, i) => ({
    id: `caller-${i}`,
    sha256: `${Math.floor((i * 2 ** 32) / size)
      .toString(16)
      .padStart(8, '0')}${i.toString(16).padStart(56, '0')}`,
    plan: 'pro' as const,
  }))
}

async function costOfCheck(size: number): Promise<number> {
  const limiter = createMemoryLimiter()
  const both = limitsOf(limits)
  const ids = Array.from({ length: size }, (_, i) => `key:caller-${i}`)
  for (const id of ids) limiter.consume(id, both)
  const next = stepsBelow(size)
  return await microsOf(repeated(() => limiter.consume(ids[next()] ?? '', both)))
}
