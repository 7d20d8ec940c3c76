// The process of one flood. It carries out the orders of its parent. Its connections close when it ends.
import { createCrowd, type Traffic } from './crowd.ts'
import { type FloodName, floods } from './floods.ts'
import type { Target } from './target.ts'

/** The orders of the parent: first `prepare`, then `start`, then `stop`. */
export type Order =
  | { readonly do: 'prepare'; readonly flood: FloodName; readonly target: Target }
  | { readonly do: 'start' }
  | { readonly do: 'stop' }

/** The outcome of a flood. */
export interface Outcome {
  readonly traffic: Traffic
  /** The broken promises that its clients saw. */
  readonly violations: readonly string[]
}

/** The report on an order: the outcome after the last one, or the reason of a failure. */
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
