import { parseArgs } from 'node:util'
import { check } from '../command.mjs'
import { floods } from './floods.ts'
import { measure } from './measure.ts'
import { compareNeighbours } from './neighbours.ts'

const names = [...Object.keys(floods), 'neighbours']

const help = `Usage: npm run floods -- [flags]

Floods the standalone server as it is built, each flood against a server of its own, and measures what must hold meanwhile
and afterwards. Exits with 1 if a bound is broken. Requires Linux.

Flags:
  --seconds N     duration of each flood; 60 by default
  --only LIST     of the names below; all by default
  --help

Floods:
${Object.entries(floods)
  .map(([name, { title }]) => `  ${name.padEnd(15)} ${title}`)
  .join('\n')}
  neighbours      CPU time of other clients' requests without and with one hostile client
`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: names.join() },
    help: { type: 'boolean', default: false },
  },
})
const print = (text: string) => void process.stdout.write(`${text}\n`)

/** Runs the floods one after the other. Rejects if one breaks a bound. */
async function run(folder: string, only: readonly string[], seconds: number): Promise<void> {
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`unknown flood "${unknown}"; expected some of ${names.join(', ')}`)
  const broken: string[] = []
  print(`Node ${process.versions.node}, ${seconds} s a flood; memory in MiB, times in ms`)
  print('flood             memory slowest connections')
  for (const [name, flood] of Object.entries(floods).filter(([name]) => only.includes(name))) {
    const { memory, slowestMs, connections, violations } = await measure(folder, name, flood, seconds)
    const cells = [
      memory.toFixed().padStart(8),
      slowestMs.toFixed().padStart(8),
      `${connections}`.padStart(12),
    ]
    print([name.padEnd(16) + cells.join(''), ...violations].join('\n    '))
    if (violations.length > 0) broken.push(name)
  }
  if (only.includes('neighbours')) broken.push(...(await compareNeighbours(folder, print)))
  if (broken.length > 0) throw new Error(`broken by ${broken.join('; ')}`)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
if (values.help) print(help)
else
  await check('the floods', (folder: string) => run(folder, values.only.split(','), Number(values.seconds)))
process.exit() // ends what a flood that failed has left open
