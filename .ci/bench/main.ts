import { parseArgs } from 'node:util'
import { prepare } from './prepare.ts'
import type { Plan } from './rounds.ts'
import { rowIds } from './scenarios.ts'

const help = `Usage: npm run bench -- [subject] [flags]

Measures the built package on the current Node.

Subjects (default: the tables of memory, storage and fetch):
  memory            the standalone server next to bare node:http and Fastify
  storage           the standalone server on PostgreSQL and SQLite next to Fastify
  fetch             the Fetch mount on Deno and Bun, next to a bare handler and Hono
  start             the time from the start of the program to 'listening on', next to a server of one file
  floors            the standalone server next to bare node:http; exits with 1 if a row is below its floor
  compare [COMMIT]  the standalone server of a commit (default: the one before) and of the work tree; exits with 1 if the
                    CPU time of a request rose by more than 10 %

Flags:
  --rounds N        rounds; each starts and measures every server once (default: 7)
  --rows LIST       of ${rowIds.join(', ')} (default: all)
`

const text = { type: 'string' } as const

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { ...text, default: '7' },
      rows: { ...text, default: rowIds.join() },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const plan: Plan = {
    rounds: count('--rounds', values.rounds),
    rows: choose('--rows', values.rows, rowIds),
  }
  const [subject, commit = 'HEAD^'] = positionals
  await prepare()
  if (subject === 'compare') return (await import('./compare.ts')).compareWith(commit, plan)
  if (subject === 'floors') return (await import('./floors.ts')).checkFloors(plan)
  if (subject === 'start') await (await import('./start.ts')).reportStart(plan.rounds)
  else await (await import('./subjects.ts')).reportTables(plan, subject)
  return 0
}

/** Returns the chosen ones of a list of known values, in the order of that list. Throws for an unknown one. */
function choose<T extends string>(flag: string, text: string, known: readonly T[]): readonly T[] {
  const unknown = new Set(text.split(','))
  const chosen = known.filter((id) => unknown.delete(id))
  if (unknown.size > 0)
    throw new Error(`unknown ${flag} ${[...unknown].join(', ')}; expected some of ${known.join(', ')}`)
  return chosen
}

/** Returns an integer from 1 to 999,999. Throws an `Error` for another text. */
function count(flag: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Error(`${flag} must be an integer from 1 to 999999, not ${text}`)
  return Number(text)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
  process.exitCode = 2
}
