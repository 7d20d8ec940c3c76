import { parseArgs } from 'node:util'
import type { Plan } from './rounds.ts'
import { scenarioIds, scenarios } from './scenarios.ts'
import { sideIds, sides } from './sides.ts'

/** What is measured; all but the first print figures against their targets. */
export const subjects = {
  peers: 'requests a second, against bare node:http and other frameworks (the default)',
  parts: 'single parts, in process',
  scale: 'a million animals, 2,000 connections, latency under half of the load; ten minutes',
  runtimes: 'the Fetch mount under Deno and Bun; ten minutes',
  sqlite: 'the store in a SQLite file against the one in memory; two minutes',
  start: 'how soon the standalone server listens',
} as const

export type Subject = keyof typeof subjects

export interface Options extends Plan {
  readonly subject: Subject
  readonly markdown: boolean
}

export const help: string = `Usage: npm run bench -- [subject] [flags]

Measures the package as it is built, with the Node that runs this. Exit 1 where a target is missed.

${list('Subjects', Object.entries(subjects))}

Flags, all for peers:
  --scenario LIST     of ${scenarioIds.join(', ')}; all by default
  --sides LIST        of ${sideIds.join(', ')}; all by default, ours always
  --rounds N          how often each side is measured; 7 by default
  --seconds S         how long each time; 3 by default
  --warmup S          and before that, uncounted; 2 by default
  --connections N     64 by default
  --markdown          prints what the README shows
  --help

${list(
  'Scenarios',
  Object.entries(scenarios).map(([id, { title }]) => [id, title]),
)}
${list('Sides', Object.entries(sides))}`

/** Reads the command line; undefined where help is asked for. Throws an Error for what cannot be used. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      scenario: { type: 'string', default: scenarioIds.join() },
      sides: { type: 'string', default: sideIds.join() },
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '3' },
      warmup: { type: 'string', default: '2' },
      connections: { type: 'string', default: '64' },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const [subject = 'peers', ...more] = choose(
    'The subject',
    positionals.join() || 'peers',
    Object.keys(subjects) as Subject[],
  ) // the keys of a constant
  if (more.length > 0) throw new Error('Name one subject at a time')
  return {
    subject,
    scenarios: choose('--scenario', values.scenario, scenarioIds),
    sides: choose('--sides', `ours,${values.sides}`, sideIds),
    rounds: count('--rounds', values.rounds),
    seconds: count('--seconds', values.seconds),
    warmup: count('--warmup', values.warmup),
    connections: count('--connections', values.connections),
    markdown: values.markdown,
  }
}

function choose<T extends string>(flag: string, text: string, known: readonly T[]): readonly T[] {
  const asked = new Set(text.split(','))
  const chosen = known.filter((id) => asked.delete(id))
  if (asked.size > 0) throw new Error(`${flag} takes ${known.join(', ')}, not ${[...asked].join(', ')}`)
  return chosen
}

function count(flag: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${flag} takes a whole number from 1, not ${text}`)
  return Number(text)
}

function list(title: string, entries: readonly (readonly [string, string])[]): string {
  return [`${title}:`, ...entries.map(([id, text]) => `  ${id.padEnd(18)}  ${text}`)].join('\n')
}
