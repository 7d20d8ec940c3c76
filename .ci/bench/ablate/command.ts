import { parseArgs } from 'node:util'
import type { Command } from '../command.ts'
import { choose, count } from '../flag-values.ts'
import { ablations } from './ablations.ts'
import type { AblationOptions } from './report.ts'

const names = Object.keys(ablations)

export const ablate: Command = {
  title: 'what each trick for speed buys; all of them, or those that are named; twelve minutes',
  flags: `  NAME ...            ablations: the names of the files in .ci/bench/ablations (default: all)
  --rounds N          rounds; each starts new processes (default: 3)
  --requests N        requests to each side in a round (default: 4000)
  --write             writes the table of .github/CONTRIBUTING.md: the rows of the ablations that are measured`,
  read(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '3' },
        requests: { type: 'string', default: '4000' },
        write: { type: 'boolean', default: false },
      },
    })
    const options: AblationOptions = {
      names: choose('ablate', positionals.join() || names.join(), names),
      rounds: count('--rounds', values.rounds),
      requests: count('--requests', values.requests),
      write: values.write,
    }
    return async () => (await import('./report.ts')).report(options)
  },
}
