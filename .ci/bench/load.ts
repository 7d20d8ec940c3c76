import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Request } from './scenarios.ts'
import { pin } from './server.ts'
import { key } from './world.ts'

export const requestHeaders: Readonly<Record<string, string>> = {
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
}

const headerFlags = Object.entries(requestHeaders).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
const script = fileURLToPath(new URL('wrk.lua', import.meta.url))

export interface Load {
  readonly requests: number
  readonly seconds: number
  /** 99th percentile of the response time. */
  readonly p99Ms: number
}

/**
 * Keeps every connection busy for one second: each sends the next request when a response arrives.
 *
 * @throws Error if wrk fails, or if any request got no response or an error response
 */
export async function saturate(
  origin: string,
  { method, target, body = '' }: Request,
  connections: number,
): Promise<Load> {
  const settings = ['-t1', `-c${connections}`, '-d1s', ...headerFlags, '-s', script]
  const [program, ...args] = pin('load', ['wrk', ...settings, origin + target, '--', method, body])
  const { stdout } = await promisify(execFile)(program, args)
  const { failures, ...load } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  if (failures > 0) throw new Error(`${failures} of ${load.requests} requests failed`)
  return load
}
