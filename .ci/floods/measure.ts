import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inFolder } from '../command.mjs'
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

/** The measurements of one flood. Memory is undefined if the system does not report it. */
export interface Measured {
  readonly isAlive: boolean
  readonly memory?: { readonly start: number; readonly peak: number; readonly left: number }
  readonly seen: Seen
  /** The broken promises that the clients of the flood saw. */
  readonly violations: readonly string[]
  readonly traffic: Traffic
}

/** Returns the broken bounds, one line each. */
export function findViolations({ isAlive, memory, seen, violations }: Measured): readonly string[] {
  if (!isAlive) return ['the process has ended', ...violations]
  const broken: string[] = []
  if (memory && memory.peak > bounds.peakMemory) broken.push(`more than ${bounds.peakMemory} MiB`)
  if (seen.slowestHealth > bounds.slowestMs) broken.push('/healthz is slow')
  if (seen.slowestGood > bounds.slowestMs) broken.push('a well-behaved key is served slowly')
  return [...broken, ...seen.violations, ...violations]
}

/** Runs one flood, in a process of its own, against a new server. */
export function measure(flood: Flood, name: string, seconds: number): Promise<Measured> {
  return inFolder(async (folder) => {
    const { file, ...keys } = createKeys(folder)
    const server = await startServer(file, flood)
    try {
      return await attack(flood, name, server, { ...keys, port: server.port, seconds })
    } finally {
      await server.stop()
    }
  })
}

async function attack(flood: Flood, name: string, server: Server, target: Target): Promise<Measured> {
  const { prepare, takesAllConnections = false, triesNewKeys = false, isLogged = false } = flood
  await prepare?.(target)
  await warmUp(target)
  await sleep(300) // the server rests before its memory is read for the first time
  const probes = await startProbes(target, server.pid, takesAllConnections, triesNewKeys)
  const start = server.memory()
  const attacker = startFlood(name, target)
  try {
    await attacker.report() // it has started
    await until(() => !server.isAlive, target.seconds * 1_000)
    const seen = probes.seen()
    const { traffic, violations } = await attacker.report()
    await attacker.end()
    const isServing = await get(target.port, '/healthz').then(
      ({ status }) => status === 200,
      () => false,
    )
    const { isAlive, hasLogged } = server
    const end = server.memory()
    return {
      isAlive,
      ...(start && end && { memory: { start: start.now, peak: end.peak, left: end.now } }),
      seen,
      traffic,
      violations: [
        ...violations,
        ...(isAlive && !isServing ? ['no new connection is served afterwards'] : []),
        ...(isAlive && isLogged && !hasLogged ? ['nothing is logged'] : []),
      ],
    }
  } finally {
    await attacker.end()
    await probes.stop()
  }
}

/** Starts the process of a flood, whose first report says that it has started. */
function startFlood(name: string, target: Target) {
  const program = fileURLToPath(new URL('flood-process.ts', import.meta.url))
  const child = fork(program, [name, JSON.stringify(target)], { execArgv: ['--import', 'tsx'] })
  if (child.pid !== undefined) setPriority(child.pid, 10) // leaves the processor to the server
  const ended = once(child, 'exit')
  return {
    async report(): Promise<Report> {
      child.send('report')
      const [report]: readonly (Report | number)[] = await Promise.race([once(child, 'message'), ended])
      if (typeof report !== 'object') throw new Error('the process of the flood has ended')
      return report
    },
    /** Closes its connections. */
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Waits for a condition at most `ms` milliseconds, and checks it every 100 ms. */
async function until(holds: () => boolean, ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end && !holds(); ) await sleep(100)
}
