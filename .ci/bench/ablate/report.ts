import { ablate, type Cost } from './ablate.ts'
import { writeTable } from './table.ts'

/** What a run measures, and whether it writes the table. */
export interface AblationOptions {
  readonly names: readonly string[]
  readonly rounds: number
  /** Requests to each side in a round. */
  readonly requests: number
  readonly write: boolean
}

/**
 * Measures ablations, prints what the plain form of each costs in each row and runtime, and with `write` puts the results in
 * the table of CONTRIBUTING.md at once: a run that is interrupted goes on with the ablations that are left.
 */
export async function report({ names, rounds, requests, write }: AblationOptions): Promise<0> {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1)) // removes the copies
  const costs: Cost[] = []
  for await (const cost of ablate(names, { rounds, requests })) {
    costs.push(cost)
    process.stdout.write(`${line(cost)}\n`)
    if (write) writeTable(costs)
  }
  return 0
}

function line({ ablation, row, runtime, cpu, from, to, productMicros, memory }: Cost): string {
  const place = `${ablation.padEnd(22)}  ${row.padEnd(25)}  ${runtime.padEnd(7)}`
  const spread = `${percent(cpu).padStart(8)} (${percent(from)}..${percent(to)})`
  return `${place}  ${spread}  of ${productMicros.toPrecision(3)} µs, memory ${percent(memory)}`
}

function percent(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`
}
