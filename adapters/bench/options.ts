import { parseArgs } from 'node:util'
import type { Plan } from './rounds.ts'
import { scenarioIds, scenarios } from './scenarios.ts'
import { sideIds, sides } from './sides.ts'

export interface Options extends Plan {
  readonly markdown: boolean
}

export const help: string = `Usage: npm run bench -- [flags]

Measures the built package and its peers in turn, and tells ratios of the rates of one round.

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
  const { values } = parseArgs({
    args: [...args],
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
  return {
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
