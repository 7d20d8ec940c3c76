// The process of one flood: its arguments are the name and the target. It prepares the server, starts the flood at the
// first message, and ends with its parent. After each of the two, and at the second message, it sends a report.
import { once } from 'node:events'
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

let violations: (() => readonly string[]) | undefined
const report = () => {
  const sent: Report = { traffic: crowd.traffic(), violations: violations?.() ?? [] }
  process.send?.(sent)
}

await flood?.prepare?.(target)
report()
await once(process, 'message')
violations = flood?.start(target, crowd)
report()
await once(process, 'message')
report()
