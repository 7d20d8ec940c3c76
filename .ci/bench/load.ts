import { execFile } from 'node:child_process'
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
const script = fileURLToPath(new URL('wrk.lua', import.meta.url))

/** Number of connections that send the request. */
export const connections = 32

/** The result of a load generator. */
export interface Load {
  readonly requests: number
  readonly seconds: number
}

/**
 * Sends a request again and again for a second, on all connections at once. Each connection sends the next one once it
 * receives a response.
 *
 * @throws Error if wrk is missing, or a request has no response, or one other than 2xx.
 */
export async function saturate(origin: string, { method, target, body = '' }: Request): Promise<Load> {
  const settings = ['-t1', `-c${connections}`, '-d1s', ...headerFlags, '-s', script]
  const [program, ...args] = pin('load', ['wrk', ...settings, origin + target, '--', method, body])
  const { stdout } = await promisify(execFile)(program, args)
  const { failures, ...load } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  if (failures > 0) throw new Error(`${failures} of ${load.requests} requests failed`)
  return load
}
