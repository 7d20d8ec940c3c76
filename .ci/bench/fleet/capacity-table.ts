import { capacityFor, costOfMix } from './capacity.ts'
import { stepsInOrder } from './capacity-steps.ts'
import type { FleetFigures } from './figures.ts'
import { table } from './markdown.ts'
import { sizes } from './world.ts'

/** The rates of the table, in requests a second. */
const rates = [10_000, 100_000, 1_000_000] as const

/** Returns the table of what a rate takes, and which part is the next to give way. */
export function capacityTable({ cells }: Pick<FleetFigures, 'cells'>): string {
  const rows = rates.flatMap((rate) =>
    sizes.map((size) => {
      const cost = costOfMix(cells, size)
      const capacity = capacityFor(rate, cost)
      const steps = stepsInOrder(cost).filter(({ isOfOneKey }) => !isOfOneKey)
      const next = steps.find(({ at }) => at > rate)
      const missing = steps.filter(({ at, exists }) => at <= rate && !exists)
      return [
        whole(rate),
        whole(size),
        whole(capacity.servers),
        whole(capacity.redisShards),
        `${whole(capacity.readCores)} + ${whole(capacity.writeCores)}`,
        whole(capacity.connections),
        capacity.gigabits.toPrecision(2),
        next ? `${next.part}, at ${rounded(next.at)}` : 'nothing that is below',
        missing.map(({ remedy }) => remedy).join('; ') || 'nothing',
      ]
    }),
  )
  const head = [
    'Requests a second',
    'Keys and animals in use',
    'Servers',
    'Redis shards',
    'PostgreSQL cores: reads + writes',
    'Connections to PostgreSQL',
    'Responses, Gbit/s',
    'Next to give way',
    'Needs, and does not exist',
  ]
  return table(head, rows)
}

/** Returns the table of the steps, in the order in which a growing fleet reaches them. */
export function stepsTable({ cells }: Pick<FleetFigures, 'cells'>): string {
  const [few, many] = sizes.map((size) => stepsInOrder(costOfMix(cells, size)))
  const rows = (many ?? []).map(({ part, at, remedy, reason, exists }) => {
    const withFew = few?.find((step) => step.part === part)?.at ?? at
    return [part, `${rounded(at)} to ${rounded(withFew)}`, remedy, reason, exists ? 'yes' : 'no']
  })
  return table(['Gives way', 'At requests a second', 'What to do', 'Why', 'Exists'], rows)
}

function whole(value: number): string {
  return value.toLocaleString('en')
}

/** Rounds to two digits: the assumptions carry no more. */
function rounded(value: number): string {
  return whole(Number(value.toPrecision(2)))
}
