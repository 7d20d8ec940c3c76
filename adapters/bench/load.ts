import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
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

export interface Request extends Pick<Scenario, 'method' | 'target' | 'sent'> {
  /** Targets to ask for in turn, in place of the one; only wrk does. */
  readonly targets?: readonly string[]
}

/** The headers of every request. */
export const requestHeaders: Readonly<Record<string, string>> = {
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
}

const headerFlags = Object.entries(requestHeaders).flatMap(([name, value]) => ['-H', `${name}: ${value}`])

export const generator: 'wrk' | 'autocannon' = has('wrk') ? 'wrk' : 'autocannon'

/** Sends requests on all connections at once, each as soon as the one before it is answered. */
export async function saturate(origin: string, request: Request, options: LoadOptions): Promise<Load> {
  return generator === 'wrk' ? wrk(origin, request, options) : autocannon(origin, request, options)
}

/** Sends `rate` requests a second, whether those before them are answered or not. */
export async function sendSteadily(
  origin: string,
  { target }: Pick<Request, 'target'>,
  { rate, seconds, connections }: LoadOptions & { readonly rate: number },
): Promise<Load> {
  const program = [process.execPath, '--import', 'tsx', path('steady.ts')]
  return JSON.parse(await run([...program, origin, target, `${rate}`, `${seconds}`, `${connections}`]))
}

async function wrk(
  origin: string,
  { method, target, sent = '', targets = [] }: Request,
  { seconds, connections }: LoadOptions,
): Promise<Load> {
  const settings = ['-t1', `-c${connections}`, `-d${seconds}s`, ...headerFlags, '-s', path('wrk.lua')]
  const stdout = await run(['wrk', ...settings, origin + target, '--', method, sent, ...targets])
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
}

/** As `saturate`, whatever is installed. With 2,000 connections wrk leaves a few of them out for seconds, on bare node:http too. */
export async function autocannon(
  origin: string,
  { method, target, sent }: Request,
  { seconds, connections }: LoadOptions,
): Promise<Load> {
  const program = path('node_modules/autocannon/autocannon.js')
  const settings = ['-j', '-c', String(connections), '-d', String(seconds), '-m', method, ...headerFlags]
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

function path(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
