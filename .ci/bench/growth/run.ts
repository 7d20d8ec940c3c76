import { execFile } from 'node:child_process'
import { freemem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Costs } from './animals.ts'
import { type GrowthOperationId, type GrowthPoint, type StorageId, storages } from './operations.ts'

export interface GrowthPlan {
  /** The power of ten of the greatest size. */
  readonly to: number
  readonly storages: readonly StorageId[]
}

/** What a process may need for the greatest size, in MB: ten million animals and then ten million keys. */
const megabytesPerMillion = 1_200

/**
 * Measures every storage with 10^3 animals and keys, and then ten times as many each time. Each measurement is a process of
 * its own, so that no size inherits the heap of another.
 *
 * @throws Error The machine has too little free memory; the message says how much is needed.
 */
export async function measureGrowth(
  plan: GrowthPlan,
  onStep: (text: string) => void,
): Promise<GrowthPoint[]> {
  const points: GrowthPoint[] = []
  for (let power = 3; power <= plan.to; power++) {
    const size = 10 ** power
    for (const storage of plan.storages) {
      if (power > storages[storage].mostPower) continue
      requireMemory(size)
      const costs = await costsOf(storage, size, onStep)
      for (const [operation, value] of Object.entries(costs))
        points.push({ storage, operation: operation as GrowthOperationId, size, value }) // Costs has no other keys
    }
  }
  return points
}

function requireMemory(size: number): void {
  const needed = (size / 1e6) * megabytesPerMillion
  const free = freemem() / 2 ** 20
  if (needed > free)
    throw new Error(
      `${size.toLocaleString('en')} animals need ${Math.round(needed)} MB of memory, and ${Math.round(free)} MB are free: measure fewer with --to`,
    )
}

/** Resolves with nothing, and reports the reason, where the machine lacks the storage. */
async function costsOf(storage: StorageId, size: number, onStep: (text: string) => void): Promise<Costs> {
  const title = `${size.toLocaleString('en')} in ${storages[storage].title}`
  const heap = Math.max(4_096, Math.ceil((size / 1e6) * megabytesPerMillion))
  const program = fileURLToPath(new URL('measure.ts', import.meta.url))
  const begin = performance.now()
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      `--max-old-space-size=${heap}`,
      '--disable-warning=ExperimentalWarning',
      ...['--import', 'tsx', program, storage, `${size}`],
    ])
    onStep(`${title}: ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    return JSON.parse(stdout)
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string } // an error of execFile has it
    onStep(`${title} is left out: ${/^\w*error: .*$/im.exec(stderr)?.[0] ?? cause}`)
    return {}
  }
}
