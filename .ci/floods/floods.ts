import { randomBytes } from 'node:crypto'
import type { Crowd } from './crowd.ts'
import { createAnimal, head, type Target } from './target.ts'

/** One way to attack a server. */
export interface Flood {
  /** Describes its clients in a few words. */
  readonly title: string
  /** Limit of descriptors of the server; the limit of the system by default. */
  readonly descriptors?: number
  /** Further arguments of the server. */
  readonly args?: readonly string[]
  /** Set if right keys that no request has used are tried meanwhile, each from an address of its own. */
  readonly triesNewKeys?: boolean
  /** Set if the flood occupies all connections: the server must only serve clients that are connected already. */
  readonly takesAllConnections?: boolean
  /** Set if the server must log a warning. */
  readonly isLogged?: boolean
  /** Creates on the server what the flood needs, such as animals. */
  readonly prepare?: (target: Target) => Promise<void>
  /** Starts the flood. A function that it returns returns the broken promises that its clients have seen. */
  start(target: Target, crowd: Crowd): undefined | (() => readonly string[])
}

/** Every flood by its name. */
export const floods: Readonly<Record<string, Flood>> = {
  unread: {
    title: '200 x 2,000 requests, no response read',
    start: (_target, crowd) => pipelining(crowd, 'nothing', pagesWithoutKey),
  },
  drip: {
    title: '200 x 2,000 requests, read a byte a second',
    start: (_target, crowd) => pipelining(crowd, 'a byte a second', pagesWithoutKey),
  },
  'big-pages': {
    title: '64 lists of 100 long names, on 1 and on 50 connections, read late',
    async prepare(target) {
      for (let i = 0; i < 100; i++) await createAnimal(target, longNames[i % 2])
    },
    start: listLongNames,
  },
  'long-names': {
    title: '200 x 2,000 lists of 100 longest names, no response read',
    async prepare(target) {
      for (let i = 0; i < 100; i++) await createAnimal(target, longNames[1])
    },
    start: ({ keys }, crowd) =>
      pipelining(crowd, 'nothing', [head('GET /v1/pets?limit=100', keys.morePages)]),
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
    start: (_target, crowd) => connect(crowd, 4_000),
  },
  'few-descriptors': {
    title: '600 such connections, 256 descriptors',
    descriptors: 256,
    isLogged: true,
    takesAllConnections: true,
    start: (_target, crowd) => connect(crowd, 600),
  },
  slowloris: { title: '600 heads and bodies, a byte a second', start: dripRequests },
  garbage: { title: '120 connections of garbage, CONNECT, bad framing', start: sendGarbage },
}

const pagesWithoutKey = ['/docs', '/openapi.json', '/v1/pets'].map((target) => head(`GET ${target}`))

/** Clients that send 2,000 requests at once, each client one of `requests`, and hardly read. */
function pipelining(
  crowd: Crowd,
  reads: 'nothing' | 'a byte a second',
  requests: readonly string[],
): undefined {
  const pipelines = requests.map((request) => Buffer.from(request.repeat(2_000)))
  crowd.join({
    count: 200,
    reads,
    lifetimeMs: 35_000, // a client that does not read does not see that the server has closed
    use: (socket, index) => void socket.write(pipelines[index % requests.length] ?? ''),
  })
}

/** The names with the most bytes of JSON, four and six for a character, for every other animal. */
const longNames = ['\u{1f415}'.repeat(1_000), '\u0001'.repeat(1_000)]

/** Clients with a key that list 100 animals with the longest names, and read only after half of the time. */
function listLongNames({ keys, seconds }: Target, crowd: Crowd): undefined {
  const readsFrom = performance.now() + seconds * 500
  for (const [count, key] of [
    [1, keys.pages],
    [50, keys.morePages],
  ] as const) {
    const pipeline = Buffer.from(head('GET /v1/pets?limit=100', key).repeat(64))
    crowd.join({
      count,
      reads: 'nothing',
      use(socket) {
        socket.write(pipeline)
        setTimeout(() => socket.resume(), readsFrom - performance.now())
      },
    })
  }
}

/** Clients with one free key that send a body byte by byte, in chunks or in segments, and never its end. */
function cutBodies({ keys }: Target, crowd: Crowd): undefined {
  const size = 65_000 // less than the maximum, so that no body ends
  const post = (framing: string) => head('POST /v1/pets', keys.bodies, framing)
  const chunked = Buffer.from(post('Transfer-Encoding: chunked') + '1\r\n \r\n'.repeat(size))
  crowd.join({
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
  })
}

/** Number of guesses that one connection sends at once: one less than it may have without a response. */
const batch = 63
/** After how many responses the address is certainly limited. */
const untilLimited = 1_000

/** Clients that send a batch of requests when all of the last one have responses, which `onResponses` counts. */
function sendBatches(
  crowd: Crowd,
  count: number,
  nextBatch: () => readonly string[],
  onResponses: (count: number, served: number) => void = () => {},
): void {
  crowd.join({
    count,
    use(socket) {
      const [statuses, successes] = [createCounter('HTTP/1.1 '), createCounter('HTTP/1.1 200')]
      let due = 0
      const sendBatch = () => {
        const requests = nextBatch()
        due += requests.length
        socket.write(requests.join(''))
      }
      sendBatch()
      socket.on('data', (chunk) => {
        const responses = statuses(chunk)
        onResponses(responses, successes(chunk))
        due -= responses
        if (due <= 0) sendBatch()
      })
    },
  })
}

const guessed = () => randomBytes(24).toString('base64url')

/** Clients that guess keys from the address of the well-behaved clients. Some guesses are right. */
function guess({ unused, seconds }: Target, crowd: Crowd): () => readonly string[] {
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
  sendBatches(crowd, 8, nextBatch, (more, moreServed) => {
    responses += more
    served += moreServed
  })
  return () => {
    const sent = unused.length - right.length
    if (sent === 0) return [`no right guess was sent: only ${responses} responses arrived`]
    return served > 1 ? [`${served} of ${sent} right guesses were served`] : [] // one may be looked up by chance
  }
}

/** Number of addresses: the number that the server counts one by one. */
const addresses = 100_000

/** Clients behind a proxy that guess keys. */
function guessFromEverywhere(_target: Target, crowd: Crowd): undefined {
  let sent = 0
  const guess = () => {
    const address = sent++ % addresses
    const from = `X-Forwarded-For: 198.${address >> 16}.${(address >> 8) & 255}.${address & 255}`
    return head('GET /v1/pets?limit=1', guessed(), from)
  }
  sendBatches(crowd, 32, () => Array.from({ length: batch }, guess))
}

/** Clients that connect: half of them send nothing, the others half of a head. */
function connect(crowd: Crowd, count: number): undefined {
  crowd.join({
    count,
    use(socket, index) {
      if (index % 2 === 0) socket.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Half:')
    },
  })
}

/** Clients that send a head or a body at a byte a second. */
function dripRequests({ keys }: Target, crowd: Crowd): undefined {
  const kinds = [
    { first: 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Slow: ', next: 'x' },
    { first: head('POST /v1/pets', keys.slow, 'Content-Length: 60000'), next: ' ' },
    { first: head('POST /v1/pets', keys.slow, 'Transfer-Encoding: chunked'), next: '1\r\n \r\n' },
  ]
  crowd.join({
    count: 600,
    use(socket, index) {
      const { first, next } = kinds[index % kinds.length] ?? { first: '', next: '' }
      socket.setNoDelay().write(first)
      const dripping = setInterval(() => socket.write(next), 1_000)
      socket.on('close', () => clearInterval(dripping))
    },
  })
}

/** Bytes that do not form a request, and requests that a server must handle with care. */
const messages: readonly (() => string | Uint8Array)[] = [
  () => randomBytes(4_096),
  () => Buffer.from('16030100f8010000f40303', 'hex'), // the start of a TLS handshake
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
  () => 'POST /v1/pets HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
  () => head('GET /v1/pets', undefined, ...new Array<string>(8_000).fill('a:')),
  () => head('GET /v1/pets', undefined, 'Connection: Upgrade', 'Upgrade: websocket'),
  () => head('POST /v1/pets', undefined, 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  () => head('POST /v1/pets', undefined, 'Content-Length: -1'),
  () => head('POST /v1/pets', undefined, 'Expect: 100-continue', 'Content-Length: 60000'),
  () => head(`GET /${'a'.repeat(100_000)}`),
  () => '\r\n'.repeat(30_000),
]

/** Clients that send such messages again and again. Half of them disconnect immediately. */
function sendGarbage(_target: Target, crowd: Crowd): undefined {
  for (const lifetimeMs of [2_000, 20])
    crowd.join({
      count: 60,
      lifetimeMs,
      use: (socket, index) => void socket.write(messages[index % messages.length]?.() ?? ''),
    })
}

/** Returns a function that counts a string in a stream of chunks, also across chunks. */
function createCounter(text: string): (chunk: Buffer) => number {
  let rest = ''
  return (chunk) => {
    const seen = rest + chunk.toString('latin1')
    rest = seen.slice(seen.length - text.length + 1)
    return seen.split(text).length - 1
  }
}
