import { parseArgs } from 'node:util'
import { prepare } from './prepare.ts'
import { storageIds } from './program.ts'
import type { Plan } from './rounds.ts'
import { rowIds } from './scenarios.ts'

const help = `Usage: npm run bench -- [subject] [flags]

Measures the built package on the current Node.

Subjects (default: readme):
  readme            the tables of the README, and that of fetch
  standalone        the standalone server, silent and with its log and metrics, beside bare node:http
  fetch             the Fetch mount on Deno and Bun, beside a bare handler and Hono: the table of adapters/README.md
  compare [COMMIT]  the standalone server of a commit (default: the one before) and of the work tree; exits with 1 if the
                    CPU time of a request rose by more than 10 %
  start             the time until the standalone server listens, beside a bare server of one file; exits with 1 if it takes
                    more than twice as long
  growth            what each operation costs in memory with a thousand to a million animals and keys

Flags:
  --rounds N        rounds; each starts and measures every server once (default: 7)
  --seconds N       how many seconds of each server are measured, in turn with the others (default: 1)
  --rows LIST       of ${rowIds.join(', ')} (default: all)
Of readme and fetch:
  --only LIST       of memory, storage, fetch (default: all)
  --write           replaces the tables of the documents
Of compare:
  --storage NAME    memory, sqlite or postgres (default: memory)
Of growth:
  --write           replaces the table of adapters/README.md
`

const text = { type: 'string' } as const
/** The tables of the README. */
const sectionNames = ['memory', 'storage', 'fetch'] as const

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { ...text, default: '7' },
      seconds: { ...text, default: '1' },
      rows: { ...text, default: rowIds.join() },
      only: { ...text, default: sectionNames.join() },
      storage: { ...text, default: 'memory' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const plan: Plan = {
    rounds: count('--rounds', values.rounds),
    seconds: count('--seconds', values.seconds),
    rows: choose('--rows', values.rows, rowIds),
  }
  const [subject = 'readme', commit] = positionals
  const readme = async (only: string) =>
    (await import('./subjects.ts')).reportReadme(plan, choose('--only', only, sectionNames), values.write)
  const run = {
    readme: () => readme(values.only),
    fetch: () => readme('fetch'),
    standalone: async () => (await import('./subjects.ts')).reportStandalone(plan),
    start: async () => (await import('./start.ts')).reportStart(plan.rounds),
    async compare() {
      const [storage = 'memory'] = choose('--storage', values.storage, storageIds)
      return (await import('./compare.ts')).compareWith(commit ?? 'HEAD^', storage, plan)
    },
    growth: async () => (await import('./growth.ts')).reportGrowth(values.write),
  }[subject]
  if (!run) throw new Error(`there is no subject ${subject}: see --help`)
  await prepare()
  return await run()
}

/** Returns the chosen ones of a list of known values, in the order of that list. Throws for an unknown one. */
function choose<T extends string>(flag: string, text: string, known: readonly T[]): readonly T[] {
  const unknown = new Set(text.split(','))
  const chosen = known.filter((id) => unknown.delete(id))
  if (unknown.size > 0) throw new Error(`${flag} accepts ${known.join(', ')}, not ${[...unknown].join(', ')}`)
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
