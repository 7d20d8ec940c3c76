import { commands } from './commands.ts'
import { list } from './flag-values.ts'
import { prepare } from './prepare.ts'

const entries = Object.entries(commands)

const help = `Usage: npm run bench -- [subject] [flags]

Measures the built package on the current Node. Exits with 1 if a target is missed.

${list(
  'Subjects (default: peers)',
  entries.map(([name, { title }]) => [name, title]),
)}

${entries.flatMap(([name, { flags }]) => (flags === undefined ? [] : [`Flags of ${name}:\n${flags}\n`])).join('\n')}`

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(help)
    return 0
  }
  const isNamed = args[0] !== undefined && !args[0].startsWith('-')
  const name = isNamed ? args[0] : 'peers'
  const [, command] = entries.find(([known]) => known === name) ?? []
  if (!command) throw new Error(`The subjects are ${Object.keys(commands).join(', ')}, not ${name}`)
  const measure = command.read(args.slice(isNamed ? 1 : 0))
  prepare()
  return await measure()
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
  process.exitCode = 2
}
