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

Subjects (default: memory, storage and fetch):
  memory            compare the standalone server with bare node:http and Fastify
  storage           compare the standalone server with Fastify on PostgreSQL and SQLite
  fetch             compare the fetch handler with a bare handler and Hono on Deno and Bun
  start             measure how long the standalone server takes to listen
  floors            exit with 1 if the standalone server is too slow next to bare node:http

Flags:
  --rounds N        start and measure every server N times (default: 7)
  --help            print this help
`

async function prepare(): Promise<void> {
  if (spawnSync('wrk', ['--version']).error)
    throw new Error('wrk was not found; install it, for example with "apt-get install wrk"')
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
  if (!(rounds >= 1)) throw new Error(`--rounds must be a positive number, got "${values.rounds}"`)
  const [subject] = positionals
  await prepare()
  // JavaScriptCore compiles for 2 seconds, on the server's core. The floors are for Node only.
  const plan = { rounds, rows: rowIds, warmUpSeconds: subject === 'floors' ? 2 : 3 }
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
