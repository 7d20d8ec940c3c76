import { join } from 'node:path'
import { mix } from '../mix.ts'
import { spread } from '../results.ts'
import { scenarios } from '../scenarios.ts'
import { openBurst } from './burst.ts'
import { startProgram, type Usage } from './program.ts'

/** The rows over HTTP: what is sent, over 64 connections. */
const sent = {
  'http list20': [scenarios.list20],
  'http list100': [scenarios.list100],
  'http getPet': [scenarios.getPet],
  'http createPet': [scenarios.createPet],
  'http mix': mix,
} as const

/** The rows in one process, and how many units of work of each take about as long as a request over HTTP. */
const unitsOf = {
  'core list20': 5,
  'core list100': 5,
  'core getPet': 5,
  'core createPet': 3,
  'core mix': 3,
  'sqlite list20': 3,
  'sqlite list100': 2,
  'sqlite mix': 0.25,
  'sqlite key': 5,
  'limiter of 1,000 keys': 30,
  'limiter of 1,000,000 keys': 20,
  'log line': 10,
} as const

export type RowId = keyof typeof sent | keyof typeof unitsOf

/** A side of a pair in one round, while it runs. */
interface Side {
  run(count: number): Promise<Usage>
  stop(): Promise<void>
}

/** What one round shows: medians of its blocks. */
export interface Pair {
  /** The CPU time (user and system) of the product for a unit of work, in microseconds. */
  readonly productMicros: number
  /** The CPU time of the plain form divided by that of the product, less 1. */
  readonly cpu: number
  /** The resident memory of the plain form at the end divided by that of the product, less 1. */
  readonly memory: number
}

/** How a pair is measured. */
export interface Effort {
  readonly rounds: number
  /** How many requests each side gets in a round, after half as many to warm up; more where no socket takes part. */
  readonly requests: number
}

/** How many blocks of work are measured in a round, after half as many to warm up. */
const blocks = 20

/** Measures a row of two source trees in turn: both run at once, and get their work in blocks, one after the other. */
export async function measureRound(
  command: readonly string[],
  row: RowId,
  folders: { readonly product: string; readonly plain: string },
  { requests }: Effort,
  isOdd: boolean,
): Promise<Pair> {
  const count = Math.ceil((requests * (row in unitsOf ? unitsOf[row as keyof typeof unitsOf] : 1)) / blocks)
  const product = await start(command, row, folders.product)
  const plain = await start(command, row, folders.plain)
  const used = new Map<Side, Usage[]>()
  try {
    const order = isOdd ? [plain, product] : [product, plain]
    for (let block = -blocks / 2; block < blocks; block++) {
      for (const side of order) {
        const usage = await side.run(count)
        if (block >= 0) used.set(side, [...(used.get(side) ?? []), usage])
      }
    }
  } finally {
    await Promise.all([product.stop(), plain.stop()])
  }
  const ofProduct = used.get(product) ?? []
  const ofPlain = used.get(plain) ?? []
  const memory = (usages: readonly Usage[]) => usages.at(-1)?.rss ?? Number.NaN
  return {
    productMicros: median(ofProduct.map(({ cpuMicros }) => cpuMicros / count)),
    cpu: median(ofPlain.map(({ cpuMicros }, i) => cpuMicros / (ofProduct[i]?.cpuMicros ?? Number.NaN) - 1)),
    memory: memory(ofPlain) / memory(ofProduct) - 1,
  }
}

function median(values: readonly number[]): number {
  return spread(values).median
}

async function start(command: readonly string[], row: RowId, folder: string): Promise<Side> {
  const file = (path: string) => join(folder, '.ci/bench', path)
  if (!(row in sent)) {
    const program = await startProgram([...command, file('ablate/worker.ts'), row], folder)
    return { run: (count) => program.ask(String(count)), stop: program.stop }
  }
  const isNode = command.includes('--import')
  const program = await startProgram(
    [...command, file(isNode ? 'sides/ours.ts' : 'sides/fetch-ours.ts')],
    folder,
  )
  const requests = sent[row as keyof typeof sent]
  const { burst, close } = await openBurst(Number(program.greeting.replace('port ', '')), requests)
  return {
    async run(count) {
      const before = await program.ask('usage')
      await burst(count)
      const { cpuMicros, rss } = await program.ask('usage')
      return { cpuMicros: cpuMicros - before.cpuMicros, rss }
    },
    async stop() {
      close()
      await program.stop()
    },
  }
}
