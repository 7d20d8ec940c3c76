// The process of one flood. It carries out the orders that its parent sends, and ends its connections by ending itself.
import { createCrowd, type Traffic } from './crowd.ts'
import { type FloodName, floods } from './floods.ts'
import type { Target } from './target.ts'

/** What the parent sends: first `prepare`, then `start`, then `stop`. */
export type Order =
  | { readonly do: 'prepare'; readonly flood: FloodName; readonly target: Target }
  | { readonly do: 'start' }
  | { readonly do: 'stop' }

/** What a flood did. */
export interface Outcome {
  readonly traffic: Traffic
  /** What its clients saw that must not be. */
  readonly violations: readonly string[]
}

/** What the process sends when it has carried out an order: the outcome with the last, or why it could not. */
export type Report = Partial<Outcome> & { readonly failure?: string }

let begin = () => {}
let outcome = (): Report => ({})

async function carryOut(order: Order): Promise<Report> {
  switch (order.do) {
    case 'prepare': {
      const { target } = order
      const flood = floods[order.flood]
      await flood.prepare?.(target)
      begin = () => {
        const crowd = createCrowd(target.port)
        const violations = flood.start(target, crowd)
        outcome = () => ({ traffic: crowd.traffic(), violations: violations() })
      }
      return {}
    }
    case 'start':
      begin()
      return {}
    case 'stop':
      return outcome()
  }
}

process.on('message', (order: Order) => {
  carryOut(order)
    .catch((cause): Report => ({ failure: String(cause) }))
    .then((report) => process.send?.(report, () => order.do === 'stop' && process.exit()))
})
process.on('disconnect', () => process.exit())
