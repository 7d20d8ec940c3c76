import { readFileSync } from 'node:fs'
import { capacityTable, stepsTable } from './capacity-table.ts'
import { costTable, stockTable } from './cost-table.ts'
import type { FleetFigures } from './figures.ts'

/** The operator's manual. */
export const manualFile: URL = new URL('../../standalone/README.md', import.meta.url)

/** The figures that the manual has. */
export const figuresFile: URL = new URL('measured.json', import.meta.url)

/** Reads the figures that the manual has. */
export function readFigures(): FleetFigures {
  return JSON.parse(readFileSync(figuresFile, 'utf8')) // written by this program
}

/** Returns what of the manual follows from figures, a sentence and tables, by their names. */
export function tablesOf(figures: FleetFigures): Readonly<Record<string, string>> {
  return {
    setting: settingOf(figures),
    costs: costTable(figures),
    stock: stockTable(figures),
    capacity: capacityTable(figures),
    steps: stepsTable(figures),
  }
}

/** The load of other programs, for each core, from which on the manual says that figures are too high. */
const quietLoad = 0.25

function settingOf({ date, machine, node, redis, postgres, ...plan }: FleetFigures): string {
  const { cores, gigahertz, otherLoad } = machine
  const { rounds, requests, connections } = plan
  const hardware = `${cores} cores of ${gigahertz.toFixed(1)} GHz in a cloud, which also ran the clients`
  const load = `${requests.toLocaleString('en')} requests on ${connections} connections to each server`
  const sentences = [
    `Measured on ${date} on ${hardware}: Node ${node}, Redis ${redis}, PostgreSQL ${postgres}.`,
    rounds > 1
      ? `Each row has the least of ${rounds} rounds of ${load}.`
      : `Each row is one round of ${load}.`,
  ]
  if (otherLoad > cores * quietLoad)
    sentences.push(
      `**These times are upper bounds, and so are the servers, shards and cores below**: other programs used the same cores (load ${otherLoad}), and processes that interrupt each other need several times as long.`,
    )
  return sentences.join(' ')
}

/**
 * Returns the manual with these tables. Each stands behind a comment with its name, `<!-- fleet: costs -->`, up to an empty line.
 *
 * @throws Error if the manual has no place for a table.
 */
export function withTables(manual: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- fleet: ${name} -->\n)(?:.+\n)*`)
    if (!place.test(text)) throw new Error(`the manual has no place for the table: <!-- fleet: ${name} -->`)
    return text.replace(place, (_, comment) => `${comment}${table}\n`)
  }, manual)
}
