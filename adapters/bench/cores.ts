import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The core that every server runs on, and the one that every load generator does. */
export type Core = 'server' | 'load'

const numbers: Readonly<Record<Core, string>> = { server: '0', load: '1' }

/** Whether servers and load generators have a core each. */
export const pinned: boolean = availableParallelism() >= 2 && has('taskset')

/** Keeps a command on its core, where the system can. */
export function pin(core: Core, command: readonly string[]): [string, ...string[]] {
  const [program = '', ...rest] = pinned ? ['taskset', '-c', numbers[core], ...command] : command
  return [program, ...rest]
}

/** Whether a program is there to be run. */
export function has(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}
