import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from '../server.mjs'

export interface Server {
  readonly origin: string
  /** CPU time of the process so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** Prefixes a command such that the server and the load generator have separate cores. */
export function pin(role: 'server' | 'load', command: readonly string[]): [string, ...string[]] {
  return ['taskset', '-c', role === 'server' ? '0' : '1', ...command]
}

/** Starts a TypeScript program on this Node. `file` is relative to this folder. */
export function startNode(file: string, args: readonly string[] = []): Promise<Server> {
  return startServer([process.execPath, '--import', 'tsx', resolvePath(file), ...args])
}

/**
 * Starts a command that prints `listening on` and its origin.
 *
 * @param env variables to add to the environment
 *
 * @throws Error if the command exits first
 */
export async function startServer(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const { child, origin, stop } = await launch(pin('server', command), { env, stdin: 'pipe' })
  return { origin, cpuSeconds: () => cpuSeconds(child.pid), stop: () => stop('SIGKILL') }
}

/** Fields 14 and 15 of `stat` are user and system time in hundredths of a second (proc(5)). */
function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

export function resolvePath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
