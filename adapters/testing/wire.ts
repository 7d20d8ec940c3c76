import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as open, type Socket } from 'node:net'
import { joinFields, type SentRequest, type TestResponse } from './exchange.ts'

/** A connection that sends raw bytes and parses HTTP responses. */
export interface Wire {
  readonly socket: Socket
  write(data: string | Uint8Array): void
  /**
   * Reads the next response, or returns `undefined` if the server closes the connection. `method` is the request
   * method. Rejects if a response is incomplete.
   */
  read(method?: string): Promise<TestResponse | undefined>
  /** Writes data and reads the next response. Rejects if there is none. */
  ask(data: string | Uint8Array, method?: string): Promise<TestResponse>
  /** Reads all responses until the server closes the connection. */
  readAll(): Promise<readonly TestResponse[]>
  close(): void
}

/** How long a connection may be idle before it fails, in milliseconds. */
const idleTimeoutMs = 10_000

/** Connects to a local port. Pass a socket for other connections. */
export async function connect(
  port: number,
  socket: Socket = open({ port, host: '127.0.0.1', allowHalfOpen: true }),
): Promise<Wire> {
  socket.setTimeout(idleTimeoutMs, () => socket.destroy(new Error('no data arrived before the timeout')))
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

  async function read(method?: string): Promise<TestResponse | undefined> {
    for (;;) {
      const isHeadAtEnd = ended && received.indexOf('\r\n\r\n') === received.length - 4
      const parsedResponse = parseResponse(received, isHeadAtEnd ? 'HEAD' : method)
      if (parsedResponse) {
        received = received.subarray(parsedResponse.length)
        return parsedResponse.response
      }
      if (failure && failure.message === 'no data arrived before the timeout') throw failure
      if (ended && !failure && received.length > 0) throw new Error(`incomplete response: ${received}`)
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
      return (await read(method)) ?? assert.fail(`no response to: ${data}`)
    },
    async readAll() {
      const allResponses: TestResponse[] = []
      for (let next = await read(); next; next = await read()) allResponses.push(next)
      return allResponses
    },
    close: () => socket.destroy(),
  }
}

/** Formats a request. `Host` and `Content-Length` are added if they are missing. */
export function formatRequest({
  method = 'GET',
  target = '/v1/pets',
  headers = [],
  body = '',
}: SentRequest): Uint8Array {
  const bytes = Buffer.from(body)
  const givenFields = joinFields(headers)
  const needsLength =
    bytes.length > 0 && !givenFields.has('content-length') && !givenFields.has('transfer-encoding')
  const fields = [
    ...(givenFields.has('host') ? [] : [['Host', 'pets.example']]),
    ...headers,
    ...(needsLength ? [['Content-Length', String(bytes.length)]] : []),
  ]
  const requestHead = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${requestHead}\r\n`, 'latin1'), bytes])
}

/** Joins the lines in a request head. */
export function formatHead(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Sends a single request on its own connection. */
export async function exchange(port: number, sent: SentRequest): Promise<TestResponse> {
  const wire = await connect(port)
  try {
    return await wire.ask(formatRequest(sent), sent.method)
  } finally {
    wire.close()
  }
}

/**
 * Parses the first response in these bytes. Returns `undefined` if it is incomplete. A response to HEAD is also
 * recognized by the response that follows, because no JSON begins with `HTTP/1.`.
 */
export function parseResponse(
  bytes: Buffer,
  method?: string,
): { response: TestResponse; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const [, status] = /^HTTP\/\d\.\d (\d{3}) /.exec(first) ?? []
  if (!status) throw new Error(`invalid status line: ${first}`)
  const headers = joinFields(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
    }),
  )
  const bodyStart = headEnd + 4
  const isBodiless =
    method === 'HEAD' ||
    Number(status) < 200 ||
    bytes.toString('latin1', bodyStart, bodyStart + 7) === 'HTTP/1.'
  const bodyEnd = bodyStart + (isBodiless ? 0 : Number(headers.get('content-length') ?? 0))
  if (bytes.length < bodyEnd) return undefined
  const bodyText = bytes.toString('utf8', bodyStart, bodyEnd)
  return { response: { status: Number(status), headers, text: bodyText }, length: bodyEnd }
}
