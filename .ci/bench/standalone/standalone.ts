import { execFileSync } from 'node:child_process'
import { generator } from '../load.ts'
import { reaches, standaloneReport, summarizeStandalone } from './report.ts'
import { measureStandalone, type StandalonePlan } from './rounds.ts'

/** Compares the built program with bare node:http, and prints the report. Returns the exit code: 1 if a target is missed. */
export async function compareStandalone(plan: StandalonePlan): Promise<0 | 1> {
  const measured = await measureStandalone(
    plan,
    ({ round, scenario, connections, side, rate, cpuMicros }) => {
      const what = `${scenario.padEnd(9)}  ${`${connections}`.padStart(3)}  ${side.padEnd(8)}`
      process.stderr.write(
        `round ${round + 1} of ${plan.rounds}  ${what}  ${Math.round(rate)}/s  ${cpuMicros.toFixed(1)} µs\n`,
      )
    },
  )
  const results = summarizeStandalone(plan, measured)
  const version = execFileSync(plan.node, ['--version'], { encoding: 'utf8' }).trim()
  process.stdout.write(`${standaloneReport(plan, measured, results)}\n\n`)
  process.stdout.write(
    `Node ${version.slice(1)}; ${generator}; ${plan.rounds} rounds of ${plan.seconds} s, median (min..max).\n`,
  )
  return results.every(reaches) ? 0 : 1
}
