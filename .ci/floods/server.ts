import { readFileSync } from 'node:fs'
import { launch, program } from '../server.mjs'
import type { Flood } from './floods.ts'

/** Resident memory now and at its highest, in MiB. */
export interface Memory {
  readonly now: number
  readonly peak: number
}

/** A server under attack. */
export interface Server {
  readonly pid: number
  readonly port: number
  readonly isAlive: boolean
  /** True if it has written to stderr. */
  readonly hasLogged: boolean
  /** Returns its resident memory, after its end the last figure; undefined if the system does not report it. */
  memory(): Memory | undefined
  stop(): Promise<void>
}

/**
 * Starts the built server for a flood, with a heap of 512 MB and the keys of a file.
 *
 * @throws Error if it does not listen in time.
 */
export async function startServer(file: string, { descriptors, args: more = [] }: Flood): Promise<Server> {
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors} && `
  const args = ['--max-old-space-size=512', program, '--memory', '--port', '0', '--keys', file, ...more]
  const command = ['sh', '-c', `${limit}exec "$0" "$@"`, process.execPath, ...args]
  const { child, origin, stop } = await launch(command, { stderr: 'pipe' })
  const { pid = 0 } = child // it has started
  let hasLogged = false
  child.stderr?.on('data', () => {
    hasLogged = true
  })
  let memory: Memory | undefined
  return {
    pid,
    port: Number(new URL(origin).port),
    get isAlive() {
      return child.exitCode === null && child.signalCode === null
    },
    get hasLogged() {
      return hasLogged
    },
    memory() {
      memory = readMemory(pid) ?? memory
      return memory
    },
    stop: () => stop('SIGKILL'),
  }
}

/** Returns the memory of a process (proc_pid_status(5)); undefined if the system does not report it. */
function readMemory(pid: number): Memory | undefined {
  const status = read(pid, 'status') // in kB
  const mebibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
  const now = mebibytes('VmRSS')
  return Number.isNaN(now) ? undefined : { now, peak: mebibytes('VmHWM') }
}

/** Returns how long the main thread of a process has waited for a core, in ms; 0 if that is not reported. */
export function waitedBy(pid: number): number {
  const [, nanoseconds = 0] = read(pid, 'schedstat').split(' ')
  return Number(nanoseconds) / 1e6
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
