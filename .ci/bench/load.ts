import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { has, pin } from './cores.ts'
import type { Scenario } from './scenarios.ts'
import { key } from './world.ts'

/** The result of a load generator. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  /** Latencies in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Requests that have no response or a response other than 2xx. */
  readonly failures: number
}

export interface LoadOptions {
  readonly seconds: number
  readonly connections: number
}

export type Request = Pick<Scenario, 'method' | 'target' | 'requestBody'>

/** The headers of every request. */
export const requestHeaders: Readonly<Record<string, string>> = {
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
}

const headerFlags = Object.entries(requestHeaders).flatMap(([name, value]) => ['-H', `${name}: ${value}`])

export const generator: 'wrk' | 'autocannon' = has('wrk') ? 'wrk' : 'autocannon'

/**
 * Sends requests in turn, on all connections at once. Each connection sends the next request once it receives a response.
 *
 * @throws Error if there are several requests and wrk is not installed.
 */
export async function saturate(
  origin: string,
  requests: readonly Request[],
  options: LoadOptions,
): Promise<Load> {
  const [request, ...others] = requests
  if (generator === 'wrk') return wrk(origin, requests, options)
  if (request && others.length === 0) return autocannon(origin, request, options)
  throw new Error('different requests in turn need wrk: install it, or leave this row out')
}

/** Sends `rate` requests a second, independently of when the responses arrive. */
export async function sendAtConstantRate(
  origin: string,
  { target }: Pick<Request, 'target'>,
  { rate, seconds, connections }: LoadOptions & { readonly rate: number },
): Promise<Load> {
  const program = [process.execPath, '--import', 'tsx', path('constant-rate.ts')]
  return JSON.parse(await run([...program, origin, target, `${rate}`, `${seconds}`, `${connections}`]))
}

async function wrk(
  origin: string,
  requests: readonly Request[],
  { seconds, connections }: LoadOptions,
): Promise<Load> {
  const settings = ['-t1', `-c${connections}`, `-d${seconds}s`, ...headerFlags, '-s', path('wrk.lua')]
  const messages = requests.flatMap(({ method, target, requestBody = '' }) => [method, target, requestBody])
  const stdout = await run(['wrk', ...settings, origin, '--', ...messages])
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
}

/**
 * Saturates a server as `saturate` does, but always with autocannon. With 2,000 connections, wrk leaves some of them idle
 * for seconds, with bare node:http too.
 */
export async function autocannon(
  origin: string,
  { method, target, requestBody }: Request,
  { seconds, connections }: LoadOptions,
): Promise<Load> {
  const program = path('node_modules/autocannon/autocannon.js')
  const settings = ['-j', '-c', String(connections), '-d', String(seconds), '-m', method, ...headerFlags]
  if (requestBody !== undefined) settings.push('-b', requestBody)
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
