import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Request } from './scenarios.ts'
import { pin } from './server.ts'
import { key } from './world.ts'

/** The headers of every request. */
export const requestHeaders: Readonly<Record<string, string>> = {
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
}

const headerFlags = Object.entries(requestHeaders).flatMap(([name, value]) => ['-H', `${name}: ${value}`])

/** Autocannon takes more CPU time than most servers, and bounds their rates. */
export const generator: 'wrk' | 'autocannon' =
  spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon'

/** The result of a load generator. */
export interface Load {
  readonly requests: number
  readonly seconds: number
}

/**
 * Sends a request again and again, on all connections at once. Each connection sends the next one once it receives a response.
 *
 * @throws Error if a request has no response, or one other than 2xx.
 */
export async function saturate(
  origin: string,
  request: Request,
  options: { readonly seconds: number; readonly connections: number },
): Promise<Load> {
  const { failures, ...load } = await (generator === 'wrk' ? wrk : autocannon)(origin, request, options)
  if (failures > 0) throw new Error(`${failures} of ${load.requests} requests failed`)
  return load
}

const wrk: Generator = async (origin, { method, target, body = '' }, { seconds, connections }) => {
  const settings = ['-t1', `-c${connections}`, `-d${seconds}s`, ...headerFlags, '-s', path('wrk.lua')]
  const stdout = await run(['wrk', ...settings, origin + target, '--', method, body])
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
}

type Generator = (
  ...args: Parameters<typeof saturate>
) => Promise<Load & { /** Requests without a response of 2xx. */ readonly failures: number }>

const autocannon: Generator = async (origin, { method, target, body }, { seconds, connections }) => {
  const program = path('node_modules/autocannon/autocannon.js')
  const settings = ['-j', '-c', `${connections}`, '-d', `${seconds}`, '-m', method, ...headerFlags]
  if (body !== undefined) settings.push('-b', body)
  const result = JSON.parse(await run([process.execPath, program, ...settings, origin + target]))
  return {
    requests: result.requests.total,
    seconds: result.duration,
    failures: result.errors + result.non2xx,
  }
}

async function run(command: readonly string[]): Promise<string> {
  const [program, ...args] = pin('load', command)
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 24 })
  return stdout
}

function path(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
