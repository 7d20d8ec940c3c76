// Runs one flood in its own process. Arguments: the flood's name, its seconds, and the target as JSON.
import { connect } from 'node:net'
import { type Client, floods } from './floods.ts'
import type { Target } from './target.ts'

export interface Report {
  readonly connections: number
  /** What the flood itself saw and the server must not do. */
  readonly violations: readonly string[]
}

const [, , name = '', seconds = '', json = ''] = process.argv
const target: Target = JSON.parse(json)
let connections = 0

function join(client: Client, index: number): void {
  const socket = connect({ port: target.port, host: '127.0.0.1' })
  if (client.isPaused) socket.pause()
  else socket.resume()
  const leaving = client.lifetimeMs && setTimeout(() => socket.destroy(), client.lifetimeMs)
  socket.on('connect', () => {
    client.use(socket, index)
    if (++connections === 1) sendReport()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(leaving)
    setTimeout(join, client.returnMs ?? 50, client, index)
  })
}

function sendReport(): void {
  const report: Report = { connections, violations: client?.findViolations?.() ?? [] }
  process.send?.(report)
}

const client = floods[name]?.start(target, Number(seconds))
// Connections open over 1.5 seconds: if the backlog were full, the probes' SYN would wait for a second.
if (client) for (let index = 0; index < client.count; index++) setTimeout(join, index % 1_500, client, index)
process.on('message', sendReport)
process.on('disconnect', () => process.exit())
