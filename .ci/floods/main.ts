import { parseArgs } from 'node:util'
import { floods } from './floods.ts'
import { findViolations, type Measured, measure } from './measure.ts'
import { compareNeighbours } from './neighbours.ts'

const names = [...Object.keys(floods), 'neighbours']

const help = `Usage: npm run floods -- [flags]

Floods the standalone server as it is built, each flood against a server of its own, and measures what must hold meanwhile
and afterwards. Exit 1 where a bound is broken.

Flags:
  --seconds N     how long each flood lasts; 60 by default
  --only LIST     of the names below; all by default
  --help

Floods:
${Object.entries(floods)
  .map(([name, { title }]) => `  ${name.padEnd(15)} ${title}`)
  .join('\n')}
  neighbours      CPU time of other clients' requests before and after one hostile client
`

/** Runs the floods one after the other. Resolves with the exit code. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      only: { type: 'string', default: names.join() },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  if (!/^[1-9]\d{0,3}$/.test(values.seconds))
    throw new Error(`--seconds must be a whole number from 1 to 9999, not ${values.seconds}`)
  const unknown = values.only.split(',').filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`--only must be a list of ${names.join(', ')}; unknown: ${unknown}`)
  process.stdout.write(
    `Node ${process.versions.node}, ${values.seconds} s a flood; memory in MiB, times in ms\n${line(['flood', 'start', 'peak', 'after', 'healthz', 'good key', 'verdict', 'flooded with'])}\n`,
  )
  const broken: string[] = []
  for (const [name, flood] of Object.entries(floods)) {
    if (!values.only.split(',').includes(name)) continue
    const measured = await measure(flood, name, Number(values.seconds))
    const violations = findViolations(measured)
    if (violations.length > 0) broken.push(name)
    process.stdout.write(`${row(name, measured, violations)}\n`)
  }
  if (values.only.split(',').includes('neighbours'))
    broken.push(...(await compareNeighbours((text) => process.stdout.write(`${text}\n`))))
  if (broken.length > 0) process.stdout.write(`broken: ${broken.join(', ')}\n`)
  return broken.length > 0 ? 1 : 0
}

/** Returns the line of one flood, and a line for each broken bound. */
function row(name: string, { memory, seen, traffic }: Measured, violations: readonly string[]): string {
  const figures = [memory?.start, memory?.peak, memory?.left, seen.slowestHealth, seen.slowestGood]
  const mega = (bytes: number) => (bytes / 1e6).toFixed(1)
  const flooded = `${traffic.connections} connections, ${mega(traffic.sent)} MB, ${mega(traffic.received)} MB read`
  const verdict = violations.length === 0 ? 'holds' : 'BROKEN'
  const cells = [name, ...figures.map((figure) => figure?.toFixed() ?? '-'), verdict, flooded]
  return [line(cells), ...violations.map((violation) => `    ${violation}`)].join('\n')
}

const line = ([name = '', ...cells]: readonly string[]) =>
  name.padEnd(16) + cells.map((cell) => ` ${cell.padStart(8)}`).join('')

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
try {
  process.exitCode = await main()
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
  process.exitCode = 2
}
