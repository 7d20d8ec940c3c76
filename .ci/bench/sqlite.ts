import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './figures.ts'
import { saturate } from './load.ts'
import { defaultLoad, rateOf, ratioOfRates, rounds } from './ratio.ts'
import { spread } from './results.ts'
import { scenarios } from './scenarios.ts'
import { type Server, startNode } from './server.ts'

const count = '1000'
const connections = 32

/** Compares the SQLite store with the memory store, and measures how many animals a second it stores durably. */
export async function* sqlite(): AsyncGenerator<Figure> {
  if (process.versions.sqlite === undefined)
    throw new Error('this Node has no SQLite: use Node 22.13 or later')
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-bench-'))
  const file = await startNode('sides/ours.ts', [count, join(folder, 'animals.sqlite')])
  const memory = await startNode('sides/ours.ts', [count])
  try {
    for (const id of ['list20', 'list100', 'getPet'] as const) {
      const title = `${scenarios[id].title}: SQLite against memory`
      yield await ratioOfRates({ title, atLeast: 0.5 }, [file, [scenarios[id]]], [memory, [scenarios[id]]])
    }
    yield await creations(file)
  } finally {
    await Promise.all([file.stop(), memory.stop()])
    rmSync(folder, { recursive: true })
  }
}

async function creations(server: Server): Promise<Figure> {
  const rates: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const load = await saturate(server.origin, [scenarios.createPet], { ...defaultLoad, connections })
    if (round > 0) rates.push(rateOf(load))
  }
  const { median, min, max } = spread(rates)
  return {
    title: `createPet in SQLite, ${connections} clients, synchronous=FULL`,
    value: Math.round(median),
    unit: '/s',
    target: { atLeast: 5_000 },
    note: `${Math.round(min)}..${Math.round(max)}`,
  }
}
