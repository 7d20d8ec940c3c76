import type { Plan, Sample } from './rounds.ts'
import type { RowId } from './scenarios.ts'
import type { SideId } from './sides.ts'

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** The result of one side in one scenario, over all rounds. */
export interface Result {
  readonly scenario: RowId
  readonly side: SideId
  /** Requests a second. */
  readonly rate: Spread
  /** CPU time of the server for a request, in microseconds; undefined where the system does not report it. */
  readonly cpuMicros: Spread | undefined
  /** The rate of ours divided by the rate of this side, in each round. */
  readonly ratio: Spread
  /**
   * The rate of bare node:http divided by the rate of this side, in each round: what `ratio` can be at the most, because ours
   * is built on node:http. Undefined for ours and bare, and where bare is not measured.
   */
  readonly limit: Spread | undefined
  /** The minimum for the median of `ratio`; undefined if there is none. */
  readonly target: number | undefined
}

/** The share of bare node:http's rate that is the target where the limit leaves no room for more. */
const shareOfLimit = 0.85

/** The minimum of the rate of ours divided by the rate of a side. */
const targets: Readonly<Record<RowId, Partial<Record<SideId, number>>>> = {
  list20: { bare: 0.85, fastify: 1.6 },
  list100: { bare: 0.85, fastify: 1.6 },
  getPet: { bare: 0.85, fastify: 1.6 },
  createPet: { bare: 0.75 },
  mix: {},
}

export function summarize({ scenarios, sides }: Plan, samples: readonly Sample[]): Result[] {
  return scenarios.flatMap((scenario) => {
    const ofScenario = samples.filter((sample) => sample.scenario === scenario)
    const samplesOf = (side: SideId) =>
      ofScenario.filter((sample) => sample.side === side).sort((a, b) => a.round - b.round)
    const [ours, bare] = [samplesOf('ours'), samplesOf('bare')]
    return sides.map((side): Result => {
      const theirs = samplesOf(side)
      const limit =
        side === 'ours' || side === 'bare' || bare.length === 0 ? undefined : ratioOf(bare, theirs)
      const cpu = theirs.flatMap(({ cpuMicros }) => cpuMicros ?? [])
      return {
        scenario,
        side,
        rate: spread(theirs.map(({ rate }) => rate)),
        cpuMicros: cpu.length > 0 ? spread(cpu) : undefined,
        ratio: ratioOf(ours, theirs),
        limit,
        target: targetWithin(targets[scenario][side], limit),
      }
    })
  })
}

function ratioOf(one: readonly Sample[], other: readonly Sample[]): Spread {
  return spread(other.map(({ rate }, i) => (one[i]?.rate ?? 0) / rate))
}

/** Lowers a target that bare node:http itself hardly reaches. */
function targetWithin(target: number | undefined, limit: Spread | undefined): number | undefined {
  return target && limit ? Math.min(target, shareOfLimit * limit.median) : target
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
