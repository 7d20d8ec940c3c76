import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { choose, count, list } from './flag-values.ts'
import { writeSection } from './marked-section.ts'
import { environment, isReached, prettyTable, readmeSection } from './print.ts'
import { summarize } from './results.ts'
import { measure, type Plan } from './rounds.ts'
import { rowIds, titles } from './scenarios.ts'
import { sideIds, sides } from './sides.ts'

const readme = fileURLToPath(new URL('../../README.md', import.meta.url))

export const peers: Command = {
  title: 'requests a second, compared with bare node:http and other frameworks',
  flags: `  --scenario LIST     comma-separated: ${rowIds.join(', ')} (default: all)
  --sides LIST        comma-separated: ${sideIds.join(', ')} (default: all); ours is always included
  --rounds N          rounds; each measures every side once (default: 7)
  --seconds S         duration of a measurement in seconds (default: 3)
  --warmup S          duration of the warm-up before each measurement in seconds (default: 2)
  --connections N     concurrent connections (default: 64)
  --markdown          prints the section of README.md
  --write             replaces the section of README.md

${list('Scenarios', Object.entries(titles))}
${list('Sides', Object.entries(sides))}`,
  read(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        scenario: { type: 'string', default: rowIds.join() },
        sides: { type: 'string', default: sideIds.join() },
        rounds: { type: 'string', default: '7' },
        seconds: { type: 'string', default: '3' },
        warmup: { type: 'string', default: '2' },
        connections: { type: 'string', default: '64' },
        markdown: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    })
    const plan: Plan = {
      scenarios: choose('--scenario', values.scenario, rowIds),
      sides: choose('--sides', `ours,${values.sides}`, sideIds),
      rounds: count('--rounds', values.rounds),
      seconds: count('--seconds', values.seconds),
      warmup: count('--warmup', values.warmup),
      connections: count('--connections', values.connections),
    }
    return () => comparePeers(plan, values)
  },
}

async function comparePeers(
  plan: Plan,
  { markdown, write }: { readonly markdown: boolean; readonly write: boolean },
): Promise<number> {
  const samples = await measure(plan, ({ round, scenario, side, rate }) => {
    process.stderr.write(
      `round ${round + 1} of ${plan.rounds}  ${scenario.padEnd(9)}  ${side.padEnd(7)}  ${Math.round(rate)}/s\n`,
    )
  })
  const results = summarize(plan, samples)
  if (write) writeSection(readme, 'benchmark', readmeSection(plan, results))
  const text = markdown ? readmeSection(plan, results) : `${prettyTable(results)}\n\n${environment(plan)}`
  process.stdout.write(`${text}\n`)
  return results.every(isReached) ? 0 : 1
}
