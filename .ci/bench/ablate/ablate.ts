import { spread } from '../results.ts'
import { ablations } from './ablations.ts'
import { makeCopy } from './copies.ts'
import { type Effort, measureRound, type Pair, type RowId } from './measure.ts'
import { findRuntimes, type RuntimeId } from './programs.ts'

/** What the plain form costs in a row on a runtime. */
export interface Cost {
  readonly ablation: string
  readonly row: RowId
  readonly runtime: RuntimeId
  /** The CPU time of the plain form divided by that of the product, less 1: the median of the rounds. */
  readonly cpu: number
  /** The least and the most of the rounds. */
  readonly from: number
  readonly to: number
  /** The CPU time of the product for a unit, in microseconds. */
  readonly productMicros: number
  /** The memory of the plain form divided by that of the product, less 1. */
  readonly memory: number
}

/** Measures ablations one after the other, and yields what each costs as soon as it is known. */
export async function* ablate(names: readonly string[], effort: Effort): AsyncGenerator<Cost> {
  const commands = await findRuntimes()
  const product = makeCopy(undefined)
  try {
    for (const name of names) {
      const plain = makeCopy(name === 'nothing' ? undefined : name)
      const folders = { product: product.folder, plain: plain.folder }
      try {
        for (const runtime of ablations[name]?.on ?? [])
          for (const row of ablations[name]?.rows ?? []) {
            const pairs: Pair[] = []
            for (let round = 0; round < effort.rounds; round++)
              pairs.push(await measureRound(commands[runtime], row, folders, effort, round % 2 === 1))
            yield { ablation: name, row, runtime, ...summarize(pairs) }
          }
      } finally {
        plain.remove()
      }
    }
  } finally {
    product.remove()
  }
}

function summarize(pairs: readonly Pair[]): Pick<Cost, 'cpu' | 'from' | 'to' | 'productMicros' | 'memory'> {
  const of = (member: keyof Pair) => spread(pairs.map((pair) => pair[member]))
  const { median: cpu, min: from, max: to } = of('cpu')
  return { cpu, from, to, productMicros: of('productMicros').median, memory: of('memory').median }
}
