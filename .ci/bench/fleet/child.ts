import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Endings } from './endings.ts'

/** How long a program may take to start, in milliseconds. */
const startMs = 60_000

/** How much of the output of a program is retained, for the message when it does not start. */
const outputLength = 4_096

export interface ChildOptions extends Pick<SpawnOptions, 'uid' | 'gid'> {
  /** What the program prints once it serves. */
  readonly ready: RegExp
  /** How it is ended. */
  readonly signal: 'SIGKILL' | 'SIGQUIT'
}

/** A program that serves. */
export interface Child {
  readonly pid: number
  /** The match of `ready`. */
  readonly announced: RegExpExecArray
  stop(): Promise<void>
}

/** Starts a program. Its further output is discarded, so that it never waits for a reader. */
export async function startChild(
  [program = '', ...args]: readonly string[],
  { ready, signal, ...user }: ChildOptions,
  endings: Endings,
): Promise<Child> {
  const child = spawn(program, args, { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close').catch(() => {}) // the error is reported below
  const stop = async () => {
    child.kill(signal)
    await ended
  }
  endings.add(stop)
  return { announced: await outputUntil(child, program, ready), pid: child.pid ?? 0, stop }
}

function outputUntil(child: ChildProcess, program: string, ready: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (cause: string) => reject(new Error(`${program} does not start: ${cause}\n${output}`))
    const late = setTimeout(() => fail(`nothing matches ${ready} after ${startMs} ms`), startMs)
    const read = (chunk: Buffer) => {
      output = (output + chunk).slice(-outputLength)
      const announced = ready.exec(output)
      if (!announced) return
      clearTimeout(late)
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', read).resume()
      resolve(announced)
    }
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', read)
    child.on('error', (error) => fail(error.message))
    child.on('close', () => {
      clearTimeout(late)
      fail('it ended')
    })
  })
}
