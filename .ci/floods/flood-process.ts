// The process of one flood, with the arguments NAME SECONDS TARGET. It starts the flood, sends a report once it has a
// connection and for each message, and ends with its parent.
import { connect } from 'node:net'
import { type Client, floods } from './floods.ts'
import type { Target } from './target.ts'

/** The outcome of a flood so far. */
export interface Report {
  readonly connections: number
  /** The broken promises that its clients saw. */
  readonly violations: readonly string[]
}

/** Time after which a disconnected client connects again, in milliseconds. */
const returnMs = 50

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
    setTimeout(join, returnMs, client, index)
  })
}

function sendReport(): void {
  const report: Report = { connections, violations: findViolations?.() ?? [] }
  process.send?.(report)
}

const { client, findViolations } = floods[name]?.start(target, Number(seconds)) ?? {}
if (client) for (let index = 0; index < client.count; index++) join(client, index)
process.on('message', sendReport)
process.on('disconnect', () => process.exit())
