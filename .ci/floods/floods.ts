import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { createHead, sendRequest, type Target } from './target.ts'

/** How the connections of a flood behave. */
export interface Client {
  /** Number of connections that are open at any time. */
  readonly count: number
  /** Reads no responses. */
  readonly isPaused?: boolean
  /** Time after which the flood closes a connection itself, by default never. */
  readonly lifetimeMs?: number
  /** Pause before a closed connection is opened again, by default 50 ms. */
  readonly returnMs?: number
  use(socket: Socket, index: number): void
  /** Returns what the clients saw and the server must not do. */
  findViolations?(): readonly string[]
}

export interface Flood {
  readonly title: string
  /** Flags of the standalone server. */
  readonly args?: readonly string[]
  /** Keys that were never used before are tried during the flood, each from another address. */
  readonly triesNewKeys?: boolean
  /** The flood uses up all connections, so the health check keeps one open. */
  readonly takesAllConnections?: boolean
  /** Maximum 99th percentile of other clients' response times, on the reference machine. */
  readonly maxP99Ms?: number
  /** Maximum CPU time of other requests, as a multiple of the time on a server that was not flooded. */
  readonly maxCost?: number
  /** Maximum resident memory in MiB. */
  readonly maxMemoryMiB?: number
  readonly prepare?: (target: Target) => Promise<void>
  start(target: Target, seconds: number): Client
}

export const floods: Readonly<Record<string, Flood>> = {
  pipelining: {
    title: '4 connections pipeline 64 KiB of requests without a key',
    maxP99Ms: 50,
    maxCost: 1.15,
    start: () => sendRepeatedly(createHead('GET /v1/pets').repeat(1_700)),
  },
  chunks: {
    title: '4 connections send bodies in one-byte chunks without a key',
    maxP99Ms: 50,
    maxCost: 1.15,
    start: () => sendRepeatedly(bodyInChunks),
  },
  unread: {
    title: '1,500 connections request 16 pages each and read nothing',
    maxMemoryMiB: 256 + 100, // a server without connections takes about 100
    // On Node 24, bodies of 30 kB take 1.2 to 1.4 times the CPU time, because V8 has made its young generation larger.
    // Lists take the same time.
    maxCost: 1.4,
    start: () => unread,
  },
  'unread-bodies': {
    title: '1,500 connections request 15 pages, send a body and read nothing',
    maxMemoryMiB: 256 + 100,
    start: () => ({ ...unread, use: (socket) => void socket.write(pagesAndBody) }),
  },
  'big-pages': {
    title: '50 connections request the largest lists and read late',
    prepare: createLongNames,
    start: listLongNames,
  },
  'cut-bodies': { title: 'a free key sends 58 unfinished bodies in one-byte segments', start: cutBodies },
  guessing: { title: 'one address guesses keys, 20 times correctly', start: guessKeys },
  addresses: {
    title: '100,000 addresses guess keys',
    args: ['--trust-proxy', '1'],
    triesNewKeys: true,
    start: guessFromManyAddresses,
  },
  idle: {
    title: '4,000 connections send nothing or half a head', // more than the server accepts by default
    takesAllConnections: true,
    start: () => idle,
  },
  slowloris: { title: '600 connections send one byte per second', start: dripRequests },
}

const chunked = 'Transfer-Encoding: chunked'
const bodyInChunks = createHead('POST /v1/pets', undefined, chunked) + '1\r\n \r\n'.repeat(11_000)

/** Sends the bytes on 4 connections, and again when the server closes one. */
function sendRepeatedly(bytes: string): Client {
  return { count: 4, returnMs: 0, use: (socket) => void socket.write(bytes) }
}

/** Requests without a response that the server allows on one connection. */
const maxPending = 16

const pagesWithoutKey = ['/docs', '/openapi.json', '/v1/pets'].map((target) =>
  createHead(`GET ${target}`).repeat(maxPending),
)
const pagesAndBody =
  createHead('GET /docs').repeat(maxPending - 1) +
  createHead('POST /v1/pets', undefined, 'Content-Length: 65000') +
  ' '.repeat(65_000)

/** Requests every page, and reads nothing. */
const unread: Client = {
  count: 1_500,
  isPaused: true,
  lifetimeMs: 35_000, // a client that does not read does not notice that the server has closed
  use: (socket, index) => void socket.write(pagesWithoutKey[index % pagesWithoutKey.length] ?? ''),
}

/** Creates 100 animals whose names are longest in JSON: 4 or 6 bytes for each character. */
async function createLongNames(target: Target): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const name = (i % 2 === 0 ? '\u{1f415}' : '\u0001').repeat(1_000)
    const body = JSON.stringify({ name, categoryId: 1 })
    await sendRequest(target, '/v1/pets', { method: 'POST', key: target.keys.flood, body })
  }
}

/** Starts to read in the second half of the flood. */
function listLongNames({ keys }: Target, seconds: number): Client {
  const readsFrom = performance.now() + seconds * 500
  const lists = createHead('GET /v1/pets?limit=100', keys.flood).repeat(maxPending)
  return {
    count: 50,
    isPaused: true,
    use(socket) {
      socket.write(lists)
      setTimeout(() => socket.resume(), readsFrom - performance.now())
    },
  }
}

/** Sends bodies in one-byte segments, never the last byte. */
function cutBodies({ keys }: Target): Client {
  const size = 65_000 // just below the maximum body size
  const post = createHead('POST /v1/pets', keys.bodies, `Content-Length: ${size + 1}`)
  return {
    count: 58, // just below a free key's 60 requests per minute
    use(socket) {
      let sent = 0
      const sendNext = () => {
        if (sent++ < size && !socket.destroyed) socket.write(' ', () => setImmediate(sendNext))
      }
      socket.setNoDelay().write(post, sendNext)
    },
  }
}

/** The server closes a connection with more pending requests. */
const batchSize = maxPending - 1
/** After this many responses, the client address is rate-limited. */
const responsesUntilLimited = 1_000

/** Sends a batch on each connection when the previous one has its responses. */
function sendBatches(
  count: number,
  nextBatch: () => readonly string[],
  onStatus?: (status: string) => void,
): Client {
  return {
    count,
    use(socket) {
      let due = 0
      let rest = ''
      const sendBatch = () => {
        const requests = nextBatch()
        due += requests.length
        socket.write(requests.join(''))
      }
      sendBatch()
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        const received = rest + chunk
        for (const [, status = ''] of received.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
          due--
          onStatus?.(status)
        }
        rest = received.slice(-'HTTP/1.1 20'.length) // a status line may be split between chunks
        if (due <= 0) sendBatch()
      })
    },
  }
}

const createGuess = () => randomBytes(24).toString('base64url')

/**
 * Guesses unknown keys, and mixes in a valid one from time to time. Limited addresses get no lookups, so nearly all
 * valid keys fail too.
 */
function guessKeys({ unused }: Target, seconds: number): Client {
  const right = [...unused]
  let [responses, served, isDue] = [0, 0, false]
  setInterval(
    () => {
      isDue = responses > responsesUntilLimited
    },
    (seconds * 1_000) / (unused.length + 2),
  )
  function nextBatch(): readonly string[] {
    const guesses = Array.from({ length: batchSize }, createGuess)
    if (isDue) guesses.push(right.pop() ?? '')
    isDue = false
    return guesses.map((key) => createHead('GET /v1/pets?limit=1', key))
  }
  function countResponse(status: string): void {
    responses++
    if (status === '200') served++
  }
  return {
    ...sendBatches(8, nextBatch, countResponse),
    findViolations() {
      const sent = unused.length - right.length
      if (sent === 0) return [`no correct guess was sent: only ${responses} responses arrived`]
      return served > 1 ? [`${served} of ${sent} correct guesses were served`] : [] // one may be looked up by chance
    },
  }
}

/** Number of addresses that the server counts individually. */
const addresses = 100_000

function guessFromManyAddresses(): Client {
  let sent = 0
  const guess = () => {
    const address = sent++ % addresses
    const from = `X-Forwarded-For: 198.${address >> 16}.${(address >> 8) & 255}.${address & 255}`
    return createHead('GET /v1/pets?limit=1', createGuess(), from)
  }
  return sendBatches(32, () => Array.from({ length: batchSize }, guess))
}

/** Half of the connections send nothing, the others half a head. */
const idle: Client = {
  count: 4_000,
  use(socket, index) {
    if (index % 2 === 0) socket.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Half:')
  },
}

/** Sends one byte, or one chunk, per second. */
function dripRequests({ keys }: Target): Client {
  const kinds = [
    { first: 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Slow: ', next: 'x' },
    { first: createHead('POST /v1/pets', keys.flood, 'Content-Length: 60000'), next: ' ' },
    { first: createHead('POST /v1/pets', keys.flood, chunked), next: '1\r\n \r\n' },
  ]
  return {
    count: 600,
    use(socket, index) {
      const { first, next } = kinds[index % kinds.length] ?? { first: '', next: '' }
      socket.setNoDelay().write(first)
      const dripping = setInterval(() => socket.write(next), 1_000)
      socket.on('close', () => clearInterval(dripping))
    },
  }
}
