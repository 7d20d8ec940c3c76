import { parseArgs } from 'node:util'
import type { Plan } from './rounds.ts'
import { scenarioIds, scenarios } from './scenarios.ts'
import { sideIds, sides } from './sides.ts'

/** The subjects of a measurement. All except the first print figures with their targets. */
export const subjects = {
  peers: 'requests a second, compared with bare node:http and other frameworks (the default)',
  parts: 'single functions, in this process',
  scale: 'a million animals, 2,000 connections, latency at half load; ten minutes',
  runtimes: 'the Fetch mount on Deno and Bun; ten minutes',
  sqlite: 'the SQLite store compared with the memory store; two minutes',
  start: 'the time until the standalone server listens',
} as const

export type Subject = keyof typeof subjects

export interface Options extends Plan {
  readonly subject: Subject
  readonly markdown: boolean
}

export const help: string = `Usage: npm run bench -- [subject] [flags]

Measures the built package on the current Node. Exits with 1 if a target is missed.

${list('Subjects', Object.entries(subjects))}

Flags for the subject peers:
  --scenario LIST     comma-separated: ${scenarioIds.join(', ')} (default: all)
  --sides LIST        comma-separated: ${sideIds.join(', ')} (default: all); ours is always included
  --rounds N          rounds; each measures every side once (default: 7)
  --seconds S         duration of a measurement in seconds (default: 3)
  --warmup S          duration of the warm-up before each measurement in seconds (default: 2)
  --connections N     concurrent connections (default: 64)
  --markdown          prints the table of the README
  --help              prints this text

${list(
  'Scenarios',
  Object.entries(scenarios).map(([id, { title }]) => [id, title]),
)}
${list('Sides', Object.entries(sides))}`

/**
 * Parses the command line. Returns undefined for `--help`.
 *
 * @throws Error if a flag is unknown or a value is invalid.
 */
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
  const unknown = new Set(text.split(','))
  const chosen = known.filter((id) => unknown.delete(id))
  if (unknown.size > 0) throw new Error(`${flag} accepts ${known.join(', ')}, not ${[...unknown].join(', ')}`)
  return chosen
}

function count(flag: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Error(`${flag} must be an integer from 1 to 999999, not ${text}`)
  return Number(text)
}

function list(title: string, entries: readonly (readonly [string, string])[]): string {
  return [`${title}:`, ...entries.map(([id, text]) => `  ${id.padEnd(18)}  ${text}`)].join('\n')
}
