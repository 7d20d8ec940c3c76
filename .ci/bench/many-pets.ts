import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMemoryStore } from '../../dist/core/index.js'
import type { Figure } from './figures.ts'
import type { Request } from './load.ts'
import { ratioOfRates } from './ratio.ts'
import { scenarioIds, scenarios } from './scenarios.ts'
import { startNode } from './server.ts'
import { makePets } from './world.ts'

const million = 1_000_000

/** Measures the memory and the speed of a store with a million animals. */
export async function* manyPets(): AsyncGenerator<Figure> {
  yield memoryPerAnimal()
  const few = await startNode('sides/ours.ts', ['1000'])
  const many = await startNode('sides/ours.ts', [`${million}`])
  try {
    for (const id of scenarioIds) {
      const title = `${scenarios[id].title}: a million animals against a thousand`
      yield await ratioOfRates({ title, atLeast: 0.9 }, [many, [scenarios[id]]], [few, [scenarios[id]]])
    }
    const title = 'pages deep in a million against the first ones'
    yield await ratioOfRates({ title, atLeast: 0.9 }, [many, pages(million * 0.8)], [many, pages(0)])
  } finally {
    await Promise.all([few.stop(), many.stop()])
  }
}

/** Requests a thousand consecutive pages, the first of them after the id `from`. */
function pages(from: number): Request[] {
  return Array.from({ length: 1_000 }, (_, i) => {
    return { method: 'GET', target: `/v1/pets?limit=100&after=${from + i * 100}` }
  })
}

function memoryPerAnimal(): Figure {
  const bodies = parseBodies()
  const before = liveBytes()
  const store = createMemoryStore()
  for (const { name, categoryId, status } of bodies) store.create({ name, categoryId, status })
  const value = Math.round((liveBytes() - before) / million)
  // both are used here, so that the garbage collector retains them until after the measurement
  if (store.get(1n)?.name !== bodies[0]?.name) throw new Error('the store has lost an animal')
  return { title: 'memory of an animal, its name apart', value, unit: 'bytes', target: { atMost: 250 } }
}

/** A separate function, so that its temporary values are garbage when the memory is measured. */
function parseBodies() {
  return makePets(million).map(({ name, categoryId, status }) => ({
    name: JSON.parse(JSON.stringify(name)), // a flat string, as in a parsed body, instead of a concatenation tree
    categoryId: BigInt(categoryId),
    status,
  }))
}

function liveBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
