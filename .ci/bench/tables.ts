import { cpus, totalmem } from 'node:os'
import { defaultConnections, type Plan, type Sample } from './rounds.ts'
import type { RowId } from './scenarios.ts'

export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, i) => (i === 0 ? '---' : '---:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Formats the medians of rate, p99 and CPU time. */
export function formatCell(samples: readonly Sample[]): string {
  const rate = Math.round(computeMedian(samples.map(({ rate }) => rate))).toLocaleString('en')
  const p99 = computeMedian(samples.map(({ p99Ms }) => p99Ms)).toFixed(2)
  const micros = computeMedian(samples.map(({ cpuMicros }) => cpuMicros))
  return [rate, p99, micros.toFixed(micros < 100 ? 1 : 0)].join(' · ')
}

/** Returns the median of the rounds' ratios: both servers of a round meet the same state of the machine. */
export function computeRatio(
  samples: readonly Sample[],
  row: RowId,
  one: string,
  other: string,
  figure: 'rate' | 'p99Ms' = 'rate',
): number {
  const others = selectSamples(samples, other, row)
  const ratios = selectSamples(samples, one, row).map(
    (sample, round) => sample[figure] / (others[round]?.[figure] ?? 0),
  )
  return computeMedian(ratios)
}

export function selectSamples(samples: readonly Sample[], side: string, row: RowId): readonly Sample[] {
  return samples.filter((sample) => sample.side === side && sample.row === row)
}

export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

export function formatFootnote(plan: Plan, samples: readonly Sample[]): string {
  const [cpu] = cpus()
  return (
    `Each cell: requests per second · p99 response time in ms · CPU time per request in µs, server process only.\n` +
    `Medians over ${plan.rounds} round${plan.rounds === 1 ? '' : 's'} of 1 s after ${plan.warmUpSeconds} s of warm-up. 90 % of the rounds are within ` +
    `${formatRange(samples, ({ rate }) => rate)} (rate) and ${formatRange(samples, ({ cpuMicros }) => cpuMicros)} (CPU)\n` +
    `of the median. Node ${process.versions.node}, ` +
    `${cpu?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}; ` +
    `wrk, ${defaultConnections} connections unless the row names another number, server and load generator on separate cores.`
  )
}

/** Returns how far rounds differ from their median: the 5th and the 95th percentile. */
function formatRange(samples: readonly Sample[], figureOf: (sample: Sample) => number): string {
  const shares = samples
    .map(
      (sample) =>
        figureOf(sample) / computeMedian(selectSamples(samples, sample.side, sample.row).map(figureOf)),
    )
    .sort((a, b) => a - b)
  const at = (share: number) => `${Math.round((shares[Math.floor((shares.length - 1) * share)] ?? 1) * 100)}`
  return `${at(0.05)} to ${at(0.95)} %`
}
