import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { writeSection } from '../marked-section.ts'
import { type GrowthPlan, measureGrowth } from './run.ts'
import { growthTable } from './table.ts'

const manual = fileURLToPath(new URL('../../../adapters/README.md', import.meta.url))

/** Measures the growth and prints the table. With `writes`, also replaces the table of the manual. */
export async function reportGrowth(plan: GrowthPlan, writes: boolean): Promise<0> {
  const points = await measureGrowth(plan, (text) => process.stderr.write(`${text}\n`))
  const [cpu] = cpus()
  const table = growthTable(points)
  const machine = `Node ${process.versions.node}, ${cpu?.model.trim()}, ${process.platform}.`
  process.stdout.write(`${table}\n\n${machine}\n`)
  if (writes) writeSection(manual, 'growth', `${table}\n\n${machine}`)
  return 0
}
