import { parseArgs } from 'node:util'
import { prepare } from './prepare.ts'
import type { Plan } from './rounds.ts'
import { rowIds } from './scenarios.ts'

const help = `Usage: npm run bench -- [subject] [flags]

Measures the built package on the current Node.

Subjects (default: readme):
  readme            the tables of the README: in memory, and on storage
  standalone        the standalone server, silent and with its log and metrics, beside bare node:http
  runtimes          the Fetch mount on Deno and Bun, beside ready-made responses
  compare [COMMIT]  the standalone server of a commit (default: the last tag, or the commit before) and of the work tree;
                    exits with 1 if the CPU time of a request rose by more than 10 %
  start             the time until the standalone server listens, beside a bare server of one file; exits with 1 if it takes
                    more than twice as long
  growth            what each operation costs in memory with a thousand to ten million animals and keys

Flags:
  --rounds N        rounds; each starts and measures every server once (default: 7)
  --seconds N       how many seconds of each server are measured, in turn with the others (default: 1)
  --warmup N        the duration of the load before it (default: 1)
  --connections N   of the load (default: 32)
  --rows LIST       of ${rowIds.join(', ')} (default: all)
Of readme:
  --only LIST       of memory, storage (default: both)
  --write           replaces the tables of the README
Of compare:
  --storage NAME    memory, sqlite or postgres (default: memory)
Of growth:
  --to POWER        the power of ten of the most animals, 3 to 7 (default: 6); 7 needs 12 GB of memory
  --write           replaces the table of adapters/README.md
`

const text = { type: 'string' } as const

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { ...text, default: '7' },
      seconds: { ...text, default: '1' },
      warmup: { ...text, default: '1' },
      connections: { ...text, default: '32' },
      rows: { ...text, default: rowIds.join() },
      only: { ...text, default: 'memory,storage' },
      storage: { ...text, default: 'memory' },
      to: { ...text, default: '6' },
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
    warmup: count('--warmup', values.warmup),
    connections: count('--connections', values.connections),
    rows: choose('--rows', values.rows, rowIds),
  }
  const [subject = 'readme', commit] = positionals
  const storages = ['memory', 'sqlite', 'postgres'] as const
  const run = {
    async readme() {
      const only = choose('--only', values.only, ['memory', 'storage'])
      return (await import('./subjects.ts')).reportReadme(plan, only, values.write)
    },
    standalone: async () => (await import('./subjects.ts')).reportSubject(plan, 'standalone'),
    start: async () => (await import('./start.ts')).reportStart(plan.rounds),
    runtimes: async () => (await import('./subjects.ts')).reportSubject(plan, 'runtimes'),
    async compare() {
      const { commitBefore, compareWith } = await import('./compare.ts')
      const [storage = 'memory'] = choose('--storage', values.storage, storages)
      const before = commit ?? commitBefore()
      if (before !== undefined) return compareWith(before, storage, plan)
      process.stdout.write('this clone has no commit before this one: there is nothing to compare with\n')
      return 0
    },
    async growth() {
      const to = count('--to', values.to)
      if (to < 3 || to > 7) throw new Error(`--to must be a power of ten from 3 to 7, not ${to}`)
      return (await import('./growth.ts')).reportGrowth(to, values.write)
    },
  }[subject]
  if (!run) throw new Error(`there is no subject ${subject}: see --help`)
  await prepare()
  return await run()
}

/** Returns the chosen ones of a list of known values, in the order of that list. Throws an `Error` for an unknown one. */
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
