import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pin } from './cores.ts'

/** A server process. */
export interface Server {
  readonly origin: string
  /** Returns the CPU time of the process in seconds; undefined where the system does not report it. */
  cpuSeconds(): number | undefined
  /** Returns the resident memory in bytes; undefined where the system does not report it. */
  memory(): number | undefined
  stop(): Promise<void>
}

/** Runs a TypeScript program of this folder with a Node, by default the current one. */
export function startNode(
  file: string,
  args: readonly string[] = [],
  node: string = process.execPath,
): Promise<Server> {
  const program = fileURLToPath(new URL(file, import.meta.url))
  return startServer([node, '--import', 'tsx', program, ...args])
}

/**
 * Runs a command that prints `port N` once it listens.
 *
 * @throws Error if the command exits before that.
 */
export async function startServer(command: readonly string[]): Promise<Server> {
  const [program, ...args] = pin('server', command)
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const [, port] = /^port (\d+)$/.exec(line) ?? []
    if (!port) continue
    return serverOf(child, `http://127.0.0.1:${port}`, async () => {
      child.kill('SIGKILL')
      await ended
    })
  }
  throw new Error(`${command.join(' ')} exited before it listened`)
}

/** Returns the server of a process that listens. */
export function serverOf({ pid }: ChildProcess, origin: string, stop: () => Promise<void>): Server {
  return { origin, cpuSeconds: () => cpuSeconds(pid), memory: () => memory(pid), stop }
}

/** Linux counts CPU time in hundredths of a second (proc(5), fields 14 and 15 of `stat`). */
function cpuSeconds(pid: number | undefined): number | undefined {
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) / 100
}

function memory(pid: number | undefined): number | undefined {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '') ?? []
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
