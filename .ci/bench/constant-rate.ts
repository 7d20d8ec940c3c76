import { connect, type Socket } from 'node:net'
import { requestHeaders } from './load.ts'

/**
 * Sends GET requests at a constant rate, and prints the latencies as a line of JSON. A latency starts when the request is due,
 * even if no connection is free then: a server that stalls cannot hide the requests that wait for it. The loop spins,
 * because a timer would send the requests of each millisecond in one burst.
 */
const [origin = '', target = '', rate = 0, seconds = 0, connections = 0] = process.argv
  .slice(2)
  .map((text, i) => (i < 2 ? text : Number(text))) as [string, string, number, number, number] // what `sendAtConstantRate` passes

const url = new URL(origin)
const fields = Object.entries({ Host: url.host, ...requestHeaders }).map(
  ([name, value]) => `${name}: ${value}\r\n`,
)
const request = Buffer.from(`GET ${target} HTTP/1.1\r\n${fields.join('')}\r\n`)

const idle: Connection[] = []
const waiting: number[] = []
const latencies: number[] = []
let failures = 0

/** A connection with at most one pending request. */
class Connection {
  readonly #socket: Socket
  #due = 0
  /** The bytes of the response still to be received; undefined before the head. */
  #left: number | undefined

  constructor() {
    this.#socket = connect(Number(url.port), url.hostname, () => this.#proceed())
    this.#socket.setNoDelay().on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#socket.on('error', () => failures++).on('close', () => failures++)
  }

  send(due: number): void {
    this.#due = due
    this.#left = undefined
    this.#socket.write(request)
  }

  /** Assumes that a head arrives in one chunk: the responses are small, and each is written at once. */
  #receive(chunk: Buffer): void {
    if (this.#left === undefined) {
      const end = chunk.indexOf('\r\n\r\n')
      const head = chunk.toString('latin1', 0, end)
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
      if (end < 0 || length === undefined || !head.startsWith('HTTP/1.1 200 ')) failures++
      this.#left = end + 4 + Number(length)
    }
    this.#left -= chunk.length
    if (this.#left > 0) return
    latencies.push(performance.now() - this.#due)
    this.#proceed()
  }

  #proceed(): void {
    const due = waiting.shift()
    if (due === undefined) idle.push(this)
    else this.send(due)
  }
}

for (let i = 0; i < connections; i++) new Connection()
const begin = performance.now() + 500
let sent = 0

function tick(): void {
  const now = performance.now()
  for (let due = begin + (sent / rate) * 1000; due <= now; due = begin + (++sent / rate) * 1000) {
    const connection = idle.pop()
    if (connection) connection.send(due)
    else waiting.push(due)
  }
  if (now < begin + seconds * 1000) setImmediate(tick)
  else finish()
}

function finish(): void {
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)]
  const result = { requests: latencies.length, seconds, p50: at(0.5), p99: at(0.99), failures }
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit())
}

tick()
