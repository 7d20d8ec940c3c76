import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { acceptsConnections, findFreePort } from './free-port.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** A program that listens on a port. */
export interface Program {
  readonly port: number
  /** Starts the program, and waits until it accepts connections. */
  start(): Promise<void>
  /** Kills the program. */
  stop(): Promise<void>
  /** Suspends the program. It still accepts connections, but does not respond. */
  pause(): void
  resume(): void
}

/**
 * Starts a program on a port, by default a free one, and kills it after the tests.
 *
 * @param createArgs - Returns the arguments for a port and a temporary folder.
 */
export async function startProgram(
  command: string,
  createArgs: (port: number, folder: string) => readonly string[],
  options: { readonly port?: number; readonly uid?: number; readonly gid?: number } = {},
): Promise<Program> {
  const { port = await findFreePort(), ...user } = options
  let running: ChildProcess | undefined
  async function stop(): Promise<void> {
    if (running?.exitCode !== null || running.signalCode !== null) return
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  after(stop) // must run before the folder is removed
  const args = createArgs(port, createTemporaryFolder(user))
  const program: Program = {
    port,
    async start() {
      running = spawn(command, args, { stdio: 'ignore', ...user })
      while (running.exitCode === null && !(await acceptsConnections(port))) await setTimeout(10)
      if (running.exitCode !== null)
        throw new Error(`${command} ${args.join(' ')} exited; run it by hand to see why`)
    },
    stop,
    pause: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
  }
  await program.start()
  return program
}
