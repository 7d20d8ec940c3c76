import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as open, type Socket } from 'node:net'
import { joined, type Received, type Sent } from './exchange.ts'

/** A connection whose every byte the test chooses. */
export interface Wire {
  readonly socket: Socket
  write(data: string | Uint8Array): void
  /**
   * Returns the next response; undefined once the peer has closed. To a `method` of HEAD it has no body. Rejects if the
   * peer ends its side within a response.
   */
  read(method?: string): Promise<Received | undefined>
  /** Writes this, and returns the next response. Rejects if the peer closes without one. */
  ask(data: string | Uint8Array, method?: string): Promise<Received>
  /** Returns all responses until the peer closes. */
  readAll(): Promise<readonly Received[]>
  close(): void
}

/** Longer than any response in these tests takes. */
const patienceMs = 10_000

/** Opens a connection to a port of this machine. `socket` is its socket, if it is not a plain one. */
export async function connect(
  port: number,
  socket: Socket = open({ port, host: '127.0.0.1', allowHalfOpen: true }),
): Promise<Wire> {
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('nothing arrived')))
  let received = Buffer.alloc(0)
  let ended = false
  let failure: Error | undefined
  let wake = () => {}
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  socket.on('error', (error) => {
    failure = error
  })
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      ended = true
      wake()
    })
  }
  await once(socket, 'connect')

  async function read(method?: string): Promise<Received | undefined> {
    for (;;) {
      const isHeadAtEnd = ended && received.indexOf('\r\n\r\n') === received.length - 4
      const found = parse(received, isHeadAtEnd ? 'HEAD' : method)
      if (found) {
        received = received.subarray(found.length)
        return found.response
      }
      if (failure && failure.message === 'nothing arrived') throw failure
      if (ended && !failure && received.length > 0) throw new Error(`no whole response: ${received}`)
      if (ended) return undefined
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  return {
    socket,
    write: (data) => void socket.write(data),
    read,
    async ask(data, method) {
      socket.write(data)
      return (await read(method)) ?? assert.fail(`no response to ${data}`)
    },
    async readAll() {
      const all: Received[] = []
      for (let next = await read(); next; next = await read()) all.push(next)
      return all
    },
    close: () => socket.destroy(),
  }
}

/** Returns the bytes of a request, with a `Content-Length` if it has a body. */
export function toBytes({ method = 'GET', target = '/v1/pets', headers = [], body = '' }: Sent): Uint8Array {
  const bytes = Buffer.from(body)
  const given = joined(headers)
  const framing = bytes.length > 0 && !given.has('content-length') && !given.has('transfer-encoding')
  const fields = [
    ...(given.has('host') ? [] : [['Host', 'pets.example']]),
    ...headers,
    ...(framing ? [['Content-Length', String(bytes.length)]] : []),
  ]
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1'), bytes])
}

/** Returns the head of a request with these lines. */
export function head(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Sends one request over a connection of its own. */
export async function exchange(port: number, sent: Sent): Promise<Received> {
  const wire = await connect(port)
  try {
    return await wire.ask(toBytes(sent), sent.method)
  } finally {
    wire.close()
  }
}

/**
 * Returns the first response of these bytes and its length; undefined if it is incomplete. A response to a HEAD is also
 * recognised by the next response, because no JSON begins with HTTP/1.
 */
export function parse(bytes: Buffer, method?: string): { response: Received; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const [, status] = /^HTTP\/\d\.\d (\d{3}) /.exec(first) ?? []
  if (!status) throw new Error(`no status line: ${first}`)
  const headers = joined(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
    }),
  )
  const start = headEnd + 4
  const isBodiless =
    method === 'HEAD' || Number(status) < 200 || bytes.toString('latin1', start, start + 7) === 'HTTP/1.'
  const end = start + (isBodiless ? 0 : Number(headers.get('content-length') ?? 0))
  if (bytes.length < end) return undefined
  const text = bytes.toString('utf8', start, end)
  return { response: { status: Number(status), headers, text }, length: end }
}
