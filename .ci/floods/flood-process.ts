// The process of one flood: its arguments are the name and the target. It starts the flood, sends a report for each
// message, and ends with its parent.
import { createCrowd, type Traffic } from './crowd.ts'
import { floods } from './floods.ts'
import type { Target } from './target.ts'

/** The outcome of a flood so far. */
export interface Report {
  readonly traffic: Traffic
  /** The broken promises that its clients saw. */
  readonly violations: readonly string[]
}

const [, , name = '', json = ''] = process.argv
const flood = floods[name]
const target: Target = JSON.parse(json)
const crowd = createCrowd(target.port)
process.on('disconnect', () => process.exit())

const violations = flood?.start(target, crowd)
process.on('message', () => {
  const report: Report = { traffic: crowd.traffic(), violations: violations?.() ?? [] }
  process.send?.(report)
})
