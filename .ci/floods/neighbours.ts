// Measures the CPU time of a request on connections that were open before a hostile client came, and on new ones.
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAnimals, head, request, type Server, startServer } from './target.ts'

/** Maximum CPU time of a request if there is a hostile client, in multiples of the time without one. */
const maxRatio = 1.15

const rounds = 7
/** On a machine that other programs disturb, a row may exceed the bound: it breaks the bound if each measurement does. */
const measurements = 3
const requests = 1_600
const connections = 8

/** Worst behaviours of one anonymous client, as the bytes that it writes to a new connection. */
const hostile: Readonly<Record<string, string>> = {
  'one-byte chunks':
    head('POST /v1/pets', undefined, 'Transfer-Encoding: chunked') + '1\r\n \r\n'.repeat(260),
  pipelining: head('GET /v1/pets').repeat(2_000),
  'unread pages': head('GET /docs').repeat(60),
}

interface Sent {
  readonly path: string
  readonly method?: string
  readonly body?: string
}

const good: Readonly<Record<string, Sent>> = {
  'list of 100': { path: '/v1/pets?limit=100' },
  '30 kB body': {
    path: '/v1/pets',
    method: 'POST',
    body: JSON.stringify({ name: 'Rex', categoryId: 1, note: 'x'.repeat(30_000) }),
  },
}

/** A server with animals, and connections to it that are opened early and late. */
interface Side {
  readonly server: Server
  readonly early: Agent
  readonly late: Agent
}

async function startSide(folder: string): Promise<Side> {
  const server = await startServer(folder)
  await createAnimals(server.target, 'Rex')
  const createAgent = () => new Agent({ keepAlive: true, maxSockets: connections })
  return { server, early: createAgent(), late: createAgent() }
}

/** Returns the CPU time of one request, in microseconds. */
async function measureRequest({ server }: Side, agent: Agent, { path, ...sent }: Sent): Promise<number> {
  const { target, cpuTime } = server
  const before = cpuTime()
  const each = Array.from({ length: connections }, async () => {
    for (let i = 0; i < requests / connections; i++)
      await request(target, path, { ...sent, key: target.keys.flood, agent })
  })
  await Promise.all(each)
  return (cpuTime() - before) / requests
}

/** CPU times of a request in one round, in microseconds, and how many times as long it takes as without the client. */
interface Figures {
  readonly without: number
  readonly open: number
  readonly new: number
  readonly openTimes: number
  readonly newTimes: number
}

/** Sends the same requests to both servers in turn, since each creation makes the heap of one larger. */
async function measureRound(alone: Side, attacked: Side, sent: Sent): Promise<Figures> {
  const aloneOpen = await measureRequest(alone, alone.early, sent)
  const open = await measureRequest(attacked, attacked.early, sent)
  const aloneNew = await measureRequest(alone, alone.late, sent)
  const later = await measureRequest(attacked, attacked.late, sent)
  return {
    without: (aloneOpen + aloneNew) / 2,
    open,
    new: later,
    openTimes: open / aloneOpen,
    newTimes: later / aloneNew,
  }
}

/** Returns the medians of all rounds. */
async function measureRow(alone: Side, attacked: Side, sent: Sent): Promise<Figures> {
  const figures: Figures[] = []
  for (let i = 0; i < rounds; i++) figures.push(await measureRound(alone, attacked, sent))
  const of = (key: keyof Figures) => median(figures.map((each) => each[key]))
  return {
    without: of('without'),
    open: of('open'),
    new: of('new'),
    openTimes: of('openTimes'),
    newTimes: of('newTimes'),
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * Prints a row for each hostile client and request: the CPU time of a request of a server without the client, and of
 * one with it, on connections that were open before it came and on new ones. Resolves with the rows that break the
 * bound.
 */
export async function compareNeighbours(
  folder: string,
  print: (line: string) => void,
): Promise<readonly string[]> {
  const broken: string[] = []
  print('hostile client    request        without    open     new   times   (CPU time of a request in µs)')
  for (const [name, bytes] of Object.entries(hostile)) {
    const [alone, attacked] = [await startSide(folder), await startSide(folder)]
    const attackers: Socket[] = []
    try {
      for (const sent of Object.values(good))
        for (const side of [alone, attacked]) await measureRequest(side, side.early, sent)
      for (let i = 0; i < 3; i++) {
        const { port } = attacked.server.target
        const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).pause()
        socket.on('error', () => {}).write(bytes)
        attackers.push(socket)
      }
      await sleep(500)
      for (const [what, sent] of Object.entries(good)) {
        let ratio = Number.POSITIVE_INFINITY
        for (let i = 0; i < measurements && ratio > maxRatio; i++) {
          const row = await measureRow(alone, attacked, sent)
          ratio = Math.max(row.openTimes, row.newTimes)
          const cells = [row.without, row.open, row.new].map((time) => time.toFixed().padStart(8))
          print(`${name.padEnd(18)}${what.padEnd(14)}${cells.join('')}${ratio.toFixed(2).padStart(8)}`)
        }
        if (ratio > maxRatio) broken.push(`${name}, ${what}`)
      }
    } finally {
      for (const socket of attackers) socket.destroy()
      for (const { server, early, late } of [alone, attacked]) {
        for (const agent of [early, late]) agent.destroy()
        await server.stop()
      }
    }
  }
  return broken
}
