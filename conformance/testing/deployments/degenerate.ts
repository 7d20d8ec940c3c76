import { createServer, type Socket } from 'node:net'
import { started, type TestServer } from '../servers.ts'
import type { Handler } from './deployment.ts'
import { jsonResponse } from './exchange.ts'
import type { Json } from './json.ts'
import { idsIn } from './variant.ts'

/** The expected result of a run against a server that is not a deployment of the interface. */
export interface Expected {
  /** The behaviour of the server, as the rest of a sentence that begins with "a server that". */
  readonly does: string
  /** The rules that pass nevertheless. */
  readonly passes: readonly string[]
  /** The exit code of the run. */
  readonly exit: 1 | 3
}

/** A server that a handler in the same process represents. */
export interface Degenerate extends Expected {
  readonly handler: Handler
}

/** A server that violates HTTP, or that never finishes a response: it needs the socket itself. */
export interface DegenerateSocket extends Expected {
  /** Handles a connection after a request has arrived. */
  readonly serve: (socket: Socket) => void
  /** Set if a request runs into its timeout. */
  readonly hangs?: true
}

type Headers = Readonly<Record<string, string>>

const text =
  (status: number, body: string, headers: Headers = {}): Handler =>
  async () =>
    new Response(body, { status, headers })

const json = (status: number, body: Json, headers: Headers = {}): Handler => {
  const response = jsonResponse(status, body)
  return text(status, response.body, { ...response.headers, ...headers })
}

/** Returns the same well-formed Error every time. */
const error = (status: number, headers: Headers = {}): Handler =>
  json(status, { code: 'always', message: 'Always.', status: BigInt(status) }, headers)

/** The headers of a limit that has not been used. */
const limits: Headers = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '60',
  'x-ratelimit-reset': String(Date.UTC(2026, 10, 20, 12, 1) / 1000),
}
const pet: Json = { id: 1n, name: 'Ada', categoryId: 1n }

const no5xx = ['ERR-6']
const status200 = [...no5xx, 'LIST-1']
const jsonTypes = ['LIST-2', 'GET-10', 'CREATE-25']
const arrays = ['VER-1', 'AUTH-9', 'AUTH-11', ...status200, ...jsonTypes, 'LIST-3']
const errors = idsIn('ERR', 1, 2, 3, 4, 5)
const limitsShown = idsIn('RATE', 1, 2, 3, 4, 5, 6)

/** Servers by what they do: the handler, the rules that pass, and the exit code if it is not 1. */
const table: Readonly<Record<string, readonly [handler: Handler, passes: readonly string[], exit?: 1 | 3]>> =
  {
    'returns {}': [json(200, {}), [...status200, ...jsonTypes]],
    'returns []': [json(200, []), arrays],
    'returns the same list': [json(200, [pet]), [...arrays, ...idsIn('LIST', 4, 6, 9, 10, 11, 19)]],
    'returns 201 with an animal': [
      json(201, pet),
      [...no5xx, ...jsonTypes, ...idsIn('CREATE', 1, 2, 4, 5, 23)],
    ],
    'returns 401 with an Error and every header': [
      error(401, { ...limits, 'www-authenticate': 'Bearer' }),
      [...idsIn('AUTH', 1, 2, 3, 4, 5, 6, 8, 10, 13, 14), ...no5xx, ...errors, ...limitsShown],
      3,
    ],
    'returns 404 with the rate-limit headers': [
      error(404, limits),
      [...no5xx, ...errors, ...limitsShown, 'ERR-7'],
    ],
    'returns 429 with an Error': [error(429, { 'retry-after': '60' }), []],
    'returns 500': [error(500), errors],
    'returns an HTML page': [text(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }), status200],
    'redirects to itself': [text(302, '', { location: '/v1/pets' }), no5xx],
  }

/** Servers that send the same response to every request. */
export const degenerate: readonly Degenerate[] = Object.entries(table).map(
  ([does, [handler, passes, exit = 1]]): Degenerate => ({ does, handler, passes, exit }),
)

const head = (length: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
/** A megabyte of white space, which may precede a JSON text. */
const blanks = Buffer.alloc(1_000_000, ' ')

/** Writes white space until the client closes the connection; respects backpressure. */
const writeBlanks = (socket: Socket): void => {
  while (!socket.destroyed)
    if (!socket.write(blanks)) return void socket.once('drain', () => writeBlanks(socket))
}

/** Servers that a handler in the same process cannot represent. */
export const degenerateSockets: readonly DegenerateSocket[] = [
  { does: 'resets every connection', serve: (socket) => socket.resetAndDestroy(), passes: [], exit: 3 },
  { does: 'never responds', hangs: true, serve: () => {}, passes: [], exit: 3 },
  {
    does: 'does not speak HTTP',
    serve: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    passes: [],
    exit: 3,
  },
  {
    does: 'sends less of a body than its Content-Length',
    serve: (socket) => socket.end(`${head('Content-Length: 1000')}[]`),
    passes: [],
    exit: 3,
  },
  {
    does: 'never ends a body',
    serve: (socket) => {
      socket.write(head('Connection: close'))
      writeBlanks(socket)
    },
    // a status, without rate-limit headers
    passes: status200,
    exit: 1,
  },
]

/** A degenerate server on a free port of this machine. */
export interface Listening extends TestServer {
  /** The number of connections that have sent a request. */
  requests(): number
  /** The number of bytes sent. */
  bytesSent(): number
}

/** Starts a degenerate server. */
export async function listen({ serve }: Pick<DegenerateSocket, 'serve'>): Promise<Listening> {
  const sockets: Socket[] = []
  let requests = 0
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.once('data', () => {
      requests += 1
      serve(socket)
    })
  })
  return {
    ...(await started(server)),
    requests: () => requests,
    bytesSent: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
  }
}
