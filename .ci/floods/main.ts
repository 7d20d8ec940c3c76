import { parseArgs } from 'node:util'
import { check } from '../command.mjs'
import { compareCost } from './cost.ts'
import { floods } from './floods.ts'
import { measure } from './measure.ts'

const names = Object.keys(floods)
/** A flood fails if each attempt breaks a bound. Other programs on the machine can delay a single one. */
const maxAttempts = 3

const help = `Usage: npm run floods -- [flags]

Floods the built standalone server and measures how long other clients wait. For the worst floods, "cost" is the CPU time
of other requests as a multiple of the time on a server that was not flooded. Each flood gets a new server. Exits with 1
if a bound is broken three times. Requires Linux.

Flags:
  --seconds N     duration of each flood (default: 60)
  --only NAMES    run only these floods, separated by commas
  --help          print this help

Floods:
${Object.entries(floods)
  .map(([name, { title }]) => `  ${name.padEnd(15)} ${title}`)
  .join('\n')}
`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: names.join() },
    help: { type: 'boolean', default: false },
  },
})
const print = (text: string) => void process.stdout.write(`${text}\n`)

async function run(folder: string, only: readonly string[], seconds: number): Promise<void> {
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`unknown flood "${unknown}"; expected one of ${names.join(', ')}`)
  const broken: string[] = []
  print(`Node ${process.versions.node}, ${seconds} s per flood; memory in MiB, times in ms`)
  print('flood             memory     p99 slowest connections  cost')
  for (const [name, flood] of Object.entries(floods).filter(([name]) => only.includes(name))) {
    let isBroken = true
    for (let attempt = 1; isBroken && attempt <= maxAttempts; attempt++) {
      const measured = await measure(folder, name, flood, seconds)
      const cost = flood.maxCost && (await compareCost(folder, name, seconds))
      if (cost && !(cost <= (flood.maxCost ?? 0)))
        measured.violations.push(`requests cost more than ${flood.maxCost} times their CPU time`)
      const figures = [
        measured.memoryMiB.toFixed().padStart(8),
        measured.p99Ms.toFixed(1).padStart(8),
        measured.slowestMs.toFixed().padStart(8),
        String(measured.connections).padStart(12),
        (cost?.toFixed(2) ?? '').padStart(6),
      ]
      print([name.padEnd(16) + figures.join(''), ...measured.violations].join('\n    '))
      isBroken = measured.violations.length > 0
    }
    if (isBroken) broken.push(name)
  }
  if (broken.length > 0) throw new Error(`bounds were broken by ${broken.join(', ')}`)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
if (values.help) print(help)
else
  await check('the floods', (folder: string) => run(folder, values.only.split(','), Number(values.seconds)))
process.exit() // ends what a failed flood has left open
