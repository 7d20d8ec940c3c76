import { parseArgs } from 'node:util'
import { type FloodName, floodNames, floods } from './floods.ts'
import type { Runtime } from './server.ts'

export interface Options {
  readonly runtime: Runtime
  /** How long each flood lasts. */
  readonly seconds: number
  readonly floods: readonly FloodName[]
}

export const help: string = `Usage: npm run hostile -- [flags]

Floods the standalone server as it is built, each flood against a server of its own, and measures what must hold meanwhile
and afterwards. Exit 1 where a bound is broken.

Flags:
  --seconds N     how long each flood lasts; 60 by default
  --only LIST     of the floods below; all by default
  --node PATH     the Node that serves; the one that runs this by default
  --deno PATH     or a Deno, with the Fetch mount in place of the standalone server
  --bun PATH      or a Bun, likewise
  --help

Floods:
${floodNames.map((name) => `  ${name.padEnd(15)} ${floods[name].title}`).join('\n')}
`

/** Reads the command line. Returns undefined for --help. Throws an Error for an invalid flag. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '60' },
      only: { type: 'string', default: floodNames.join() },
      node: { type: 'string' },
      deno: { type: 'string' },
      bun: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  if (!/^[1-9]\d{0,3}$/.test(values.seconds)) {
    throw new Error(`--seconds must be a whole number from 1 to 9999, not ${values.seconds}`)
  }
  return { runtime: runtimeOf(values), seconds: Number(values.seconds), floods: namesIn(values.only) }
}

function runtimeOf(paths: Readonly<Partial<Record<Runtime['kind'], string>>>): Runtime {
  const [first, second] = (['node', 'deno', 'bun'] as const).flatMap((kind) => {
    const program = paths[kind]
    return program === undefined ? [] : [{ kind, program }]
  })
  if (second) throw new Error('--node, --deno and --bun exclude each other')
  return first ?? { kind: 'node', program: process.execPath }
}

function namesIn(list: string): readonly FloodName[] {
  const unknown = new Set(list.split(','))
  const chosen = floodNames.filter((name) => unknown.delete(name))
  if (unknown.size > 0)
    throw new Error(`--only must be a list of ${floodNames.join(', ')}; unknown: ${[...unknown].join(', ')}`)
  return chosen
}
