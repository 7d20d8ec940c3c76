import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RequestOptions, send } from '../../adapters/standalone/testing/request.ts'
import { launch, newKey, program, writeKeys } from '../server.mjs'

const unlimited = { plan: 'enterprise', limits: { minute: 1_000_000, day: 10_000_000 } }
const free = { plan: 'free' }

/** What a flood needs to know about the server. */
export interface Target {
  readonly port: number
  readonly keys: Readonly<Record<'good' | 'flood' | 'bodies', string>>
  /** Valid keys that no request has used. */
  readonly unused: readonly string[]
}

export type Server = Awaited<ReturnType<typeof startServer>>

/** Starts the built standalone server with a heap of 512 MB and new keys. */
export async function startServer(folder: string, args: readonly string[] = []) {
  const keys = { good: newKey(), flood: newKey(), bodies: newKey() }
  const unused = Array.from({ length: 20 }, newKey)
  const file = writeKeys(mkdtempSync(join(folder, 'keys-')), [
    ['good', keys.good, unlimited],
    ['flood', keys.flood, unlimited],
    ['bodies', keys.bodies, free],
    ...unused.map((key, i) => [`unused-${i}`, key, free] as const),
  ])
  const node = [process.execPath, '--max-old-space-size=512']
  const flags = ['--memory', '--port', '0', '--keys', file, ...args]
  const { child, origin, stop } = await launch([...node, program, ...flags])
  const read = (path: string) => readFileSync(`/proc/${child.pid}/${path}`, 'utf8')
  return {
    target: { port: Number(new URL(origin).port), keys, unused } satisfies Target,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    readPeakMemoryMiB: () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(read('status'))?.[1]) / 1024,
    readCpuMs: () => readScheduleMs(child.pid).running,
    readWaitedMs: () => readScheduleMs(child.pid).waited,
    stop: () => stop('SIGKILL'),
  }
}

/** Returns how long a process has run, and how long it was ready and waited for a processor; 0 after its end. */
export function readScheduleMs(pid: number | string | undefined) {
  const path = `/proc/${pid}/schedstat`
  const [running = 0, waited = 0] = existsSync(path) ? readFileSync(path, 'utf8').split(' ').map(Number) : []
  return { running: running / 1e6, waited: waited / 1e6 }
}

export function createHead(requestLine: string, key?: string, ...lines: readonly string[]): string {
  const fields = [...(key === undefined ? [] : [`Authorization: Bearer ${key}`]), ...lines]
  return `${requestLine} HTTP/1.1\r\nHost: x\r\n${fields.map((line) => `${line}\r\n`).join('')}\r\n`
}

/** Sends a request, and rejects unless the status is 2xx. */
export async function sendRequest({ port }: Target, path: string, options: RequestOptions = {}) {
  const { status, headers } = await send(`http://127.0.0.1:${port}${path}`, options)
  if (status < 200 || status > 299) throw new Error(`status ${status}`)
  return headers
}
