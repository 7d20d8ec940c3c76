import { parseArgs } from 'node:util'
import type { Command } from '../command.ts'
import { count } from '../flag-values.ts'

export const fleet: Command = {
  title:
    'what one request costs the servers, Redis and PostgreSQL, and what follows for a fleet; eight minutes',
  flags: `  --requests N        requests of each measurement (default: 6000)
  --rounds N          rounds; the least cost of each part counts (default: 3)
  --capacity          measures nothing: prints what follows from the figures of the manual
  --json              prints the figures as JSON
  --write             writes the figures, and the tables of the operator's manual that follow from them`,
  read(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        requests: { type: 'string', default: '6000' },
        rounds: { type: 'string', default: '3' },
        capacity: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    })
    const { capacity, json, write } = values
    const plan = {
      requests: count('--requests', values.requests),
      rounds: count('--rounds', values.rounds),
      connections: 10,
    }
    return async () => (await import('./report.ts')).reportFleet({ plan, measures: !capacity, json, write })
  },
}
