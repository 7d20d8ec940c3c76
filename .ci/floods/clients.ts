// The well-behaved clients, which the server must serve while a flood lasts.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ReceivedResponse,
  type RequestOptions,
  send,
} from '../../adapters/standalone/testing/request.ts'
import { waitedBy } from './server.ts'
import type { Target } from './target.ts'

/** Maximum time that a well-behaved client waits for a response, in milliseconds. */
const patienceMs = 10_000

/** Sends a GET. Rejects without a response. */
export function get(port: number, path: string, options: RequestOptions = {}): Promise<ReceivedResponse> {
  const late = sleep(patienceMs, undefined, { ref: false }).then(() =>
    Promise.reject(new Error(`no response in ${patienceMs} ms`)),
  )
  return Promise.race([send(`http://127.0.0.1:${port}${path}`, options), late])
}

/** Sends two thousand usual requests on 8 connections, so that a server uses as much memory as in normal use. */
export async function warmUp({ port, keys }: Target): Promise<void> {
  const paths = ['/v1/pets', '/v1/pets?limit=100', '/v1/pets/1', '/v1/pets?limit=0', '/healthz']
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  try {
    await Promise.all(
      Array.from({ length: 8 }, async (_, first) => {
        for (let i = first; i < 2_000; i += 8)
          await get(port, paths[i % 5] ?? '', { key: keys.warmup, agent })
      }),
    )
  } finally {
    agent.destroy()
  }
}

/** Observations of the well-behaved clients. */
export interface Seen {
  /** The longest response times, in milliseconds. */
  readonly slowestHealth: number
  readonly slowestGood: number
  readonly violations: readonly string[]
}

/** Well-behaved clients, which send requests until they are stopped. */
export interface Probes {
  seen(): Seen
  stop(): Promise<void>
}

interface Client {
  readonly name: string
  /** Interval between its requests, in milliseconds. */
  readonly everyMs: number
  /** Sends a request. Resolves with the problem of the response. */
  send(): Promise<string | undefined>
}

/**
 * Starts the well-behaved clients: of `/healthz`, and of a key within its limits. With `reusesConnection`, the client
 * of `/healthz` uses one connection, as the other does; with `triesNewKeys`, another client sends each unused key once,
 * from an address of its own. Resolves once each has a response.
 */
export async function startProbes(
  target: Target,
  serverPid: number,
  reusesConnection: boolean,
  triesNewKeys: boolean,
): Promise<Probes> {
  const [healthAgent, goodAgent] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
  const waits = [serverPid, process.pid].map((pid) => () => waitedBy(pid))
  const [health, good] = [createStopwatch(...waits), createStopwatch(...waits)]
  const violations = new Set<string>()
  let isOver = false

  const getHealth = async () => {
    const { status } = await get(target.port, '/healthz', reusesConnection ? { agent: healthAgent } : {})
    return status === 200 ? undefined : `status ${status}`
  }
  const useGood = createGoodClient(target, goodAgent)
  const clients: readonly Client[] = [
    { name: '/healthz', everyMs: 100, send: () => health.time(getHealth) },
    { name: 'the good key', everyMs: 100, send: () => good.time(useGood) },
    ...(triesNewKeys ? [createNewClients(target, (send) => good.time(send))] : []),
  ]
  async function sendOne({ name, send }: Client) {
    const violation = await send().catch((cause: Error) => cause.message)
    if (violation !== undefined && !isOver) violations.add(`${name}: ${violation}`)
  }
  async function repeat(client: Client) {
    while (!isOver) {
      const next = sleep(client.everyMs)
      await sendOne(client)
      await next
    }
  }

  await Promise.all(clients.map(sendOne))
  const loops = clients.map(repeat)
  return {
    seen: () => ({
      slowestHealth: health.slowest(),
      slowestGood: good.slowest(),
      violations: [...violations],
    }),
    async stop() {
      isOver = true
      for (const agent of [healthAgent, goodAgent]) agent.destroy()
      await Promise.all(loops)
    },
  }
}

/** A client within its limits: each response must count its request, and no other. */
function createGoodClient({ port, keys }: Target, agent: Agent) {
  let before: number | undefined
  return async () => {
    const { status, headers } = await get(port, '/v1/pets?limit=1', { key: keys.good, agent })
    const remaining = Number(headers['x-ratelimit-remaining'])
    const ofNewWindow = Number(headers['x-ratelimit-limit']) - 1
    const expected = before === undefined ? ofNewWindow : before - 1
    before = remaining
    if (status !== 200) return `status ${status}`
    return remaining === expected || remaining === ofNewWindow
      ? undefined
      : `${remaining} requests remain in place of ${expected}`
  }
}

/** Clients that send their first request, each with a key and from an address that the server has never seen. */
function createNewClients(
  { port, unused, seconds }: Target,
  time: (send: Client['send']) => Promise<string | undefined>,
): Client {
  let sent = 0
  return {
    name: 'a new key',
    everyMs: (seconds * 1_000) / unused.length,
    async send() {
      const key = unused[sent++]
      if (key === undefined) return undefined
      const headers = { 'X-Forwarded-For': `203.0.113.${sent}` }
      return time(async () => {
        const { status } = await get(port, '/v1/pets?limit=1', { key, headers })
        return status === 200 ? undefined : `status ${status}`
      })
    },
  }
}

/** Times one client's requests, in milliseconds. */
export interface Stopwatch {
  /** Times a request. Resolves with its result. */
  time<T>(send: () => Promise<T>): Promise<T>
  /** Returns the longest time of a request, the current one included. */
  slowest(): number
}

/**
 * Creates a stopwatch that stops while the server or this process waits for a core: that time depends on the machine,
 * not on the server. `waits` return how long each process has waited so far, in milliseconds.
 */
export function createStopwatch(...waits: readonly (() => number)[]): Stopwatch {
  const read = () => ({ time: performance.now(), waited: waits.map((wait) => wait()) })
  let longest = 0
  let start: ReturnType<typeof read> | undefined
  function slowest(): number {
    if (!start) return longest
    const before = start
    const now = read()
    const waited = now.waited.map((ms, i) => ms - (before.waited[i] ?? 0))
    return Math.max(longest, now.time - before.time - Math.max(0, ...waited))
  }
  return {
    slowest,
    async time(send) {
      start = read()
      try {
        return await send()
      } finally {
        longest = slowest()
        start = undefined
      }
    },
  }
}
