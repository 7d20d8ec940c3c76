import { type Spread, spread } from '../results.ts'
import { type ScenarioId, scenarios } from '../scenarios.ts'
import type { StandalonePlan, StandaloneSample, StandaloneSamples } from './rounds.ts'
import { type StandaloneSideId, standaloneSides } from './sides.ts'

/** The least share of bare node:http's rate with a silent log. */
const targets: Readonly<Record<ScenarioId, number>> = {
  list20: 0.85,
  list100: 0.85,
  getPet: 0.85,
  createPet: 0.75,
}

/** What a log and metrics may take of the silent rate. */
const loggedShare = 0.85

/** A row of the report: one side in one scenario. */
export interface StandaloneResult {
  readonly scenario: ScenarioId
  readonly connections: number
  readonly side: StandaloneSideId
  readonly rate: Spread
  readonly cpuMicros: Spread
  /** The rate of this side divided by that of bare node:http, in each round; undefined if bare is not measured. */
  readonly ratio: Spread | undefined
  /** The same by CPU time, which other programs on the machine disturb less. */
  readonly cpuRatio: Spread | undefined
  readonly target: number | undefined
}

export function summarizeStandalone(
  plan: StandalonePlan,
  { samples }: Pick<StandaloneSamples, 'samples'>,
): StandaloneResult[] {
  return plan.scenarios.flatMap((scenario) =>
    plan.connections.flatMap((connections) => {
      const here = samples.filter((one) => one.scenario === scenario && one.connections === connections)
      const sidesHere = plan.sides.filter((side) => here.some((one) => one.side === side))
      return sidesHere.map((side): StandaloneResult => {
        const ofSide = here.filter((one) => one.side === side)
        const pairs = side === 'bare' ? [] : pairsWithBare(ofSide, here)
        return {
          scenario,
          connections,
          side,
          rate: spread(ofSide.map(({ rate }) => rate)),
          cpuMicros: spread(ofSide.map(({ cpuMicros }) => cpuMicros)),
          ratio: pairs.length === 0 ? undefined : spread(pairs.map(([one, bare]) => one.rate / bare.rate)),
          cpuRatio:
            pairs.length === 0
              ? undefined
              : spread(pairs.map(([one, bare]) => bare.cpuMicros / one.cpuMicros)),
          target: targetOf(scenario, side),
        }
      })
    }),
  )
}

function pairsWithBare(
  samples: readonly StandaloneSample[],
  here: readonly StandaloneSample[],
): (readonly [StandaloneSample, StandaloneSample])[] {
  return samples.flatMap((one) =>
    here.flatMap((bare) => (bare.side === 'bare' && bare.round === one.round ? [[one, bare] as const] : [])),
  )
}

function targetOf(scenario: ScenarioId, side: StandaloneSideId): number | undefined {
  if (side === 'silent') return targets[scenario]
  return side === 'logged' ? targets[scenario] * loggedShare : undefined
}

/** Whether a row reaches its target, to two digits; true if it has none. */
export function reaches({ ratio, target }: StandaloneResult): boolean {
  return !ratio || target === undefined || Number(ratio.median.toFixed(2)) >= Number(target.toFixed(2))
}

/** Formats the report as Markdown tables, which a terminal shows too. */
export function standaloneReport(
  plan: StandalonePlan,
  measured: StandaloneSamples,
  results: readonly StandaloneResult[],
): string {
  const rows = results.map((result) => [
    `${scenarios[result.scenario].title}, ${result.connections} connections`,
    standaloneSides[result.side].title,
    Math.round(result.rate.median).toLocaleString('en'),
    range(result.cpuMicros, 1),
    result.ratio ? range(result.ratio, 2) : '',
    result.cpuRatio ? range(result.cpuRatio, 2) : '',
    result.target === undefined
      ? ''
      : `${reaches(result) ? 'reached' : 'MISSED'} ≥ ${result.target.toFixed(2)}`,
  ])
  const processes = plan.sides
    .filter((side) => !measured.skipped.has(side))
    .map((side) => {
      const here = measured.latencies.filter((one) => one.side === side)
      const latency = (which: 'p50' | 'p99') =>
        here.length === 0 ? '' : `${spread(here.map((one) => one[which])).median.toFixed(2)} ms`
      const megabytes = spread(measured.memory.get(side) ?? []).median / 2 ** 20
      return [standaloneSides[side].title, `${Math.round(megabytes)} MB`, latency('p50'), latency('p99')]
    })
  const rate = Math.round(spread(measured.latencies.map((one) => one.rate)).median).toLocaleString('en')
  const skipped = [...measured.skipped].map(([side, reason]) => `${standaloneSides[side].title}: ${reason}`)
  return [
    table(['', 'server', 'requests/s', 'CPU µs/request', 'share of bare', 'by CPU', 'target'], rows),
    table(['server', 'memory', `p50 of getPet at ${rate}/s`, 'p99'], processes),
    ...skipped,
  ].join('\n\n')
}

function range({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}..${max.toFixed(digits)})`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) =>
    Math.max(3, ...[head, ...rows].map((row) => row[i]?.length ?? 0), title.length),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
