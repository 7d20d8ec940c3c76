// Measures the CPU time of a request on connections that were open before a hostile client came, and on new ones.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inFolder } from '../command.mjs'
import { type Server, startServer } from './server.ts'
import { createAnimal, createKeys, head, type Target } from './target.ts'

/** Maximum CPU time of a request if there is a hostile client, in multiples of the time without one. */
export const maxRatio = 1.15

const rounds = 7
const requests = 1_600
const connections = 8

/** Worst behaviours of one anonymous client, as the bytes that it writes to a new connection. */
const hostile: Readonly<Record<string, string>> = {
  'one-byte chunks':
    head('POST /v1/pets', undefined, 'Transfer-Encoding: chunked') + '1\r\n \r\n'.repeat(260),
  pipelining: head('GET /v1/pets').repeat(2_000),
  'unread pages': head('GET /docs').repeat(60),
}

const good: Readonly<
  Record<string, { readonly method: string; readonly path: string; readonly body?: string }>
> = {
  'list of 100': { method: 'GET', path: '/v1/pets?limit=100' },
  '30 kB body': {
    method: 'POST',
    path: '/v1/pets',
    body: JSON.stringify({ name: 'Rex', categoryId: 1, note: 'x'.repeat(30_000) }),
  },
}

/** Returns the CPU time of the threads of a process so far, in microseconds (proc(5)). */
function cpuTime({ pid }: Server): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000
}

function send(target: Target, agent: Agent, { method, path, body }: (typeof good)[string]): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${target.keys.morePages}`,
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
      }),
    }
    const req = request({ port: target.port, host: '127.0.0.1', agent, method, path, headers }, (res) => {
      res.resume().on('end', resolve)
      if ((res.statusCode ?? 500) >= 300) reject(new Error(`status ${res.statusCode}`))
    })
    req.on('error', reject).end(body)
  })
}

/** Returns the CPU time of one request, in microseconds. */
async function measureRequest(server: Server, target: Target, agent: Agent, sent: (typeof good)[string]) {
  const before = cpuTime(server)
  const each = Array.from({ length: connections }, async () => {
    for (let i = 0; i < requests / connections; i++) await send(target, agent, sent)
  })
  await Promise.all(each)
  return (cpuTime(server) - before) / requests
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** A server with animals, and connections to it that were opened early. */
async function startVictim(folder: string) {
  const { file, ...keys } = createKeys(mkdtempSync(join(folder, 'keys-')))
  const server = await startServer(file, { title: '', start: () => undefined })
  const target: Target = { ...keys, port: server.port, seconds: 0 }
  for (let i = 0; i < 100; i++) await createAnimal(target, 'Rex')
  return { server, target, early: createAgent(), late: createAgent() }
}

/**
 * Prints a row for each hostile client and request: the CPU time of a request of a server without the client, and of
 * one with it, on connections that were open before it came and on new ones. Resolves with the rows that break the
 * bound.
 */
export function compareNeighbours(print: (line: string) => void): Promise<readonly string[]> {
  return inFolder(async (folder) => {
    const broken: string[] = []
    print('hostile client    request        without    open     new   times   (CPU time of a request in µs)')
    for (const [name, bytes] of Object.entries(hostile)) {
      const [alone, attacked] = [await startVictim(folder), await startVictim(folder)]
      const attackers: Socket[] = []
      try {
        for (const sent of Object.values(good))
          for (const { server, target, early } of [alone, attacked])
            await measureRequest(server, target, early, sent)
        for (let i = 0; i < 3; i++) {
          const socket = connect({ port: attacked.target.port, host: '127.0.0.1', localAddress: '127.0.0.2' })
            .pause()
            .on('error', () => {})
          socket.write(bytes)
          attackers.push(socket)
        }
        await sleep(500)
        for (const [what, sent] of Object.entries(good)) {
          const times: Record<'without' | 'open' | 'new' | 'openRatio' | 'newRatio', number[]> = {
            without: [],
            open: [],
            new: [],
            openRatio: [],
            newRatio: [],
          }
          for (let i = 0; i < rounds; i++) {
            // Both servers get the same requests in turn, since each creation makes the heap of one larger.
            const aloneOpen = await measureRequest(alone.server, alone.target, alone.early, sent)
            const open = await measureRequest(attacked.server, attacked.target, attacked.early, sent)
            const aloneNew = await measureRequest(alone.server, alone.target, alone.late, sent)
            const later = await measureRequest(attacked.server, attacked.target, attacked.late, sent)
            times.without.push(aloneOpen, aloneNew)
            times.open.push(open)
            times.new.push(later)
            times.openRatio.push(open / aloneOpen)
            times.newRatio.push(later / aloneNew)
          }
          const ratio = Math.max(median(times.openRatio), median(times.newRatio))
          if (ratio > maxRatio) broken.push(`${name}, ${what}`)
          const cells = [times.without, times.open, times.new]
            .map((all) => median(all).toFixed().padStart(8))
            .join('')
          print(`${name.padEnd(18)}${what.padEnd(14)}${cells}${ratio.toFixed(2).padStart(8)}`)
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
  })
}

const createAgent = () => new Agent({ keepAlive: true, maxSockets: connections })
