import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Report } from './flood-process.ts'
import type { Flood } from './floods.ts'
import { readScheduleMs, type Server, sendRequest, startServer, type Target } from './target.ts'

/** MiB. The server's heap is limited to 512 MB. */
const defaultMaxMemoryMiB = 400
const maxResponseMs = 1_000
const responseTimeoutMs = 10_000

/** How long `measureLoopMs` takes on the machine for which the bounds of p99 were set. */
const referenceLoopMs = 80

/** Returns how long a fixed computation takes on this machine. */
function measureLoopMs(): number {
  const start = performance.now()
  let sum = 0
  for (let i = 0; i < 1e8; i++) sum = (sum + i) | 0
  return performance.now() - start
}

/**
 * Runs a flood against a new server while probes measure response times.
 *
 * @returns figures, and a sentence for each broken bound
 */
export async function measure(folder: string, name: string, flood: Flood, seconds: number) {
  const server = await startServer(folder, flood.args)
  const { target } = server
  const { maxMemoryMiB = defaultMaxMemoryMiB } = flood
  // A slower machine gets more time, in proportion.
  const maxP99Ms = (flood.maxP99Ms ?? maxResponseMs) * Math.max(1, measureLoopMs() / referenceLoopMs)
  try {
    await flood.prepare?.(target)
    await warmUp(target)
    const probes = await startProbes(flood, server, seconds)
    const attacker = await startFlood(name, seconds, target)
    await sleep(seconds * 1_000)
    const seen = await probes.stop()
    const { connections, violations } = await attacker.readReport()
    await attacker.stop()
    const memoryMiB = server.isAlive() ? server.readPeakMemoryMiB() : Number.NaN
    const broken = [...seen.violations, ...violations]
    if (!server.isAlive()) broken.push('the server has exited')
    if (seen.slowestMs > maxResponseMs) broken.push(`a probe waited for ${seen.slowestMs.toFixed()} ms`)
    if (seen.p99Ms > maxP99Ms) broken.push(`the probes' p99 is above ${maxP99Ms.toFixed()} ms`)
    if (memoryMiB > maxMemoryMiB) broken.push(`the server uses more than ${maxMemoryMiB} MiB`)
    const afterwards = await findViolation(sendRequest(target, '/healthz'))
    if (afterwards !== undefined) broken.push(`after the flood: ${afterwards}`)
    return { memoryMiB, p99Ms: seen.p99Ms, slowestMs: seen.slowestMs, connections, violations: broken }
  } finally {
    await server.stop()
  }
}

/** Returns what is wrong with a response: its error, or that it takes too long. */
function findViolation(response: Promise<unknown>): Promise<string | undefined> {
  const late = sleep(responseTimeoutMs, `no response in ${responseTimeoutMs} ms`, { ref: false })
  const violation = response.then(
    () => undefined,
    (cause: Error) => cause.message,
  )
  return Promise.race([violation, late])
}

/** Sends enough requests that the server's code is compiled. */
async function warmUp(target: Target): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const paths = ['/v1/pets', '/v1/pets?limit=100', '/healthz']
  for (let i = 0; i < 2_000; i++)
    await sendRequest(target, paths[i % paths.length] ?? '', { key: target.keys.flood, agent })
  agent.destroy()
}

/** Starts a flood in its own process and waits until it has a connection. */
export async function startFlood(name: string, seconds: number, target: Target) {
  const program = fileURLToPath(new URL('flood-process.ts', import.meta.url))
  const child = fork(program, [name, String(seconds), JSON.stringify(target)], {
    execArgv: ['--import', 'tsx'],
  })
  if (child.pid !== undefined) setPriority(child.pid, 10) // probes get the processor first
  async function nextReport(): Promise<Report> {
    const [report] = await once(child, 'message', { signal: AbortSignal.timeout(60_000) })
    return report
  }
  await nextReport()
  return {
    readReport() {
      child.send('report')
      return nextReport()
    },
    /** Keeps the connections open, but sends nothing more. */
    pause: () => child.kill('SIGSTOP'),
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Sends the requests of well-behaved clients during a flood. */
async function startProbes(
  { takesAllConnections = false, triesNewKeys = false }: Flood,
  server: Server,
  seconds: number,
) {
  const { target } = server
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const
  const waits = [server.readWaitedMs, () => readScheduleMs('self').waited]
  const violations = new Set<string>()
  const times: number[] = []
  let isOver = false

  async function sendOne(probe: Probe) {
    const start = performance.now()
    const waited = waits.map((wait) => wait())
    const violation = await findViolation(probe.send())
    const time = performance.now() - start
    // Time that the server or the probes waited for a processor does not count.
    times.push(time - Math.max(...waits.map((wait, i) => wait() - (waited[i] ?? 0))))
    if (violation !== undefined) violations.add(`${probe.name}: ${violation}`)
  }
  async function repeat(probe: Probe) {
    while (!isOver) {
      const next = sleep(probe.everyMs ?? 100)
      await sendOne(probe)
      await next
    }
  }

  const probes = [
    createHealthProbe(target, takesAllConnections ? agents[0] : undefined),
    createLimitProbe(target, agents[1]),
    ...(triesNewKeys ? [createNewKeyProbe(target, seconds)] : []),
  ]
  await Promise.all(probes.map(sendOne))
  const loops = probes.map(repeat)
  return {
    async stop() {
      isOver = true
      await Promise.all(loops)
      for (const agent of agents) agent.destroy()
      times.sort((a, b) => a - b)
      const [p99Ms = 0, slowestMs = 0] = [times[Math.ceil(times.length * 0.99) - 1], times.at(-1)]
      return { p99Ms, slowestMs, violations: [...violations] }
    },
  }
}

interface Probe {
  readonly name: string
  /** Pause between two requests, by default 100 ms. */
  readonly everyMs?: number
  /** Rejects if the response is not the one that a client may expect. */
  send(): Promise<void>
}

function createHealthProbe(target: Target, agent?: Agent): Probe {
  return {
    name: '/healthz',
    async send() {
      await sendRequest(target, '/healthz', agent && { agent })
    },
  }
}

/** Checks that each request takes exactly one from the rate limit. */
function createLimitProbe(target: Target, agent: Agent): Probe {
  let before: number | undefined
  return {
    name: 'a well-behaved client',
    everyMs: 10,
    async send() {
      const headers = await sendRequest(target, '/v1/pets?limit=1', { key: target.keys.good, agent })
      const remaining = Number(headers['x-ratelimit-remaining'])
      const ofNewWindow = Number(headers['x-ratelimit-limit']) - 1
      const expected = before === undefined ? ofNewWindow : before - 1
      before = remaining
      if (remaining !== expected && remaining !== ofNewWindow)
        throw new Error(`${remaining} requests remain instead of ${expected}`)
    },
  }
}

/** Sends each unused key once, from its own address. */
function createNewKeyProbe(target: Target, seconds: number): Probe {
  let sent = 0
  return {
    name: 'a client with a new key',
    everyMs: (seconds * 1_000) / target.unused.length,
    async send() {
      const key = target.unused[sent++]
      const headers = { 'X-Forwarded-For': `203.0.113.${sent}` }
      if (key !== undefined) await sendRequest(target, '/v1/pets?limit=1', { key, headers })
    },
  }
}
