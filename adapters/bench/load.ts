import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { has, pin } from './cores.ts'
import type { Scenario } from './scenarios.ts'
import { key } from './world.ts'

/** What a load generator saw. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  /** Latencies in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Requests without an answer, or with one that is no success. */
  readonly failures: number
}

export interface LoadOptions {
  readonly seconds: number
  readonly connections: number
}

export type Request = Pick<Scenario, 'method' | 'target' | 'sent'>

/** The headers of every request. */
export const requestHeaders: Readonly<Record<string, string>> = {
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
}

const headerFlags = Object.entries(requestHeaders).flatMap(([name, value]) => ['-H', `${name}: ${value}`])

export const generator: 'wrk' | 'autocannon' = has('wrk') ? 'wrk' : 'autocannon'

/** Sends one request over and over, on all connections at once, as fast as the answers come. */
export function saturate(origin: string, request: Request, options: LoadOptions): Promise<Load> {
  return generator === 'wrk' ? wrk(origin, request, options) : autocannon(origin, request, options)
}

async function wrk(
  origin: string,
  { method, target, sent }: Request,
  { seconds, connections }: LoadOptions,
): Promise<Load> {
  const script = new URL('wrk.lua', import.meta.url).pathname
  const settings = ['-t1', `-c${connections}`, `-d${seconds}s`, ...headerFlags]
  const stdout = await run(['wrk', ...settings, '-s', script, origin + target, '--', method, ...rest(sent)])
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
}

/** Also where requests are to come at a constant `rate` a second, which wrk cannot do. */
export async function autocannon(
  origin: string,
  { method, target, sent }: Request,
  { seconds, connections, rate }: LoadOptions & { readonly rate?: number },
): Promise<Load> {
  const program = new URL('node_modules/autocannon/autocannon.js', import.meta.url).pathname
  const settings = ['-j', '-c', String(connections), '-d', String(seconds), '-m', method, ...headerFlags]
  if (rate !== undefined) settings.push('-R', String(Math.round(rate)))
  if (sent !== undefined) settings.push('-b', sent)
  const result = JSON.parse(await run([process.execPath, program, ...settings, origin + target]))
  return {
    requests: result.requests.total,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.errors + result.non2xx,
  }
}

async function run(command: readonly string[]): Promise<string> {
  const [program, ...args] = pin('load', command)
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 24 })
  return stdout
}

function rest(sent: string | undefined): readonly string[] {
  return sent === undefined ? [] : [sent]
}
