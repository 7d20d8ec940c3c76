import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { accepts } from './free-port.ts'

/** A server that one test file starts, and may stop and start again. */
export interface Program {
  readonly port: number
  /** Resolves once it accepts connections. */
  start(): Promise<void>
  /** Ends it at once. */
  stop(): Promise<void>
  /** Stands still: it accepts connections, and does not respond. */
  pause(): void
  resume(): void
}

/** Describes a program that listens on a port. Whoever starts it ends it when the test file is done. */
export function createProgram(
  port: number,
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Program {
  let running: ChildProcess | undefined
  return {
    port,
    async start() {
      running = spawn(command, args, { stdio: 'ignore', ...options })
      while (running.exitCode === null && !(await accepts(port))) await setTimeout(10)
      if (running.exitCode !== null) throw new Error(`${command} ${args.join(' ')} exited: start it by hand`)
    },
    async stop() {
      if (running?.exitCode !== null || running.signalCode !== null) return
      running.kill('SIGKILL')
      await once(running, 'exit')
    },
    pause: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
  }
}
