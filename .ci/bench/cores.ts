import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The role of a process: each role has its own CPU core. */
export type Core = 'server' | 'load'

const coreNumbers: Readonly<Record<Core, string>> = { server: '0', load: '1' }

/** Whether servers and load generators run on separate cores: requires two cores and `taskset`. */
export const pinned: boolean = availableParallelism() >= 2 && has('taskset')

/** Returns the command, prefixed with `taskset` where the system supports it. */
export function pin(core: Core, command: readonly string[]): [string, ...string[]] {
  const [program = '', ...rest] = pinned ? ['taskset', '-c', coreNumbers[core], ...command] : command
  return [program, ...rest]
}

/** Whether a program is installed. */
export function has(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}
