import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { launch } from '../server.mjs'

/** A server process. */
export interface Server {
  readonly origin: string
  /** Returns the CPU time of the process in seconds; NaN if the system does not report it. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** True if servers and load generators have a core each, which requires two cores and `taskset`. */
export const pinned: boolean =
  availableParallelism() >= 2 && spawnSync('taskset', ['--version']).error === undefined

/** Returns the command of a server or of a load generator, prefixed with `taskset` if the system supports it. */
export function pin(role: 'server' | 'load', command: readonly string[]): [string, ...string[]] {
  const core = role === 'server' ? '0' : '1'
  const [program = '', ...rest] = pinned ? ['taskset', '-c', core, ...command] : command
  return [program, ...rest]
}

/** Runs a TypeScript program of this folder with the current Node. */
export function startNode(file: string, args: readonly string[] = []): Promise<Server> {
  return startServer([process.execPath, '--import', 'tsx', resolvePath(file), ...args])
}

/**
 * Runs a command that says where it listens.
 *
 * @param env Variables that extend the environment of this process.
 * @throws Error if the command exits before that.
 */
export async function startServer(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const { child, origin, stop } = await launch(pin('server', command), { env, stdin: 'pipe' })
  return { origin, cpuSeconds: () => cpuSeconds(child.pid), stop: () => stop('SIGKILL') }
}

/** Linux counts CPU time in hundredths of a second (proc(5), fields 14 and 15 of `stat`). */
function cpuSeconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Number.NaN
  }
}

/** Returns the path of a file of this folder. */
export function resolvePath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
