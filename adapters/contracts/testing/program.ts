import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { accepts, freePort } from './free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A server that one test file starts, and may stop and start again. */
export interface Program {
  readonly port: number
  /** Resolves once it accepts connections. */
  start(): Promise<void>
  /** Ends it immediately. */
  stop(): Promise<void>
  /** Stands still: it accepts connections, and does not respond. */
  pause(): void
  resume(): void
}

/**
 * Starts a program that listens on a port, by default a free one. It is ended when the test file is done.
 *
 * @param argsOf - Returns its arguments. The folder is its own, and removed after its end.
 */
export async function startProgram(
  command: string,
  argsOf: (port: number, folder: string) => readonly string[],
  options: { readonly port?: number; readonly uid?: number; readonly gid?: number } = {},
): Promise<Program> {
  const { port = await freePort(), ...user } = options
  let running: ChildProcess | undefined
  async function stop(): Promise<void> {
    if (running?.exitCode !== null || running.signalCode !== null) return
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  after(stop) // before its folder is removed
  const args = argsOf(port, temporaryFolder(user))
  const program: Program = {
    port,
    async start() {
      running = spawn(command, args, { stdio: 'ignore', ...user })
      while (running.exitCode === null && !(await accepts(port))) await setTimeout(10)
      if (running.exitCode !== null) throw new Error(`${command} ${args.join(' ')} exited: start it by hand`)
    },
    stop,
    pause: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
  }
  await program.start()
  return program
}
