// The process of one flood, whose name is the first argument. Its parent sends the target, then orders. It ends with its parent.
import { createCrowd, type Traffic } from './crowd.ts'
import { floods } from './floods.ts'
import type { Target } from './target.ts'

/** The outcome of a flood. */
export interface Outcome {
  readonly traffic: Traffic
  /** The broken promises that its clients saw. */
  readonly violations: readonly string[]
}

/** What the parent sends: the target, to prepare; then `start`; then `stop`. */
export type Order = Target | 'start' | 'stop'

/** What it gets for each order: the outcome for `stop`, the reason of a failure, or nothing. */
export type Report = Partial<Outcome> & { readonly failure?: string }

const flood = floods[process.argv[2] ?? '']
let start = () => {}
let outcome = (): Report => ({})

async function carryOut(order: Order): Promise<Report> {
  if (order === 'stop') return outcome()
  if (order === 'start') start()
  else {
    await flood?.prepare?.(order)
    start = () => {
      const crowd = createCrowd(order.port)
      const violations = flood?.start(order, crowd)
      outcome = () => ({ traffic: crowd.traffic(), violations: violations?.() ?? [] })
    }
  }
  return {}
}

process.on('message', (order: Order) => {
  carryOut(order)
    .catch((cause): Report => ({ failure: String(cause) }))
    .then((report) => process.send?.(report, () => order === 'stop' && process.exit()))
})
process.on('disconnect', () => process.exit())
