import process from 'node:process'
import { measure, type Plan } from './rounds.ts'
import { type RowId, scenarios } from './scenarios.ts'
import { inMemory } from './subjects.ts'
import { footnote, measureRatio, table } from './tables.ts'

/** Minimum rate of the standalone server, as a share of the rate of bare `node:http`. */
type Floors = Readonly<Record<RowId, number>>

const isNode20 = process.versions.node.startsWith('20.')
const reads = isNode20 ? 0.85 : 0.9
const floors: Floors = { list20: reads, list100: reads, getPet: reads, createPet: isNode20 ? 0.75 : 0.8 }

const { ours, bare } = inMemory

/**
 * Compares the standalone server, silent and in memory, with bare `node:http`. On a machine that other programs
 * disturb, a row may be below its floor once, so such rows are measured up to three times.
 *
 * @returns 1 if a row is below its floor in all three measurements.
 */
export async function checkFloors(plan: Plan): Promise<0 | 1> {
  let { rows } = plan
  for (let measurement = 1; measurement <= 3 && rows.length > 0; measurement++)
    rows = await rowsBelow({ ...plan, rows })
  return rows.length > 0 ? 1 : 0
}

/** Measures the rows, prints the table, and returns the rows below their floors. */
async function rowsBelow(plan: Plan): Promise<Plan['rows']> {
  const samples = await measure(plan, { ours, bare }, 'floors')
  const ratios = plan.rows.map((row) => ({ row, ratio: measureRatio(samples, row, 'ours', 'bare') }))
  const rows = ratios.map(({ row, ratio }) => [
    scenarios[row].title,
    ratio.toFixed(2),
    floors[row].toFixed(2),
  ])
  process.stdout.write(
    `${table(['rate, of bare node:http', 'measured', 'floor'], rows)}\n\n${footnote(plan, samples)}\n`,
  )
  const below = ratios.filter(({ row, ratio }) => ratio < floors[row])
  for (const { row, ratio } of below)
    process.stdout.write(
      `${scenarios[row].title}: ${ratio.toFixed(2)} is below the floor of ${floors[row]}\n`,
    )
  return below.map(({ row }) => row)
}
