import type { Measured } from './bounds.ts'
import type { Traffic } from './crowd.ts'

const columns: readonly (readonly [title: string, width: number])[] = [
  ['flood', -16],
  ['start', 7],
  ['peak', 7],
  ['after', 7],
  ['healthz', 9],
  ['good key', 9],
  ['  flooded with', -42],
  ['verdict', 0],
]

/** The first line of the table. Memory is in MiB, time in milliseconds. */
export const header: string = line(columns.map(([title]) => title))

/** Returns the line of one flood, and a line for each broken bound. */
export function row({ flood, memory, seen, traffic }: Measured, violations: readonly string[]): string {
  const figures = [memory?.start, memory?.peak, memory?.left, seen.slowestHealth, seen.slowestGood]
  const cells = figures.map((figure) => (figure === undefined ? '-' : String(Math.round(figure))))
  const first = line([
    flood,
    ...cells,
    `  ${summaryOf(traffic)}`,
    violations.length === 0 ? 'holds' : 'BROKEN',
  ])
  return [first, ...violations.map((violation) => `    ${violation}`)].join('\n')
}

function summaryOf({ connections, sent, received }: Traffic): string {
  return `${connections} connections, ${mega(sent)} MB, ${mega(received)} MB read`
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

/** Returns a line of the table. A column of negative width is aligned to the left. */
function line(cells: readonly string[]): string {
  return cells
    .map((cell, i) => {
      const width = columns[i]?.[1] ?? 0
      return width < 0 ? cell.padEnd(-width) : cell.padStart(width)
    })
    .join(' ')
}
