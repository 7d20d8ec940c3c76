import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { get, type Seen, startProbes, warmUp } from './clients.ts'
import type { Traffic } from './crowd.ts'
import type { Report } from './flood-process.ts'
import type { Flood } from './floods.ts'
import { type Server, startServer } from './server.ts'
import { createKeys, type Target } from './target.ts'

/** The bounds of a server with default settings and a heap of 512 MB. Memory is resident, in MiB. */
export const bounds = {
  peakMemory: 400,
  /** The longest response time of `/healthz` and of a well-behaved key, in milliseconds. */
  slowestMs: 1_000,
} as const

/** The measurements of one flood. Memory is undefined where the system does not report it. */
export interface Measured {
  readonly isAlive: boolean
  readonly memory?: { readonly start: number; readonly peak: number; readonly left: number }
  readonly seen: Seen
  /** The broken promises that the clients of the flood saw. */
  readonly violations: readonly string[]
  readonly traffic: Traffic
}

/** Returns the broken bounds, one line each. */
export function violationsOf({ isAlive, memory, seen, violations }: Measured): readonly string[] {
  if (!isAlive) return ['the process has ended', ...violations]
  const broken: string[] = []
  if (memory && memory.peak > bounds.peakMemory) broken.push(`more than ${bounds.peakMemory} MiB`)
  if (seen.slowestHealth > bounds.slowestMs) broken.push('/healthz is slow')
  if (seen.slowestGood > bounds.slowestMs) broken.push('a well-behaved key is served slowly')
  return [...broken, ...seen.violations, ...violations]
}

/** Runs one flood, in a process of its own, against a new server. */
export async function measure(flood: Flood, name: string, node: string, seconds: number): Promise<Measured> {
  const { file, ...keys } = createKeys()
  const server = await startServer(node, file, flood.descriptors, flood.args)
  const target = { ...keys, port: server.port, seconds }
  const child = fork(
    fileURLToPath(new URL('flood-process.ts', import.meta.url)),
    [name, JSON.stringify(target)],
    {
      execArgv: ['--import', 'tsx'],
    },
  )
  try {
    if (child.pid !== undefined) setPriority(child.pid, 10) // leaves the processor to the server
    return await attack(flood, child, server, target)
  } finally {
    child.kill('SIGKILL')
    await server.stop()
  }
}

async function attack(
  { takesAllConnections = false, triesNewKeys = false, isLogged = false }: Flood,
  child: ChildProcess,
  server: Server,
  target: Target,
): Promise<Measured> {
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error('the process of the flood has ended')),
  )
  ended.catch(() => {}) // it also ends while no report is awaited
  const report = async (): Promise<Report> => {
    const [report]: [Report] = await Promise.race([once(child, 'message') as Promise<[Report]>, ended]) // it sends reports only
    return report
  }
  await Promise.all([report(), warmUp(target)])
  await sleep(300) // the server rests before its memory is read for the first time
  const probes = await startProbes(target, server.pid, takesAllConnections, triesNewKeys)
  try {
    const start = server.memory()
    child.send('start')
    await report()
    await until(() => !server.isAlive, target.seconds * 1_000)
    const seen = probes.seen()
    child.send('report')
    const { traffic, violations } = await report()
    child.kill('SIGKILL') // closes its connections
    await ended.catch(() => {})
    const isServing = await get(target.port, '/healthz').then(
      ({ status }) => status === 200,
      () => false,
    )
    const { isAlive, errors } = server
    const end = server.memory()
    return {
      isAlive,
      ...(start && end && { memory: { start: start.now, peak: end.peak, left: end.now } }),
      seen,
      traffic,
      violations: [
        ...violations,
        ...(isAlive && !isServing ? ['no new connection is served afterwards'] : []),
        ...(isAlive && isLogged && errors === '' ? ['nothing is logged'] : []),
      ],
    }
  } finally {
    await probes.stop()
  }
}

/** Waits for a condition, which it checks each 100 ms, for `ms` milliseconds at the most. */
async function until(holds: () => boolean, ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end && !holds(); ) await sleep(100)
}
