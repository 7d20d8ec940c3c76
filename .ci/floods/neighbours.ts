// Measures the CPU time of a request on connections that were open before a hostile client came, and on new ones.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inFolder } from '../command.mjs'
import { type Server, startServer } from './server.ts'
import { createAnimal, createKeys, head, type Target } from './target.ts'

/** The highest CPU time of a request after a hostile client came, in times of that before. */
export const maxRatio = 1.15

const rounds = 7
const requests = 2_000
const connections = 8

/** Worst behaviours of one anonymous client, each of which is a write on a new connection. */
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

/** Returns the CPU time of a process so far, in microseconds (proc_pid_stat(5), in ticks of 10 ms). */
function cpuTime({ pid }: Server): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
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

/** Prints a row for each hostile client and request. Resolves with the rows that break the bound. */
export function compareNeighbours(print: (line: string) => void): Promise<readonly string[]> {
  return inFolder(async (folder) => {
    const broken: string[] = []
    print('hostile client    request         before    open     new   times   (CPU time of a request in µs)')
    for (const [name, bytes] of Object.entries(hostile))
      for (const [what, sent] of Object.entries(good)) {
        const { file, ...keys } = createKeys(folder)
        const server = await startServer(file, { title: name, start: () => undefined })
        const target: Target = { ...keys, port: server.port, seconds: 0 }
        const attackers: Socket[] = []
        const [old, fresh] = [agentOf(), agentOf()]
        try {
          for (let i = 0; i < 100; i++) await createAnimal(target, 'Rex')
          const times: Record<'before' | 'open' | 'new', number[]> = { before: [], open: [], new: [] }
          for (let i = 0; i < 2; i++) await measureRequest(server, target, old, sent)
          for (let i = 0; i < rounds; i++) times.before.push(await measureRequest(server, target, old, sent))
          for (let i = 0; i < 3; i++) {
            const socket = connect(server.port, '127.0.0.1')
              .pause()
              .on('error', () => {})
            socket.write(bytes)
            attackers.push(socket)
          }
          await sleep(500)
          for (let i = 0; i < rounds; i++) {
            times.open.push(await measureRequest(server, target, old, sent))
            times.new.push(await measureRequest(server, target, fresh, sent))
          }
          const [before, open, later] = [median(times.before), median(times.open), median(times.new)]
          const ratio = Math.max(open, later) / before
          if (ratio > maxRatio) broken.push(`${name}, ${what}`)
          const cells = [before, open, later].map((time) => time.toFixed().padStart(8)).join('')
          print(`${name.padEnd(18)}${what.padEnd(14)}${cells}${ratio.toFixed(2).padStart(8)}`)
        } finally {
          for (const socket of attackers) socket.destroy()
          for (const agent of [old, fresh]) agent.destroy()
          await server.stop()
        }
      }
    return broken
  })
}

const agentOf = () => new Agent({ keepAlive: true, maxSockets: connections })
