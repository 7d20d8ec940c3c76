import { parseArgs } from 'node:util'
import type { Command } from '../command.ts'
import { choose, count, list } from '../flag-values.ts'
import { scenarioIds } from '../scenarios.ts'
import type { StandalonePlan } from './rounds.ts'
import { standaloneSideIds, standaloneSides } from './sides.ts'

export const standalone: Command = {
  title: 'the built server with its log and metrics, compared with bare node:http; six minutes',
  flags: `  --scenario LIST     comma-separated: ${scenarioIds.join(', ')} (default: all)
  --sides LIST        comma-separated: ${standaloneSideIds.join(', ')} (default: all)
  --rounds N          rounds; each measures every side once (default: 3)
  --seconds S         duration of a measurement in seconds (default: 2)
  --warmup S          duration of the warm-up for each scenario of a new server in seconds (default: 1)
  --connections LIST  concurrent connections (default: 32,256)
  --node PATH         the Node that runs the servers (default: the current one)

${list(
  'Sides',
  Object.entries(standaloneSides).map(([id, { title }]) => [id, title]),
)}`,
  read(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        scenario: { type: 'string', default: scenarioIds.join() },
        sides: { type: 'string', default: standaloneSideIds.join() },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '2' },
        warmup: { type: 'string', default: '1' },
        connections: { type: 'string', default: '32,256' },
        node: { type: 'string', default: process.execPath },
      },
    })
    const plan: StandalonePlan = {
      node: values.node,
      scenarios: choose('--scenario', values.scenario, scenarioIds),
      sides: choose('--sides', values.sides, standaloneSideIds),
      rounds: count('--rounds', values.rounds),
      seconds: count('--seconds', values.seconds),
      warmup: count('--warmup', values.warmup),
      connections: values.connections.split(',').map((text) => count('--connections', text)),
    }
    return async () => (await import('./standalone.ts')).compareStandalone(plan)
  },
}
