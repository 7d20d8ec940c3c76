import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RequestOptions, send } from '../../adapters/standalone/testing/request.ts'
import { launch, newKey, program, writeKeys } from '../server.mjs'

const unlimited = { plan: 'enterprise', limits: { minute: 1_000_000, day: 10_000_000 } } as const

/** The plan of each caller: the well-behaved client, and the floods. */
const callers = { good: { plan: 'business' }, flood: unlimited, bodies: { plan: 'free' } } as const

/** The server under attack, and the keys that it accepts. */
export interface Target {
  readonly port: number
  readonly keys: Readonly<Record<keyof typeof callers, string>>
  /** Right keys, which no request has used: the flood of guesses sends them. */
  readonly unused: readonly string[]
}

/** A server process under attack. */
export interface Server {
  readonly target: Target
  isAlive(): boolean
  /** Returns its highest resident memory so far, in MiB (proc_pid_status(5)). */
  peakMemory(): number
  /** Returns the CPU time of its threads so far, in microseconds (proc(5)). */
  cpuTime(): number
  /** Returns how long its main thread has waited for a core so far, in milliseconds. */
  waitedMs(): number
  stop(): Promise<void>
}

/**
 * Starts the built server with a heap of 512 MB, default settings and new keys.
 *
 * @param folder Gets a folder with its keys file.
 * @param args Further arguments of the server.
 * @throws Error if it does not listen in time.
 */
export async function startServer(folder: string, args: readonly string[] = []): Promise<Server> {
  const keys = { good: newKey(), flood: newKey(), bodies: newKey() }
  const unused = Array.from({ length: 20 }, newKey)
  const file = writeKeys(mkdtempSync(join(folder, 'keys-')), [
    ['good', keys.good, callers.good],
    ['flood', keys.flood, callers.flood],
    ['bodies', keys.bodies, callers.bodies],
    ...unused.map((key, i) => [`unused-${i}`, key, { plan: 'free' }] as const),
  ])
  const flags = ['--memory', '--port', '0', '--keys', file, ...args]
  const { child, origin, stop } = await launch([
    process.execPath,
    '--max-old-space-size=512',
    program,
    ...flags,
  ])
  const read = (path: string) => readFileSync(`/proc/${child.pid}/${path}`, 'utf8')
  return {
    target: { port: Number(new URL(origin).port), keys, unused },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    peakMemory: () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(read('status'))?.[1]) / 1024,
    cpuTime() {
      const threads = readdirSync(`/proc/${child.pid}/task`)
      const nanoseconds = threads.map((thread) => Number(read(`task/${thread}/schedstat`).split(' ')[0]))
      return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000
    },
    waitedMs: () => readWaitedMs(child.pid),
    stop: () => stop('SIGKILL'),
  }
}

/** Returns how long the main thread of a process has waited for a core, in milliseconds; 0 after its end. */
export function readWaitedMs(pid: number | string | undefined): number {
  const path = `/proc/${pid}/schedstat`
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6 : 0
}

/** Returns the head of a request, with the key of a caller if one is given. */
export function head(request: string, key?: string, ...lines: readonly string[]): string {
  const fields = [...(key === undefined ? [] : [`Authorization: Bearer ${key}`]), ...lines]
  return `${request} HTTP/1.1\r\nHost: x\r\n${fields.map((line) => `${line}\r\n`).join('')}\r\n`
}

/** Sends a request. Resolves with the headers of its response; rejects if its status is not 2xx. */
export async function request({ port }: Target, path: string, options: RequestOptions = {}) {
  const { status, headers } = await send(`http://127.0.0.1:${port}${path}`, options)
  if (status < 200 || status > 299) throw new Error(`status ${status}`)
  return headers
}

/** Creates a hundred animals. */
export async function createAnimals(target: Target, ...names: readonly string[]): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const body = JSON.stringify({ name: names[i % names.length], categoryId: 1 })
    await request(target, '/v1/pets', { method: 'POST', key: target.keys.flood, body })
  }
}
