import process from 'node:process'
import { measure, type Plan } from './rounds.ts'
import { type RowId, scenarios } from './scenarios.ts'
import { memorySides } from './subjects.ts'
import { computeRatio, formatFootnote, formatTable } from './tables.ts'

const isNode20 = process.versions.node.startsWith('20.')
const readFloor = isNode20 ? 0.85 : 0.9
/** Minimum request rate, compared with bare node:http. */
const floors: Readonly<Record<RowId, number>> = {
  list20: readFloor,
  list100: readFloor,
  getPet: readFloor,
  createPet: isNode20 ? 0.75 : 0.8,
}

const { ours, bare } = memorySides

/**
 * Measures up to 3 times, as other programs may disturb a round, and only the rows that were below their floor before.
 *
 * @returns 1 if a row was below its floor every time
 */
export async function checkFloors(plan: Plan): Promise<0 | 1> {
  let { rows } = plan
  for (let measurement = 1; measurement <= 3 && rows.length > 0; measurement++)
    rows = await findRowsBelow({ ...plan, rows })
  return rows.length > 0 ? 1 : 0
}

async function findRowsBelow(plan: Plan): Promise<Plan['rows']> {
  const samples = await measure(plan, { ours, bare }, 'floors')
  const ratios = plan.rows.map((row) => ({ row, ratio: computeRatio(samples, row, 'ours', 'bare') }))
  const rows = ratios.map(({ row, ratio }) => [
    scenarios[row].title,
    ratio.toFixed(2),
    floors[row].toFixed(2),
  ])
  process.stdout.write(
    `${formatTable(['rate compared with bare node:http', 'measured', 'floor'], rows)}\n\n${formatFootnote(plan, samples)}\n`,
  )
  return ratios.filter(({ row, ratio }) => ratio < floors[row]).map(({ row }) => row)
}
