import { createServer, type Socket } from 'node:net'
import { startServer, type TestServer } from '../servers.ts'
import type { Handler } from './deployment.ts'
import { createJsonResponse } from './exchange.ts'
import type { Json } from './json.ts'
import { listFamilyIds } from './variant.ts'

/** The expected result of a run. */
export interface ExpectedResult {
  /** What the server does, as the end of a test name. */
  readonly does: string
  /** IDs of the rules that pass. */
  readonly passes: readonly string[]
  readonly exit: 1 | 3
}

/** A degenerate server: one that treats every request in the same way. */
export interface DegenerateServer extends ExpectedResult {
  readonly handler: Handler
}

/** A degenerate server that needs a raw socket. */
export interface DegenerateSocket extends ExpectedResult {
  /** Called once per connection, after the first bytes. */
  readonly serve: (socket: Socket) => void
  /** Set if the suite must wait for its timeout. */
  readonly hangs?: true
}

type Headers = Readonly<Record<string, string>>

const respondWithText =
  (status: number, body: string, headers: Headers = {}): Handler =>
  async () =>
    new Response(body, { status, headers })

const respondWithJson = (status: number, body: Json, headers: Headers = {}): Handler => {
  const response = createJsonResponse(status, body)
  return respondWithText(status, response.body, { ...response.headers, ...headers })
}

const respondWithError = (status: number, headers: Headers = {}): Handler =>
  respondWithJson(status, { code: 'always', message: 'Always.', status: BigInt(status) }, headers)

const limitHeaders: Headers = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '60',
  'x-ratelimit-reset': String(Date.UTC(2026, 10, 20, 12, 1) / 1000),
}
const pet: Json = { id: 1n, name: 'Ada', categoryId: 1n }

const no5xxRules = ['ERR-6']
const status200Rules = [...no5xxRules, 'LIST-1']
const jsonTypeRules = ['LIST-2', 'GET-10', 'CREATE-25']
const arrayRules = ['VER-1', 'AUTH-9', 'AUTH-11', ...status200Rules, ...jsonTypeRules, 'LIST-3']
const errorRules = listFamilyIds('ERR', 1, 2, 3, 4, 5)
const limitHeaderRules = listFamilyIds('RATE', 1, 2, 3, 4, 5, 6)

/** The servers, with the rules that pass and the exit code. */
const serverTable: Readonly<
  Record<string, readonly [handler: Handler, passes: readonly string[], exit?: 1 | 3]>
> = {
  'returns an empty object for every request': [
    respondWithJson(200, {}),
    [...status200Rules, ...jsonTypeRules],
  ],
  'returns an empty array for every request': [respondWithJson(200, []), arrayRules],
  'returns the same list for every request': [
    respondWithJson(200, [pet]),
    [...arrayRules, ...listFamilyIds('LIST', 4, 6, 9, 10, 11, 19)],
  ],
  'returns 201 with the same animal for every request': [
    respondWithJson(201, pet),
    [...no5xxRules, ...jsonTypeRules, ...listFamilyIds('CREATE', 1, 2, 4, 5, 23)],
  ],
  'returns 401 with an Error and all headers': [
    respondWithError(401, { ...limitHeaders, 'www-authenticate': 'Bearer' }),
    [
      ...listFamilyIds('AUTH', 1, 2, 3, 4, 5, 6, 8, 10, 13, 14),
      ...no5xxRules,
      ...errorRules,
      ...limitHeaderRules,
    ],
    3,
  ],
  'returns 404 with the rate-limit headers for every request': [
    respondWithError(404, limitHeaders),
    [...no5xxRules, ...errorRules, ...limitHeaderRules, 'ERR-7'],
  ],
  'returns 429 with an Error for every request': [respondWithError(429, { 'retry-after': '60' }), []],
  'returns 500 for every request': [respondWithError(500), errorRules],
  'returns an HTML page for every request': [
    respondWithText(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }),
    status200Rules,
  ],
  'redirects every request to the same URL': [respondWithText(302, '', { location: '/v1/pets' }), no5xxRules],
}

export const degenerateServers: readonly DegenerateServer[] = Object.entries(serverTable).map(
  ([does, [handler, passes, exit = 1]]): DegenerateServer => ({ does, handler, passes, exit }),
)

const writeResponseHead = (length: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
const blankBytes = Buffer.alloc(1_000_000, ' ')

/** Writes without end, as fast as the client reads. */
const writeBlanks = (socket: Socket): void => {
  while (!socket.destroyed)
    if (!socket.write(blankBytes)) return void socket.once('drain', () => writeBlanks(socket))
}

export const degenerateSockets: readonly DegenerateSocket[] = [
  { does: 'resets every connection', serve: (socket) => socket.resetAndDestroy(), passes: [], exit: 3 },
  { does: 'never sends a response', hangs: true, serve: () => {}, passes: [], exit: 3 },
  {
    does: 'sends an SSH banner instead of HTTP',
    serve: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    passes: [],
    exit: 3,
  },
  {
    does: 'sends fewer bytes than its Content-Length',
    serve: (socket) => socket.end(`${writeResponseHead('Content-Length: 1000')}[]`),
    passes: [],
    exit: 3,
  },
  {
    does: 'sends an endless response body',
    serve: (socket) => {
      socket.write(writeResponseHead('Connection: close'))
      writeBlanks(socket)
    },
    // The body is truncated, but its status was received.
    passes: status200Rules,
    exit: 1,
  },
]

export interface ListeningServer extends TestServer {
  requests(): number
  bytesSent(): number
}

/** Starts a server and counts its requests and bytes. */
export async function listenOnSocket({ serve }: Pick<DegenerateSocket, 'serve'>): Promise<ListeningServer> {
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
    ...(await startServer(server)),
    requests: () => requests,
    bytesSent: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
  }
}
