import { cpus, totalmem } from 'node:os'
import { pinned } from './cores.ts'
import { generator } from './load.ts'
import type { Result, Spread } from './results.ts'
import type { Plan } from './rounds.ts'
import { titles } from './scenarios.ts'
import { type SideId, sides } from './sides.ts'

/** Describes the machine and the settings of the measurement in one sentence. */
export function environment({ rounds, seconds, connections }: Plan): string {
  const [cpu] = cpus()
  const where = pinned ? 'server and load generator on a core each' : 'server and load generator not pinned'
  return (
    `Node ${process.versions.node}, ${cpu?.model.trim()} × ${cpus().length}, ` +
    `${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}; ${generator}, ${connections} connections, ${where}; ` +
    `${rounds} rounds of ${seconds} s, median (min..max).`
  )
}

const columns = ['', 'requests/s', 'µs/request', 'ours / it', 'target']

/** Formats the results as a table for the terminal, with one row for each side of each scenario. */
export function prettyTable(results: readonly Result[]): string {
  const rows = results.map((result) => [
    `${titles[result.scenario]}, ${sides[result.side]}`,
    whole(result.rate.median),
    result.cpuMicros ? result.cpuMicros.median.toFixed(1) : '',
    result.side === 'ours' ? '' : ratio(result.ratio),
    verdict(result),
  ])
  const widths = columns.map((title, i) =>
    Math.max(...[columns, ...rows].map((row) => row[i]?.length ?? 0), title.length),
  )
  return [columns, ...rows]
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n')
}

/** The order of the columns: the limit, ours, and the peers. */
const columnOrder: readonly SideId[] = ['bare', 'ours', 'fastify', 'hono', 'express']

/** Formats the results as the section of the README between its comments. */
export function readmeSection(plan: Plan, results: readonly Result[]): string {
  const shown = columnOrder.filter((side) => plan.sides.includes(side))
  const rows = plan.scenarios.map((scenario) => [
    titles[scenario],
    ...shown.map((side) => {
      const result = results.find((one) => one.scenario === scenario && one.side === side)
      return result ? cell(result) : ''
    }),
  ])
  const table = [
    ['requests a second', ...shown.map((side) => sides[side])],
    ['---', ...shown.map(() => '---:')],
  ]
    .concat(rows)
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
  return `${table}\n\n${environment(plan)}`
}

/** The rate, and below it how many times as fast ours is, of how many times ours could be. */
function cell({ side, rate, ratio: times, limit }: Result): string {
  if (side === 'ours') return `**${whole(rate.median)}**`
  if (!limit) return `${whole(rate.median)}<br>${ratio(times)}`
  const { median, min, max } = times
  return `${whole(rate.median)}<br>${median.toFixed(2)} of ${limit.median.toFixed(2)} (${min.toFixed(2)}..${max.toFixed(2)})`
}

/** Whether the result reaches its target; true if it has none. */
export function isReached({ ratio: { median }, target }: Result): boolean {
  return target === undefined || median >= target
}

function verdict(result: Result): string {
  if (result.target === undefined) return ''
  return `${isReached(result) ? 'reached' : 'MISSED'} ≥ ${result.target.toFixed(2)}`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function ratio({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} (${min.toFixed(2)}..${max.toFixed(2)})`
}
