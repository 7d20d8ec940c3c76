import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { PetStore, ResponseEvent } from '../../core/index.ts'
import { createStubStore } from '../../core/testing/stub-store.ts'
import { createNodeHandler, createPetServer, hardenServer, serverOptions } from '../node-http/index.ts'
import { assertConforms, readCode, type TestResponse } from '../testing/exchange.ts'
import { closeServer, listen } from '../testing/listen.ts'
import { authHeaders, createTestService } from '../testing/mount-suite/open-mount.ts'
import { serve, serveAndConnect, waitUntil } from '../testing/serve.ts'
import { connect, formatHead, type Wire } from '../testing/wire.ts'

const keyHeader = authHeaders.zoo.join(': ')
const freeKeyHeader = authHeaders.free.join(': ')
const formatGet = (...lines: readonly string[]) => formatHead('GET /v1/pets HTTP/1.1', 'Host: x', ...lines)
const formatPost = (...lines: readonly string[]) => formatHead('POST /v1/pets HTTP/1.1', 'Host: x', ...lines)
const repeatValue = (count: number, line: string) => new Array<string>(count).fill(line)
const validRequest = formatGet(keyHeader)
const nonsense = 'nonsense\r\n\r\n'
const chunkedHead = formatPost(keyHeader, 'Transfer-Encoding: chunked')
const connectRequest = formatHead('CONNECT pets.example:443 HTTP/1.1', 'Host: pets.example:443')

const readStatuses = async (wire: Wire) => (await wire.readAll()).map(({ status }) => status)
const readRemaining = ({ headers }: TestResponse) => headers.get('x-ratelimit-remaining')

/** Asserts that the last response on the connection is the given error. */
async function assertOnlyResponse(wire: Wire, status: number, code: string): Promise<TestResponse> {
  const [response, ...more] = await wire.readAll()
  assert.ok(response)
  assert.deepEqual([response.status, readCode(response), more], [status, code, []])
  assertConforms(response, 'GET')
  assert.equal(response.headers.get('connection'), 'close')
  assert.match(response.headers.get('date') ?? '', / GMT$/)
  return response
}

/** Creates a store whose `list` calls take the given milliseconds, one number per call. */
function createSlowStore(...delays: number[]): PetStore {
  return createStubStore({ list: () => sleep(delays.shift() ?? 0, []) })
}

const malformedRequests: Readonly<Record<string, string>> = {
  'a line that is not a request line': nonsense,
  'a target without a slash': formatHead('GET v1/pets HTTP/1.1', 'Host: x', keyHeader),
  'an unknown version': formatHead('GET /v1/pets HTTP/1.2', 'Host: x', keyHeader),
  'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a header with a null byte': formatGet('a: \0'),
  'two lengths': formatPost('Content-Length: 1', 'Content-Length: 2'),
  'a length and a transfer coding': `${formatPost(keyHeader, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  'an unknown transfer coding': formatPost(keyHeader, 'Transfer-Encoding: gzip'),
  'a transfer coding in HTTP/1.0': `${formatHead('POST /v1/pets HTTP/1.0', keyHeader, 'Connection: keep-alive', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
}

const oversizedRequests: Readonly<Record<string, string>> = {
  'a header of 17 kB': formatGet(`X: ${'x'.repeat(17_000)}`),
  'a target of 17 kB': formatHead(`GET /v1/pets?${'x'.repeat(17_000)} HTTP/1.1`, 'Host: x'),
  '257 headers': formatGet(...repeatValue(255, 'a:'), keyHeader),
  '48 kB of short headers': formatGet(keyHeader, ...repeatValue(8_000, 'a: b')),
  '16 KiB of headers with separators': formatGet(keyHeader, ...repeatValue(240, `X: ${'y'.repeat(64)}`)),
}

const parsedRequests: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
  'a missing Host': [formatHead('GET /v1/pets HTTP/1.1', keyHeader), 400],
  'two Host headers': [formatGet(keyHeader, 'Host: b'), 400],
  'a malformed Host': [formatHead('GET /v1/pets HTTP/1.1', 'Host: a/b', keyHeader), 400],
  'a second Host after 250 other headers': [formatGet(...repeatValue(250, 'a:'), 'Host: b', keyHeader), 400],
  'an unknown expectation': [formatGet('Expect: wonders'), 417],
  'two expectations': [formatGet('Expect: 100-continue, wonders'), 417],
  'an empty Host': [formatHead('GET /v1/pets HTTP/1.1', 'Host:', keyHeader), 200],
  'HTTP/1.0 without a Host': [formatHead('GET /v1/pets HTTP/1.0', keyHeader), 200],
  'OPTIONS *': [formatHead('OPTIONS * HTTP/1.1', 'Host: x', keyHeader), 404],
  'an upgrade to WebSocket': [formatGet(keyHeader, 'Connection: Upgrade', 'Upgrade: websocket'), 200],
  'an upgrade to HTTP/2': [
    formatGet(keyHeader, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'),
    200,
  ],
  '256 headers': [formatGet(...repeatValue(254, 'a:'), keyHeader), 200],
}

describe('hardenServer', { concurrency: true }, () => {
  for (const [status, code, cases] of [
    [400, 'invalid_request', malformedRequests],
    [431, 'headers_too_large', oversizedRequests],
  ] as const) {
    for (const [what, bytes] of Object.entries(cases)) {
      it(`responds to ${what} with ${status} ${code}`, async (t) => {
        const wire = await serveAndConnect(t)
        wire.write(Buffer.from(bytes, 'latin1'))
        await assertOnlyResponse(wire, status, code)
      })
    }
  }

  for (const [what, [bytes, status]] of Object.entries(parsedRequests)) {
    it(`responds to ${what} with ${status}`, async (t) => {
      const response = await (await serve(t)).ask(bytes)
      assertConforms(response, 'GET')
      assert.equal(response.status, status)
    })
  }

  it('responds to CONNECT with 405 and charges the client address', async (t) => {
    const { connect } = await serve(t)
    for (const left of ['59', '58']) {
      const wire = await connect()
      assert.equal((await wire.ask(`${validRequest}${connectRequest}ignored`)).status, 200)
      const response = await assertOnlyResponse(wire, 405, 'method_not_allowed')
      assert.deepEqual([response.headers.get('allow'), readRemaining(response)], ['', left])
    }
  })

  it('leaves CONNECT to another listener', async (t) => {
    const { ask, server } = await serve(t)
    server.on('connect', (_req, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    assert.equal((await ask(connectRequest)).status, 200)
  })

  for (const [what, delays, bytes, statuses] of [
    [
      'a malformed request after fast ones',
      [],
      `${validRequest}${validRequest}${nonsense}${validRequest}`,
      [200, 200, 400],
    ],
    [
      'a malformed request after slow ones',
      [1, 20],
      `${validRequest}${validRequest}${nonsense}`,
      [200, 200, 400],
    ],
    ['a malformed body after a slow request', [20], `${validRequest}${chunkedHead}zz\r\n`, [200, 400]],
    ['a malformed chunk', [], `${chunkedHead}zz\r\n`, [400]],
    ['a chunk that is longer than announced', [], `${chunkedHead}2\r\n{"nam\r\n0\r\n\r\n`, [400]],
  ] as const) {
    it(`responds in order to ${what}`, async (t) => {
      const charged: unknown[] = []
      const onResponse = ({ status, caller = 'nobody' }: ResponseEvent) => charged.push(`${status} ${caller}`)
      const wire = await serveAndConnect(t, { service: { store: createSlowStore(...delays), onResponse } })
      wire.write(bytes)
      assert.deepEqual(await readStatuses(wire), statuses)
      const broken = bytes.includes(nonsense) ? '400 nobody' : '400 zoo'
      assert.deepEqual(charged.sort(), [...repeatValue(statuses.length - 1, '200 zoo'), broken])
    })
  }

  it('responds once if several malformed requests arrive', async (t) => {
    const decision = { allowed: true, banned: false, limit: 9, remaining: 8, reset: 1, waitMs: 0 }
    const limiter = { consume: async () => decision, peek: async () => decision }
    const sent: number[] = []
    const onResponse = ({ status }: ResponseEvent) => sent.push(status)
    const wire = await serveAndConnect(t, { service: { limiter, store: createSlowStore(0, 40), onResponse } })
    assert.equal((await wire.ask(validRequest)).status, 200)
    wire.write(validRequest)
    for (let i = 0; i < 3; i++) {
      wire.write(nonsense)
      await sleep(5)
    }
    assert.deepEqual(await readStatuses(wire), [200, 400])
    assert.deepEqual(sent.sort(), [200, 200, 400])
  })

  it('charges the key for a rejected request', async (t) => {
    const { ask } = await serve(t)
    for (const [status, left, lines] of [
      [400, '1', ['Host: b']],
      [417, '0', ['Expect: wonders']],
      [429, '0', repeatValue(255, 'a:')],
    ] as const) {
      const response = await ask(formatGet(...lines, authHeaders.small.join(': ')))
      assert.deepEqual([response.status, readRemaining(response)], [status, left])
    }
    assert.equal(readRemaining(await ask(formatGet())), '59')
  })

  it('responds in order over TLS', async (t) => {
    // A pre-shared key needs no certificate.
    const psk = Buffer.alloc(16, 7)
    const tls = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const
    const service = createTestService()
    const options = { ...serverOptions, ...tls, pskCallback: () => psk }
    const server = createHttpsServer(options, createNodeHandler(service))
    hardenServer(server, service)
    const port = await listen(server)
    t.after(() => closeServer(server))
    const pskCallback = () => ({ psk, identity: 'test' })
    const socket = connectTls({ ...tls, port, pskCallback, checkServerIdentity: () => undefined })
    const wire = await connect(port, socket)
    wire.write(validRequest.repeat(15) + nonsense)
    assert.deepEqual(await readStatuses(wire), [...Array(15).fill(200), 400])
  })

  it('ignores a malformed chunk after the response', async (t) => {
    const wire = await serveAndConnect(t)
    const early = await wire.ask(chunkedHead.replace('/pets', '/nothing'))
    assert.equal(early.status, 404)
    wire.write('zz\r\n')
    assert.deepEqual(await wire.readAll(), [])
  })

  it('disconnects a client that does not read the error', async (t) => {
    const { connect, countConnections, server } = await serve(t)
    const wire = await connect()
    wire.socket.pause()
    wire.write(nonsense)
    await once(server, 'clientError')
    await waitUntil(async () => (await countConnections()) === 0)
  })
})

describe('server.close', { concurrency: true }, () => {
  for (const [when, isStarted] of [
    ['has not started', false],
    ['has started', true],
  ] as const)
    it(`closes a connection whose response ${when}`, async (t) => {
      const responses: ServerResponse[] = []
      const { connect, server } = await serve(t, {
        listener: () => (_req, res) => {
          responses.push(res)
          if (isStarted) res.writeHead(200, ['Content-Length', '4']).flushHeaders()
          server.emit('passed')
        },
      })
      const wire = await connect()
      const passed = once(server, 'passed')
      wire.write(validRequest)
      await passed
      const closed = once(server, 'close')
      server.close()
      responses[0]?.end('page')
      const [response] = await wire.readAll()
      assert.equal(response?.headers.get('connection'), isStarted ? 'keep-alive' : 'close')
      await closed
    })

  it('responds to a request that arrives during the shutdown', async (t) => {
    const responses: ServerResponse[] = []
    const { connect, server, sockets } = await serve(t, {
      listener: (mount) => (req, res) => {
        if (req.url !== '/slow') return mount(req, res)
        responses.push(res)
        return server.emit('passed')
      },
    })
    const wire = await connect()
    const slow = formatHead('GET /slow HTTP/1.1', 'Host: x')
    const passed = once(server, 'passed')
    wire.write(slow)
    await passed
    const closed = once(server, 'close')
    server.close()
    wire.write(validRequest)
    await waitUntil(async () => sockets[0]?.bytesRead === slow.length + validRequest.length)
    responses[0]?.end()
    const closes = (await wire.readAll()).map(({ headers }) => headers.get('connection') === 'close')
    assert.deepEqual(closes, [false, true])
    await closed
  })

  it('allows the server to listen again', async (t) => {
    const { server, port } = await serve(t)
    server.close()
    await once(server, 'close')
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const wire = await connect(port)
    assert.equal((await wire.ask(validRequest)).headers.get('connection'), 'keep-alive')
    wire.close()
  })
})

describe('a request timeout', { concurrency: true }, () => {
  const server = { connectionsCheckingInterval: 20 }
  const stalled = { server, timeouts: { headersTimeout: 200, requestTimeout: 300 } }
  const incomplete = `${formatPost(freeKeyHeader, 'Content-Length: 50')}{"name"`

  it('responds with 408 to an incomplete head', async (t) => {
    const { connect } = await serve(t, {
      ...stalled,
      timeouts: { headersTimeout: 200, requestTimeout: 5_000 },
    })
    const [silent, slow, second] = [await connect(), await connect(), await connect()]
    slow.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\n')
    assert.equal((await second.ask(`${validRequest}GET /v1`)).status, 200)
    for (const wire of [silent, slow, second]) await assertOnlyResponse(wire, 408, 'request_timeout')
  })

  for (const [before, statuses, charged] of [
    ['', [408], ['free']],
    [validRequest, [200, 408], ['zoo', 'free']],
  ] as const)
    it(`charges the key for an incomplete body (responses ${statuses.join(', ')})`, async (t) => {
      const callers: unknown[] = []
      const service = {
        store: createSlowStore(600),
        onResponse: ({ caller }: ResponseEvent) => callers.push(caller),
      }
      const { ask, connect } = await serve(t, { ...stalled, service })
      const wire = await connect()
      wire.write(before + incomplete)
      assert.deepEqual(await readStatuses(wire), statuses)
      assert.deepEqual(callers, charged)
      assert.equal(readRemaining(await ask(formatGet())), '59')
    })

  for (const lines of [
    ['Transfer-Encoding: chunked'],
    ['Content-Length: 1000000'],
    ['Content-Length: 1000'],
    ['Content-Length: 1000', 'Expect: 100-continue'],
  ]) {
    it(`closes a rejected upload (${lines})`, async (t) => {
      const { connect, countConnections } = await serve(t, stalled)
      const wire = await connect()
      assert.equal((await wire.ask(formatPost(...lines))).status, 401)
      assert.deepEqual(await wire.readAll(), [])
      assert.equal(await countConnections(), 0)
    })
  }
})

it('hardenServer reports an onConnectionDropped hook that throws', async (t) => {
  const causes: unknown[] = []
  const service = createTestService({ onError: (cause) => causes.push(cause) })
  const server = createServer(serverOptions, createNodeHandler(service))
  hardenServer(server, service, {
    maxConnections: 1,
    onConnectionDropped: () => assert.fail('a broken hook'),
  })
  const port = await listen(server)
  t.after(() => closeServer(server))
  const wire = await connect(port)
  assert.equal(await (await connect(port)).read(), undefined)
  await waitUntil(async () => causes.length > 0)
  assert.match(String(causes), /a broken hook/)
  assert.equal((await wire.ask(validRequest)).status, 200)
})

it('serverOptions has the documented values', () => {
  const times = { headersTimeout: 10_000, requestTimeout: 30_000, handshakeTimeout: 10_000 }
  const idle = { keepAliveTimeout: 72_000, connectionsCheckingInterval: 2_000 }
  assert.deepEqual(serverOptions, { ...times, ...idle, maxHeaderSize: 16_384, requireHostHeader: false })
})

describe('option checks', () => {
  const service = createTestService()
  const none = undefined as never // simulates an untyped caller
  const http2 = () => createHttp2Server() as unknown as Server // simulates an untyped caller
  const hardening = (options: object) => () => hardenServer(createServer(serverOptions), service, options)
  const creating = (options: object) => () => createPetServer(service, options)
  const mounting = (options: object) => () => createNodeHandler(service, options)
  for (const [what, create, message] of [
    ['a server without serverOptions', () => hardenServer(createServer(), service), /serverOptions/],
    [
      'a server that is already hardened',
      () => hardenServer(createPetServer(service), service),
      /is already hardened/,
    ],
    ['an HTTP/2 server', () => hardenServer(http2(), service), /HTTP\/2/],
    ['a missing server', () => hardenServer(none, none), /requires a server of node:http/],
    ['a missing service in hardenServer', () => hardenServer(createServer(), none), /createPetService/],
    ['a missing service in createPetServer', () => createPetServer(none), /createPetService/],
    ['a missing service in createNodeHandler', () => createNodeHandler(none), /createPetService/],
    ['an unknown option of hardenServer', hardening({ maxConnection: 5 }), /expected one of maxConnections/],
    ['maxConnections of 0', hardening({ maxConnections: 0 }), /maxConnections must be a positive integer/],
    [
      'an unknown option of createPetServer',
      creating({ maxConnection: 5 }),
      /expected one of fallback, maxConnections/,
    ],
    [
      'an infinite deadline',
      creating({ shutdown: { deadlineMs: Infinity } }),
      /options\.shutdown\.deadlineMs must be a number of milliseconds/,
    ],
    ['a fallback that is not a function', mounting({ fallback: {} }), /options\.fallback must be a function/],
  ] as const)
    it(`reject ${what}`, () => assert.throws(create, { name: 'TypeError', message }))

  it('reject a server that is already listening', async (t) => {
    const server = createServer(serverOptions)
    await listen(server)
    t.after(() => closeServer(server))
    assert.throws(() => hardenServer(server, service), { name: 'TypeError', message: /is already listening/ })
  })
})
