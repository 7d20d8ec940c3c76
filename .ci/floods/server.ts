import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { announced, program } from '../server.mjs'

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
  /** The end of its stderr so far. */
  readonly errors: string
  /** Returns its resident memory, after its end the last figure; undefined where the system does not report it. */
  memory(): Memory | undefined
  stop(): Promise<void>
}

const errorsLength = 65_536

/**
 * Starts the built server with a heap of 512 MB and the keys of a file.
 *
 * @param node The Node that runs it.
 * @param descriptors Its limit of descriptors; that of the system by default.
 * @param more Further arguments.
 * @throws Error if it does not listen in time.
 */
export async function startServer(
  node: string,
  keys: string,
  descriptors?: number,
  more: readonly string[] = [],
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-floods-'))
  const file = join(folder, 'keys.json')
  writeFileSync(file, keys, { mode: 0o600 })
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors} && `
  const args = ['--max-old-space-size=512', program, '--memory', '--port', '0', '--keys', file, ...more]
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, node, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
  })
  const { pid = 0 } = child // 0 where it did not start: then the promise below rejects
  const clear = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', clear)
  const ended = once(child, 'exit').finally(() => {
    process.off('exit', clear)
    clear()
  })
  let errors = ''
  let memory: Memory | undefined
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-errorsLength)
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  try {
    const { port } = new URL(await announced(child))
    return {
      pid,
      port: Number(port),
      get isAlive() {
        return child.exitCode === null && child.signalCode === null
      },
      get errors() {
        return errors
      },
      memory() {
        memory = memoryOf(pid) ?? memory
        return memory
      },
      stop,
    }
  } catch (cause) {
    await stop()
    throw new Error(`${node} does not serve: ${errors}`, { cause })
  }
}

/** Returns the memory of a process (proc_pid_status(5)); undefined where the system does not report it. */
function memoryOf(pid: number): Memory | undefined {
  const status = read(pid, 'status') // in kB
  const mebibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
  const now = mebibytes('VmRSS')
  return Number.isNaN(now) ? undefined : { now, peak: mebibytes('VmHWM') }
}

/** Returns how long the main thread of a process has waited for a core, in ms; 0 where that is not reported. */
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
