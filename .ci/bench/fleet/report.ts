import { readFileSync, writeFileSync } from 'node:fs'
import type { Cell } from './figures.ts'
import { figuresFile, manualFile, readFigures, tablesOf, withTables } from './manual.ts'
import { type FleetPlan, measureFleet } from './measure-fleet.ts'
import { shareTable } from './share-table.ts'

export interface FleetOptions {
  readonly plan: FleetPlan
  /** Whether to measure, or to use the figures of the manual. */
  readonly measures: boolean
  readonly json: boolean
  /** Whether to write the figures and the tables of the manual. */
  readonly write: boolean
}

/** Measures a fleet, and prints what follows. Returns the exit code. */
export async function reportFleet({ plan, measures, json, write }: FleetOptions): Promise<0> {
  const figures = measures ? await measureFleet(plan, printProgress) : readFigures()
  const source = `${JSON.stringify(figures, undefined, 2)}\n`
  if (json) process.stdout.write(source)
  if (json && !write) return 0
  const tables = { ...tablesOf(figures), share: shareTable() }
  if (!json) process.stdout.write(textOf(tables))
  if (write) {
    const manual = withTables(readFileSync(manualFile, 'utf8'), tables)
    writeFileSync(figuresFile, source)
    writeFileSync(manualFile, manual)
  }
  return 0
}

function printProgress(cell: Cell): void {
  const { operation, servers, size, serverMicros, redisMicros, postgresMicros } = cell
  process.stderr.write(
    `${operation.padEnd(10)}  ${servers} of ${size}  server ${serverMicros}  Redis ${redisMicros}  PostgreSQL ${postgresMicros}\n`,
  )
}

function textOf(tables: Readonly<Record<string, string>>): string {
  return Object.values(tables)
    .map((text) => `${text}\n\n`)
    .join('')
}
