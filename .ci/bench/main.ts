import { execFileSync, spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from '../command.mjs'
import { install } from '../install.mjs'
import { checkFloors } from './floors.ts'
import { rowIds } from './scenarios.ts'
import { reportStart } from './start.ts'
import { reportTables } from './subjects.ts'

const help = `Usage: npm run bench -- [subject] [flags]

Measures the built package on the current Node.

Subjects (default: the tables of memory, storage and fetch):
  memory            the standalone server next to bare node:http and Fastify
  storage           the standalone server on PostgreSQL and SQLite next to Fastify
  fetch             the Fetch mount on Deno and Bun, next to a bare handler and Hono
  start             the time from the start of the program to 'listening on', next to a server of one file
  floors            the standalone server next to bare node:http; exits with 1 if a row is below its floor

Flags:
  --rounds N        rounds; each starts and measures every server once (default: 7)
`

/** Requires the load generator, installs the other frameworks on the first run, and builds the package. */
async function prepare(): Promise<void> {
  if (spawnSync('wrk', ['--version']).error)
    throw new Error('wrk is missing, which sends the load: install it, for example with apt-get install wrk')
  await install(new URL('.', import.meta.url))
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '7' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const rounds = Number(values.rounds)
  if (!(rounds >= 1)) throw new Error(`--rounds must be a positive number, got ${values.rounds}`)
  const [subject] = positionals
  await prepare()
  const plan = { rounds, rows: rowIds }
  if (subject === 'floors') return checkFloors(plan)
  if (subject === 'start') await reportStart(rounds)
  else await reportTables(plan, subject)
  return 0
}

try {
  process.exitCode = await main()
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
  process.exitCode = 2
}
