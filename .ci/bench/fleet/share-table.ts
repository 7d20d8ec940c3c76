import { createRandom } from '../../../adapters/contracts/random.ts'
import { table } from './markdown.ts'
import { type Balance, balances, type Fairness, type Scheme, simulate } from './share-simulation.ts'

const fleets = [3, 10, 100] as const

/** The columns: how a scheme does at a demand, which is a share of the limit. */
const columns: readonly {
  readonly title: string
  readonly scheme: Scheme
  readonly demand: number
  text(fairness: Fairness): string
}[] = [
  {
    title: 'no Redis, demand 150 %: admitted beyond the limit',
    scheme: 'own',
    demand: 1.5,
    text: ({ wronglyAdmitted }) => percent(wronglyAdmitted),
  },
  {
    title: 'fixed share, demand 50 %: wrongly rejected',
    scheme: 'share',
    demand: 0.5,
    text: ({ wronglyRejected }) => percent(wronglyRejected),
  },
  {
    title: 'fixed share, demand 90 %: wrongly rejected',
    scheme: 'share',
    demand: 0.9,
    text: ({ wronglyRejected }) => percent(wronglyRejected),
  },
  {
    title: 'leases, demand 90 %: wrongly rejected',
    scheme: 'lease',
    demand: 0.9,
    text: ({ wronglyRejected }) => percent(wronglyRejected),
  },
  {
    title: 'leases: calls of Redis for a request',
    scheme: 'lease',
    demand: 0.9,
    text: ({ calls }) => calls.toFixed(2),
  },
]

/** Returns the table of the simulation. It is the same in every run. */
export function shareTable(): string {
  const rows = fleets.flatMap(
    (servers) => Object.keys(balances).map((balance) => shareRow(servers, balance as Balance)), // the keys of a constant
  )
  return table(['Servers', 'Requests reach them', ...columns.map(({ title }) => title)], rows)
}

/** Returns one row of the table. */
export function shareRow(servers: number, balance: Balance): readonly (string | number)[] {
  const cells = columns.map(({ scheme, demand, text }) =>
    text(simulate({ servers, balance, demand }, scheme, randomOf(servers))),
  )
  return [servers, balances[balance], ...cells]
}

function randomOf(seed: number): () => number {
  const { whole } = createRandom(seed)
  return () => whole(0, 2 ** 31 - 1) / 2 ** 31
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
