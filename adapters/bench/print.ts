import { cpus, totalmem } from 'node:os'
import { pinned } from './cores.ts'
import { generator } from './load.ts'
import type { Result, Spread } from './results.ts'
import type { Plan } from './rounds.ts'
import { scenarios } from './scenarios.ts'
import { sides } from './sides.ts'

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
    `${scenarios[result.scenario].title}, ${sides[result.side]}`,
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

/** Formats the results as the Markdown table of the README, with one row for each scenario. */
export function markdownTable({ sides: shown }: Plan, results: readonly Result[]): string {
  const rows = Object.entries(scenarios).flatMap(([id, { title }]) => {
    const here = results.filter(({ scenario }) => scenario === id)
    if (here.length === 0) return []
    return [
      [
        title,
        ...here.map(
          (result) =>
            `${whole(result.rate.median)}${result.side === 'ours' ? '' : `<br>${ratio(result.ratio)}`}`,
        ),
      ],
    ]
  })
  return [
    ['requests a second', ...shown.map((side) => sides[side])],
    ['---', ...shown.map(() => '---:')],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
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
