import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { createAnimals, head, type Target } from './target.ts'

/** A kind of hostile client. */
export interface Client {
  /** Number of clients of this kind that are connected at any time. */
  readonly count: number
  /** Set if the client reads only once `use` resumes the socket. */
  readonly isPaused?: boolean
  /** After how long the client connects again, in milliseconds. By default it waits until the server closes. */
  readonly lifetimeMs?: number
  /** Called once for each new connection. `index` is from 0 to `count` - 1. */
  use(socket: Socket, index: number): void
}

/** One way to attack a server. */
export interface Flood {
  /** Describes its clients in a few words. */
  readonly title: string
  /** Further arguments of the server. */
  readonly args?: readonly string[]
  /** Set if right keys that no request has used are tried meanwhile, each from an address of its own. */
  readonly triesNewKeys?: boolean
  /** Set if the flood occupies all connections: the server must only serve clients that are connected already. */
  readonly takesAllConnections?: boolean
  /** Creates on the server what the flood needs, such as animals. */
  readonly prepare?: (target: Target) => Promise<void>
  /** Returns its clients, and a function that returns the broken promises that they have seen. */
  start(target: Target, seconds: number): { client: Client; findViolations?: () => readonly string[] }
}

/** Every flood by its name. */
export const floods: Readonly<Record<string, Flood>> = {
  unread: {
    title: '200 x 2,000 requests without a key, no response read',
    start: () => ({ client: pipelining }),
  },
  'big-pages': {
    title: '50 x 64 lists of 100 longest names, read late',
    prepare: (target) => createAnimals(target, ...longNames),
    start: listLongNames,
  },
  'cut-bodies': { title: '58 unfinished bodies of one free key, byte by byte', start: cutBodies },
  guessing: { title: 'key guessing at full speed, 20 guesses right', start: guess },
  addresses: {
    title: 'key guessing from 100,000 addresses',
    args: ['--trust-proxy', '1'],
    triesNewKeys: true,
    start: guessFromEverywhere,
  },
  idle: {
    title: '4,000 connections, silent or with half a head', // more than the server accepts by default
    takesAllConnections: true,
    start: () => ({ client: idle }),
  },
  slowloris: { title: '600 heads and bodies, a byte a second', start: dripRequests },
}

const pagesWithoutKey = ['/docs', '/openapi.json', '/v1/pets'].map((target) =>
  head(`GET ${target}`).repeat(2_000),
)

/** Clients that send 2,000 requests at once, which is more than a connection may have without a response. */
const pipelining: Client = {
  count: 200,
  isPaused: true,
  lifetimeMs: 35_000, // a client that does not read does not see that the server has closed
  use: (socket, index) => void socket.write(pagesWithoutKey[index % pagesWithoutKey.length] ?? ''),
}

/** The names with the most bytes of JSON, four and six for a character. */
const longNames = ['\u{1f415}'.repeat(1_000), '\u0001'.repeat(1_000)]

/** Clients with a key that send as many requests as a connection may have, and read only after half of the time. */
function listLongNames({ keys }: Target, seconds: number): { client: Client } {
  const readsFrom = performance.now() + seconds * 500
  const lists = head('GET /v1/pets?limit=100', keys.flood).repeat(64)
  return {
    client: {
      count: 50,
      isPaused: true,
      use(socket) {
        socket.write(lists)
        setTimeout(() => socket.resume(), readsFrom - performance.now())
      },
    },
  }
}

/** Clients with one free key that send a body byte by byte, in chunks or in segments, and never its end. */
function cutBodies({ keys }: Target): { client: Client } {
  const size = 65_000 // less than the maximum, so that no body ends
  const post = (framing: string) => head('POST /v1/pets', keys.bodies, framing)
  const chunked = post('Transfer-Encoding: chunked') + '1\r\n \r\n'.repeat(size)
  return {
    client: {
      count: 58, // two less than the requests of a free key in a minute
      use(socket, index) {
        if (index % 2 === 0) {
          socket.write(chunked)
          return
        }
        let sent = 0
        const sendNext = () => {
          if (sent++ < size && !socket.destroyed) socket.write(' ', () => setImmediate(sendNext))
        }
        socket.setNoDelay().write(post(`Content-Length: ${size + 1}`), sendNext)
      },
    },
  }
}

/** Number of guesses that one connection sends at once: one less than it may have without a response. */
const batch = 63
/** After how many responses the address is certainly limited. */
const untilLimited = 1_000

/** Clients that send a batch of requests when all of the last one have responses, which `onStatus` receives. */
function sendBatches(
  count: number,
  nextBatch: () => readonly string[],
  onStatus: (status: string) => void,
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
          onStatus(status)
        }
        rest = received.slice(-'HTTP/1.1 20'.length) // too short for a second match
        if (due <= 0) sendBatch()
      })
    },
  }
}

const guessed = () => randomBytes(24).toString('base64url')

/** Clients that guess keys from the address of the well-behaved clients. Some guesses are right. */
function guess({ unused }: Target, seconds: number): ReturnType<Flood['start']> {
  const right = [...unused]
  let [responses, served, isDue] = [0, 0, false]
  setInterval(
    () => {
      isDue = responses > untilLimited
    },
    (seconds * 1_000) / (unused.length + 2),
  )
  function nextBatch(): readonly string[] {
    const guesses = Array.from({ length: batch }, guessed)
    if (isDue) guesses.push(right.pop() ?? '')
    isDue = false
    return guesses.map((key) => head('GET /v1/pets?limit=1', key))
  }
  return {
    client: sendBatches(8, nextBatch, (status) => {
      responses++
      if (status === '200') served++
    }),
    findViolations() {
      const sent = unused.length - right.length
      if (sent === 0) return [`no right guess was sent: only ${responses} responses arrived`]
      return served > 1 ? [`${served} of ${sent} right guesses were served`] : [] // one may be looked up by chance
    },
  }
}

/** Number of addresses: the number that the server counts one by one. */
const addresses = 100_000

/** Clients behind a proxy that guess keys. */
function guessFromEverywhere(): { client: Client } {
  let sent = 0
  const guess = () => {
    const address = sent++ % addresses
    const from = `X-Forwarded-For: 198.${address >> 16}.${(address >> 8) & 255}.${address & 255}`
    return head('GET /v1/pets?limit=1', guessed(), from)
  }
  return {
    client: sendBatches(
      32,
      () => Array.from({ length: batch }, guess),
      () => {},
    ),
  }
}

/** Clients that connect: half of them send nothing, the others half of a head. */
const idle: Client = {
  count: 4_000,
  use(socket, index) {
    if (index % 2 === 0) socket.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Half:')
  },
}

/** Clients that send a head or a body at a byte a second. */
function dripRequests({ keys }: Target): { client: Client } {
  const kinds = [
    { first: 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Slow: ', next: 'x' },
    { first: head('POST /v1/pets', keys.flood, 'Content-Length: 60000'), next: ' ' },
    { first: head('POST /v1/pets', keys.flood, 'Transfer-Encoding: chunked'), next: '1\r\n \r\n' },
  ]
  return {
    client: {
      count: 600,
      use(socket, index) {
        const { first, next } = kinds[index % kinds.length] ?? { first: '', next: '' }
        socket.setNoDelay().write(first)
        const dripping = setInterval(() => socket.write(next), 1_000)
        socket.on('close', () => clearInterval(dripping))
      },
    },
  }
}
