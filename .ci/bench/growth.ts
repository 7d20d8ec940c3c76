// What each operation costs in memory, with a thousand animals and keys, and ten times as many each time. The file is
// also the program of one size, so that no size inherits the heap of another: node --import tsx growth.ts SIZE
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limitsOf } from '../../core/limits/plans.ts' // the package does not export it
import { createKeyStore, createMemoryLimiter, createMemoryStore, type NewPet } from '../../dist/core/index.js'
import { writeSection } from './marked-section.ts'
import { table } from './tables.ts'
import { limits, makePet } from './world.ts'

const manual = fileURLToPath(new URL('../../adapters/README.md', import.meta.url))
const self = fileURLToPath(import.meta.url)

/** How many animals and keys there are. */
const sizes = [1_000, 10_000, 100_000, 1_000_000]

/** What is measured for each size, in microseconds unless the title says otherwise. */
const titles = {
  create: 'create an animal, µs',
  bytes: 'space of an animal, bytes',
  list: 'first page of 20, µs',
  filtered: 'page of 20 by status, µs',
  deep: 'page of 20, deep in the list, µs',
  key: 'look up an API key, µs',
  limit: 'check both limits of a key, µs',
} as const

type Costs = Readonly<Record<keyof typeof titles, number>>

/** Measures each size, and prints the table. With `writes`, also replaces the table of the manual. */
export function reportGrowth(writes: boolean): void {
  const measured = sizes.map((size): Costs => {
    const options = ['--max-old-space-size=12288', '--import', 'tsx', self, String(size)]
    return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }))
  })
  const rows = Object.entries(titles).map(([name, title]) => [
    title,
    ...measured.map((costs) => String(Number(costs[name as keyof Costs].toPrecision(2)))), // a key of it
  ])
  const head = ['', ...sizes.map((size) => size.toLocaleString('en'))]
  const machine = `Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, ${process.platform}.`
  const text = `${table(head, rows)}\n\n${machine}`
  process.stdout.write(`${text}\n`)
  if (writes) writeSection(manual, 'growth', text)
}

function measure(size: number): Costs {
  const before = liveBytes()
  const store = createMemoryStore()
  for (let i = 0; i < size; i++) store.create(newPet(i))
  const bytes = (liveBytes() - before) / size
  const anywhere = stepsBelow(size / 2)
  const [limit, both, random] = [20, limitsOf(limits), stepsBelow(2 ** 31)]
  const keys = createKeyStore(
    Array.from({ length: size }, (_, i) => ({
      id: `caller-${i}`,
      sha256: i.toString(16).padStart(64, '0'),
      plan: 'pro',
    })),
  )
  const limiter = createMemoryLimiter()
  const ids = Array.from({ length: size }, (_, i) => `key:caller-${i}`)
  for (const id of ids) limiter.consume(id, both)
  const next = stepsBelow(size)
  return {
    bytes,
    list: microsOf(() => store.list({ limit })),
    filtered: microsOf(() => store.list({ limit, status: 'sold', after: BigInt(anywhere()) })),
    deep: microsOf(() => store.list({ limit, after: BigInt(size / 2 - limit + anywhere()) })),
    key: microsOf(() => keys.find(`unknown-key-${random()}`)), // no cache shortens it
    limit: microsOf(() => limiter.consume(ids[next()] ?? '', both)),
    create: microsOf(() => store.create(newPet(0)), 1_000),
  }
}

/** Its name is a flat string, as in a parsed body, and not a tree of the strings that it was made of. */
function newPet(i: number): NewPet {
  const { name, categoryId, status } = makePet(i)
  return { name: JSON.parse(JSON.stringify(name)), categoryId: BigInt(categoryId), status }
}

/** Collects garbage more than once: some is found only when what refers to it is gone. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void // V8 defines it by that flag
  for (let i = 0; i < 3; i++) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Returns the microseconds of one run of an operation: those of the fastest of fifty batches, of two milliseconds or of
 * `times` runs. A cost that grows with the size shows in every batch, and a disturbance of the machine does not.
 */
function microsOf(run: () => unknown, times = 0): number {
  const msOf = (count: number) => {
    const begin = performance.now()
    for (let i = 0; i < count; i++) run()
    return performance.now() - begin
  }
  let count = times || 8
  while (!times && msOf(count) < 2) count *= 2
  return (Math.min(...Array.from({ length: 50 }, () => msOf(count))) * 1000) / count
}

/** Returns a function that steps through the numbers below `count` in an order that defeats caches. */
function stepsBelow(count: number): () => number {
  let at = 0
  return () => {
    at = (at + 7_368_787) % count
    return at
  }
}

if (process.argv[1] === self) process.stdout.write(JSON.stringify(measure(Number(process.argv[2]))))
