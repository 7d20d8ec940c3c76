import type { Plan, Sample } from './rounds.ts'
import type { ScenarioId } from './scenarios.ts'
import type { SideId } from './sides.ts'

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** One side in one scenario, over all rounds. */
export interface Result {
  readonly scenario: ScenarioId
  readonly side: SideId
  /** Requests a second. */
  readonly rate: Spread
  /** What a request costs the server, in microseconds of its core; undefined where the system does not tell. */
  readonly cpuMicros: Spread | undefined
  /** Ours over this side, of each round. */
  readonly ratio: Spread
  /** What the median of `ratio` must reach; undefined where nothing is asked. */
  readonly target: number | undefined
}

/** What ours must reach against a side, as a ratio of rates. */
const targets: Readonly<Record<ScenarioId, Partial<Record<SideId, number>>>> = {
  list20: { bare: 0.85, fastify: 1.6 },
  list100: { bare: 0.85, fastify: 1.6 },
  getPet: { bare: 0.85, fastify: 1.6 },
  createPet: { bare: 0.75 },
}

export function summarize({ scenarios, sides }: Plan, samples: readonly Sample[]): Result[] {
  return scenarios.flatMap((scenario) => {
    const here = samples.filter((sample) => sample.scenario === scenario)
    const of = (side: SideId) =>
      here.filter((sample) => sample.side === side).sort((a, b) => a.round - b.round)
    const ours = of('ours')
    return sides.map((side): Result => {
      const theirs = of(side)
      const cpu = theirs.flatMap(({ cpuMicros }) => cpuMicros ?? [])
      return {
        scenario,
        side,
        rate: spread(theirs.map(({ rate }) => rate)),
        cpuMicros: cpu.length > 0 ? spread(cpu) : undefined,
        ratio: spread(theirs.map(({ rate }, i) => (ours[i]?.rate ?? 0) / rate)),
        target: targets[scenario][side],
      }
    })
  })
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted.at(index) ?? Number.NaN
  const middle = sorted.length / 2
  return {
    median: (at(Math.ceil(middle) - 1) + at(Math.floor(middle))) / 2,
    min: at(0),
    max: at(-1),
  }
}
