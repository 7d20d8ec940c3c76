import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Report } from './flood-process.ts'
import type { Flood } from './floods.ts'
import { readWaitedMs, request, type Server, startServer, type Target } from './target.ts'

/** Maximum resident memory of a server with default settings and a heap of 512 MB, in MiB. */
const maxMemory = 400
/** Maximum response time of a well-behaved client, in milliseconds. */
const maxMs = 1_000
/** Maximum time that a well-behaved client waits for a response, in milliseconds. */
const patienceMs = 10_000

/** The measurements of one flood. */
export interface Measured {
  /** The highest resident memory, in MiB. */
  readonly memory: number
  /** The longest response time of a well-behaved client, in milliseconds. */
  readonly slowestMs: number
  /** Number of connections that the flood made. */
  readonly connections: number
  /** The broken bounds, one line each. */
  readonly violations: readonly string[]
}

/** Runs one flood against a new server, whose keys file is below `folder`. */
export async function measure(
  folder: string,
  name: string,
  flood: Flood,
  seconds: number,
): Promise<Measured> {
  const server = await startServer(folder, flood.args)
  const { target } = server
  try {
    await flood.prepare?.(target)
    await warmUp(target)
    const probes = await startProbes(flood, server, seconds)
    const attacker = await startFlood(name, seconds, target)
    await sleep(seconds * 1_000)
    const seen = await probes.stop()
    const { connections, violations } = await attacker.stop()
    const memory = server.isAlive() ? server.peakMemory() : Number.NaN
    const broken = [...seen.violations, ...violations]
    if (!server.isAlive()) broken.push('the process has ended')
    if (seen.slowestMs > maxMs) broken.push('a well-behaved client is served slowly')
    if (memory > maxMemory) broken.push(`more than ${maxMemory} MiB`)
    const afterwards = await findViolation(request(target, '/healthz'))
    if (afterwards !== undefined) broken.push(`afterwards, a new connection: ${afterwards}`)
    return { memory, slowestMs: seen.slowestMs, connections, violations: broken }
  } finally {
    await server.stop()
  }
}

/** Returns what is wrong with a response, if anything. */
function findViolation(response: Promise<unknown>): Promise<string | undefined> {
  const late = sleep(patienceMs, `no response in ${patienceMs} ms`, { ref: false })
  const violation = response.then(
    () => undefined,
    (cause: Error) => cause.message,
  )
  return Promise.race([violation, late])
}

/** Sends usual requests, so that the server has compiled its code. */
async function warmUp(target: Target): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const paths = ['/v1/pets', '/v1/pets?limit=100', '/healthz']
  for (let i = 0; i < 2_000; i++)
    await request(target, paths[i % paths.length] ?? '', { key: target.keys.flood, agent })
  agent.destroy()
}

/** Starts the process of a flood, whose first report says that it has a connection. */
async function startFlood(name: string, seconds: number, target: Target) {
  const program = fileURLToPath(new URL('flood-process.ts', import.meta.url))
  const child = fork(program, [name, String(seconds), JSON.stringify(target)], {
    execArgv: ['--import', 'tsx'],
  })
  if (child.pid !== undefined) setPriority(child.pid, 10) // leaves the processor to the server
  async function nextReport(): Promise<Report> {
    const [report] = await once(child, 'message', { signal: AbortSignal.timeout(60_000) })
    return report
  }
  await nextReport()
  return {
    /** Closes its connections. Resolves with its last report. */
    async stop() {
      child.send('report')
      const last = await nextReport()
      child.kill('SIGKILL')
      await once(child, 'exit')
      return last
    },
  }
}

/** The observations of the well-behaved clients. */
interface Seen {
  readonly slowestMs: number
  readonly violations: readonly string[]
}

/** Starts the well-behaved clients, which send a request every 100 ms. Resolves once each has a response. */
async function startProbes(
  { takesAllConnections = false, triesNewKeys = false }: Flood,
  { target, waitedMs }: Server,
  seconds: number,
): Promise<{ stop(): Promise<Seen> }> {
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const
  const waits = [waitedMs, () => readWaitedMs('self')]
  const violations = new Set<string>()
  let slowestMs = 0
  let isOver = false

  async function sendOne(client: Client) {
    const start = performance.now()
    const waited = waits.map((wait) => wait())
    const violation = await findViolation(client.send())
    const time = performance.now() - start
    // The time that a process waits for a core depends on the machine, not on the server.
    slowestMs = Math.max(slowestMs, time - Math.max(...waits.map((wait, i) => wait() - (waited[i] ?? 0))))
    if (violation !== undefined) violations.add(`${client.name}: ${violation}`)
  }
  async function repeat(client: Client) {
    while (!isOver) {
      const next = sleep(client.everyMs ?? 100)
      await sendOne(client)
      await next
    }
  }

  const clients = [
    createHealthClient(target, takesAllConnections ? agents[0] : undefined),
    createGoodClient(target, agents[1]),
    ...(triesNewKeys ? [createNewClients(target, seconds)] : []),
  ]
  await Promise.all(clients.map(sendOne))
  const loops = clients.map(repeat)
  return {
    async stop() {
      isOver = true
      await Promise.all(loops)
      for (const agent of agents) agent.destroy()
      return { slowestMs, violations: [...violations] }
    },
  }
}

interface Client {
  readonly name: string
  readonly everyMs?: number
  /** Sends a request. Rejects if the response is not right. */
  send(): Promise<void>
}

/** A client of `/healthz`, with new connections unless it has an agent. */
function createHealthClient(target: Target, agent?: Agent): Client {
  return {
    name: '/healthz',
    async send() {
      await request(target, '/healthz', agent && { agent })
    },
  }
}

/** A client within its limits: each response must count its request, and no other. */
function createGoodClient(target: Target, agent: Agent): Client {
  let before: number | undefined
  return {
    name: 'the good key',
    async send() {
      const headers = await request(target, '/v1/pets?limit=1', { key: target.keys.good, agent })
      const remaining = Number(headers['x-ratelimit-remaining'])
      const ofNewWindow = Number(headers['x-ratelimit-limit']) - 1
      const expected = before === undefined ? ofNewWindow : before - 1
      before = remaining
      if (remaining !== expected && remaining !== ofNewWindow)
        throw new Error(`${remaining} requests remain instead of ${expected}`)
    },
  }
}

/** Clients that send their first request, each with a key and from an address that the server has never seen. */
function createNewClients(target: Target, seconds: number): Client {
  let sent = 0
  return {
    name: 'a new key',
    everyMs: (seconds * 1_000) / target.unused.length,
    async send() {
      const key = target.unused[sent++]
      const headers = { 'X-Forwarded-For': `203.0.113.${sent}` }
      if (key !== undefined) await request(target, '/v1/pets?limit=1', { key, headers })
    },
  }
}
