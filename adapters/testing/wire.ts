import { once } from 'node:events'
import { connect as open, type Socket } from 'node:net'
import { joined, type Received, type Sent } from './exchange.ts'

/** An answer as it came over a connection. */
export interface WireResponse extends Received {
  readonly version: string
}

/** A connection, of which every byte that is sent is the test's own. */
export interface Wire {
  readonly socket: Socket
  write(data: string | Uint8Array): void
  /** The next answer; `method` is that of its request, since a HEAD's has no body. Undefined once the peer has closed. */
  read(method?: string): Promise<WireResponse | undefined>
  /** Whatever comes until the peer closes. */
  readAll(): Promise<readonly WireResponse[]>
  close(): void
}

/** Nothing in these tests takes so long: what has not come by then never will. */
const patienceMs = 10_000

export async function connect(port: number): Promise<Wire> {
  const socket = open({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('nothing came')))
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

  async function read(method?: string): Promise<WireResponse | undefined> {
    for (;;) {
      const found = parse(received, method)
      if (found) {
        received = received.subarray(found.length)
        return found.answer
      }
      if (failure && failure.message === 'nothing came') throw failure
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
    async readAll() {
      const all: WireResponse[] = []
      for (let answer = await read(); answer; answer = await read()) all.push(answer)
      return all
    },
    close: () => socket.destroy(),
  }
}

/** The bytes of a request, its `Content-Length` among them where it has a body. */
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

/** The head of a request, line by line. */
export function head(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Sends one request over a connection of its own. */
export async function exchange(port: number, sent: Sent): Promise<WireResponse> {
  const wire = await connect(port)
  try {
    wire.write(toBytes(sent))
    const answer = await wire.read(sent.method)
    if (!answer) throw new Error(`no answer to ${sent.method} ${sent.target}`)
    return answer
  } finally {
    wire.close()
  }
}

function parse(
  bytes: Buffer,
  method: string | undefined,
): { answer: WireResponse; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const [, version = '', status = ''] = /^HTTP\/(\d\.\d) (\d{3}) /.exec(first) ?? []
  if (!version) throw new Error(`no status line: ${first}`)
  const headers = joined(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
    }),
  )
  const hasBody = method !== 'HEAD' && Number(status) >= 200
  const start = headEnd + 4
  const end = start + (hasBody ? Number(headers.get('content-length') ?? 0) : 0)
  if (bytes.length < end) return undefined
  const text = bytes.toString('utf8', start, end)
  return { answer: { version, status: Number(status), headers, text }, length: end }
}
