import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { pin } from '../cores.ts'

/** What a process has used. */
export interface Usage {
  readonly cpuMicros: number
  /** Resident memory, in bytes. */
  readonly rss: number
}

/** A process that answers each line of its stdin with a line. */
export interface Program {
  /** The first line that it printed. */
  readonly greeting: string
  ask(line: string): Promise<Usage>
  stop(): Promise<void>
}

/**
 * Starts a program on the core of servers, and waits for its first line.
 *
 * @throws Error if it exits before that.
 */
export async function startProgram(command: readonly string[], cwd: string): Promise<Program> {
  const [program, ...args] = pin('server', command)
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done) throw new Error(`${command.join(' ')} exited`)
    return value
  }
  return {
    greeting: await read(),
    async ask(line) {
      child.stdin.write(`${line}\n`)
      return JSON.parse(await read())
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
