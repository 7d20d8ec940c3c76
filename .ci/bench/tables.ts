import { cpus, totalmem } from 'node:os'
import { connections } from './load.ts'
import type { Plan, Sample } from './rounds.ts'
import type { RowId } from './scenarios.ts'
import { pinned } from './server.ts'

/** Formats cells as a Markdown table; all columns but the first are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, i) => (i === 0 ? '---' : '---:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Returns the cell of a side: its rate, and the CPU time of a request. */
export function cell(samples: readonly Sample[]): string {
  const rate = Math.round(median(samples.map(({ rate }) => rate))).toLocaleString('en')
  const micros = median(samples.map(({ cpuMicros }) => cpuMicros))
  return Number.isNaN(micros) ? rate : `${rate} · ${micros.toFixed(micros < 100 ? 1 : 0)}`
}

/** Returns the rate of one side as a multiple of the other's: the median of the rounds. */
export function measureRatio(samples: readonly Sample[], row: RowId, one: string, other: string): number {
  const others = selectSamples(samples, other, row)
  return median(selectSamples(samples, one, row).map(({ rate }, round) => rate / (others[round]?.rate ?? 0)))
}

export function selectSamples(samples: readonly Sample[], side: string, row: RowId): readonly Sample[] {
  return samples.filter((sample) => sample.side === side && sample.row === row)
}

/** Returns the median; NaN of no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** Describes the machine, the settings, and how far the rounds are apart. */
export function footnote(plan: Plan, samples: readonly Sample[]): string {
  const [cpu] = cpus()
  const where = pinned ? 'on a core each' : 'not pinned'
  return (
    `Each cell: requests a second · CPU microseconds of the server's process for a request. Medians of ${plan.rounds} round${plan.rounds === 1 ? '' : 's'}\n` +
    `of a second, after three that warm up. The rounds: rates ${range(samples, ({ rate }) => rate)}, ` +
    `CPU ${range(samples, ({ cpuMicros }) => cpuMicros)} of their median. Node ${process.versions.node},\n` +
    `${cpu?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}; ` +
    `wrk, ${connections} connections, server and load generator ${where}.`
  )
}

/** Returns the range of nine in ten samples around the median of their cell. */
function range(samples: readonly Sample[], figureOf: (sample: Sample) => number): string {
  const shares = samples
    .map((sample) => figureOf(sample) / median(selectSamples(samples, sample.side, sample.row).map(figureOf)))
    .filter((share) => !Number.isNaN(share))
    .sort((a, b) => a - b)
  const at = (share: number) => `${Math.round((shares[Math.floor((shares.length - 1) * share)] ?? 1) * 100)}`
  return `${at(0.05)} to ${at(0.95)} %`
}
