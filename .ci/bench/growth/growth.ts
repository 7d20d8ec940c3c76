import { execFile } from 'node:child_process'
import { cpus, freemem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { lackOf } from '../database.ts'
import { writeSection } from '../marked-section.ts'
import { pathOf } from '../server.ts'
import { table } from '../tables.ts'
import type { Costs } from './costs.ts'

/** Where the animals and keys are, and the power of ten of the most animals that a run measures. */
const storages = {
  memory: { title: 'memory', mostPower: 7 },
  sqlite: { title: 'SQLite', mostPower: 7 },
  postgres: { title: 'PostgreSQL', mostPower: 6 }, // an import of ten million animals takes more than three minutes
} as const

export type StorageId = keyof typeof storages

/** What is measured for each size. */
const operations: Readonly<Record<keyof Costs, string>> = {
  import: 'import, for each animal, µs',
  bytes: 'space of an animal, bytes',
  list: 'first page of 20, µs',
  filtered: 'page of 20 by status, µs',
  deep: 'page of 20, deep in the list, µs',
  create: 'create an animal, µs',
  key: 'look up an API key, µs',
  limit: 'check the limits of a key, µs',
}

export interface GrowthPlan {
  /** The power of ten of the greatest size. */
  readonly to: number
  readonly storages: readonly StorageId[]
}

const manual = fileURLToPath(new URL('../../../adapters/README.md', import.meta.url))

/** Measures the growth and prints the table. With `writes`, also replaces the table of the manual. */
export async function reportGrowth(plan: GrowthPlan, writes: boolean): Promise<0> {
  const text = growthTable(plan, await measureGrowth(plan))
  const machine = `Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, ${process.platform}.`
  process.stdout.write(`${text}\n\n${machine}\n`)
  if (writes) writeSection(manual, 'growth', `${text}\n\n${machine}`)
  return 0
}

/** The costs by storage and power of ten. */
type Measured = ReadonlyMap<string, Costs>

/** What a process may need for the greatest size, in MB: ten million animals and then ten million keys. */
const megabytesPerMillion = 1_200

/**
 * Measures every storage with 10^3 animals and keys, and then ten times as many each time. Each measurement is a process of
 * its own, so that no size inherits the heap of another.
 *
 * @throws Error The machine has too little free memory; the message says how much is needed.
 */
async function measureGrowth({ to, storages: chosen }: GrowthPlan): Promise<Measured> {
  const measured = new Map<string, Costs>()
  for (let power = 3; power <= to; power++) {
    for (const storage of chosen) {
      if (power > storages[storage].mostPower) continue
      const lack = await lackOf(storage)
      if (lack !== undefined) {
        process.stderr.write(`${storages[storage].title} is left out: ${lack}\n`)
        continue
      }
      const [needed, free] = [(10 ** power / 1e6) * megabytesPerMillion, freemem() / 2 ** 20]
      if (needed > free)
        throw new Error(
          `10^${power} animals need ${needed} MB of memory, and ${Math.round(free)} MB are free: measure fewer with --to`,
        )
      measured.set(`${storage} ${power}`, await costsOf(storage, 10 ** power, Math.max(4_096, needed)))
    }
  }
  return measured
}

async function costsOf(storage: StorageId, size: number, heap: number): Promise<Costs> {
  const begin = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${heap}`,
    '--disable-warning=ExperimentalWarning',
    ...['--import', 'tsx', pathOf('growth/measure.ts'), storage, `${size}`],
  ])
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  process.stderr.write(`${size.toLocaleString('en')} in ${storages[storage].title}: ${seconds} s\n`)
  return JSON.parse(stdout)
}

/** Formats the figures as a Markdown table: a row for each operation of each storage, a column for each size. */
function growthTable({ to, storages: chosen }: GrowthPlan, measured: Measured): string {
  const powers = Array.from({ length: to - 2 }, (_, i) => i + 3)
  const rows = Object.entries(operations).flatMap(([operation, title]) =>
    chosen.flatMap((storage) => {
      const values = powers.map((power) => measured.get(`${storage} ${power}`)?.[operation as keyof Costs]) // a key of it
      if (values.every((value) => value === undefined)) return []
      const cells = values.map((value) => (value === undefined ? '' : digits(value)))
      return [[`${storages[storage].title}: ${title}`, ...cells, factorOf(values)]]
    }),
  )
  return table(['', ...powers.map((power) => `10${'⁰¹²³⁴⁵⁶⁷'[power]}`), 'for ten times as many'], rows)
}

/** The factor by which the cost grows from one size to the next, as the mean over all sizes. */
function factorOf(values: readonly (number | undefined)[]): string {
  const known = values.flatMap((value, i) => (value === undefined ? [] : [{ i, value }]))
  const [first, last] = [known.at(0), known.at(-1)]
  if (!first || !last || first === last) return ''
  return `× ${((last.value / first.value) ** (1 / (last.i - first.i))).toFixed(2)}`
}

/** Two significant digits, and all digits before the point. */
function digits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2)
}
