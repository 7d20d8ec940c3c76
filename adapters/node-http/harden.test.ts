import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { PetStore, ResponseEvent } from '../../core/index.ts'
import { stubStore } from '../../core/testing/stub-store.ts'
import { createNodeHandler, createPetServer, hardenServer, serverOptions } from '../node-http/index.ts'
import { assertLawful, type Received, readCode } from '../testing/exchange.ts'
import { listen, shut } from '../testing/listen.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { openWire, serve, until } from '../testing/serve.ts'
import { connect, head, type Wire } from '../testing/wire.ts'

const key = auth.zoo.join(': ')
const free = auth.free.join(': ')
const get = (...lines: readonly string[]) => head('GET /v1/pets HTTP/1.1', 'Host: x', ...lines)
const post = (...lines: readonly string[]) => head('POST /v1/pets HTTP/1.1', 'Host: x', ...lines)
const many = (count: number, line: string) => new Array<string>(count).fill(line)
const good = get(key)
const nonsense = 'nonsense\r\n\r\n'
const chunked = post(key, 'Transfer-Encoding: chunked')
const tunnel = head('CONNECT pets.example:443 HTTP/1.1', 'Host: pets.example:443')

const readStatuses = async (wire: Wire) => (await wire.readAll()).map(({ status }) => status)
const readRemaining = ({ headers }: Received) => headers.get('x-ratelimit-remaining')

/** Asserts that a connection receives one more response and closes. Returns the response. */
async function assertLast(wire: Wire, status: number, code: string): Promise<Received> {
  const [response, ...more] = await wire.readAll()
  assert.ok(response)
  assert.deepEqual([response.status, readCode(response), more], [status, code, []])
  assertLawful(response, 'GET')
  assert.equal(response.headers.get('connection'), 'close')
  assert.match(response.headers.get('date') ?? '', / GMT$/)
  return response
}

/** A store whose lists take these milliseconds in turn. */
function slowStore(...delays: number[]): PetStore {
  return stubStore({ list: () => sleep(delays.shift() ?? 0, []) })
}

const malformed: Readonly<Record<string, string>> = {
  'a line that is not a request line': nonsense,
  'a target without a slash': head('GET v1/pets HTTP/1.1', 'Host: x', key),
  'an unknown version': head('GET /v1/pets HTTP/1.2', 'Host: x', key),
  'a preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a header with a null byte': get('a: \0'),
  'two lengths': post('Content-Length: 1', 'Content-Length: 2'),
  'a length and a transfer coding': `${post(key, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  'an unknown transfer coding': post(key, 'Transfer-Encoding: gzip'),
  'a transfer coding in HTTP/1.0': `${head('POST /v1/pets HTTP/1.0', key, 'Connection: keep-alive', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
}

const tooLarge: Readonly<Record<string, string>> = {
  'a header of 17 kB': get(`X: ${'x'.repeat(17_000)}`),
  'a target of 17 kB': head(`GET /v1/pets?${'x'.repeat(17_000)} HTTP/1.1`, 'Host: x'),
  '257 headers': get(...many(255, 'a:'), key),
  '48 kB of short headers': get(key, ...many(8_000, 'a: b')),
  '16 KiB of headers whose names and values are less': get(key, ...many(240, `X: ${'y'.repeat(64)}`)),
}

const parsed: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
  'no Host': [head('GET /v1/pets HTTP/1.1', key), 400],
  'two Hosts': [get(key, 'Host: b'), 400],
  'a bad Host': [head('GET /v1/pets HTTP/1.1', 'Host: a/b', key), 400],
  'a second Host after 250 other headers': [get(...many(250, 'a:'), 'Host: b', key), 400],
  'an unknown expectation': [get('Expect: wonders'), 417],
  'two expectations': [get('Expect: 100-continue, wonders'), 417],
  'an empty Host': [head('GET /v1/pets HTTP/1.1', 'Host:', key), 200],
  'HTTP/1.0 without a Host': [head('GET /v1/pets HTTP/1.0', key), 200],
  'OPTIONS *': [head('OPTIONS * HTTP/1.1', 'Host: x', key), 404],
  'an upgrade to WebSocket': [get(key, 'Connection: Upgrade', 'Upgrade: websocket'), 200],
  'an upgrade to HTTP/2': [
    get(key, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'),
    200,
  ],
  '256 headers': [get(...many(254, 'a:'), key), 200],
}

describe('a hardened server', { concurrency: true }, () => {
  for (const [status, code, cases] of [
    [400, 'invalid_request', malformed],
    [431, 'headers_too_large', tooLarge],
  ] as const) {
    for (const [what, bytes] of Object.entries(cases)) {
      it(`responds to ${what} with ${status} ${code}, and closes`, async (t) => {
        const wire = await openWire(t)
        wire.write(Buffer.from(bytes, 'latin1'))
        await assertLast(wire, status, code)
      })
    }
  }

  for (const [what, [bytes, status]] of Object.entries(parsed)) {
    it(`responds to ${what} with ${status}`, async (t) => {
      const response = await (await serve(t)).ask(bytes)
      assertLawful(response, 'GET')
      assert.equal(response.status, status)
    })
  }

  it('responds to CONNECT with 405, charges it and closes', async (t) => {
    const { connect } = await serve(t)
    for (const left of ['59', '58']) {
      const wire = await connect()
      assert.equal((await wire.ask(`${good}${tunnel}ignored`)).status, 200)
      const response = await assertLast(wire, 405, 'method_not_allowed')
      assert.deepEqual([response.headers.get('allow'), readRemaining(response)], ['', left])
    }
  })

  it('leaves CONNECT to a server that has a listener for it', async (t) => {
    const { ask, server } = await serve(t)
    server.on('connect', (_req, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    assert.equal((await ask(tunnel)).status, 200)
  })

  for (const [what, delays, bytes, statuses] of [
    ['a broken request behind fast ones', [], `${good}${good}${nonsense}${good}`, [200, 200, 400]],
    ['a broken request behind slow ones', [1, 20], `${good}${good}${nonsense}`, [200, 200, 400]],
    ['a broken body behind a slow request', [20], `${good}${chunked}zz\r\n`, [200, 400]],
    ['a bad chunk', [], `${chunked}zz\r\n`, [400]],
    ['a chunk that is longer than it says', [], `${chunked}2\r\n{"nam\r\n0\r\n\r\n`, [400]],
  ] as const) {
    it(`responds once to ${what} and charges only parsed keys`, async (t) => {
      const charged: unknown[] = []
      const onResponse = ({ status, caller = 'nobody' }: ResponseEvent) => charged.push(`${status} ${caller}`)
      const wire = await openWire(t, { service: { store: slowStore(...delays), onResponse } })
      wire.write(bytes)
      assert.deepEqual(await readStatuses(wire), statuses)
      const broken = bytes.includes(nonsense) ? '400 nobody' : '400 zoo'
      assert.deepEqual(charged.sort(), [...many(statuses.length - 1, '200 zoo'), broken])
    })
  }

  it('responds once to a broken request in several parts', async (t) => {
    const decision = { allowed: true, banned: false, limit: 9, remaining: 8, reset: 1, waitMs: 0 }
    const limiter = { consume: async () => decision, peek: async () => decision }
    const sent: number[] = []
    const onResponse = ({ status }: ResponseEvent) => sent.push(status)
    const wire = await openWire(t, { service: { limiter, store: slowStore(0, 40), onResponse } })
    assert.equal((await wire.ask(good)).status, 200)
    wire.write(good)
    for (let i = 0; i < 3; i++) {
      wire.write(nonsense)
      await sleep(5)
    }
    assert.deepEqual(await readStatuses(wire), [200, 400])
    assert.deepEqual(sent.sort(), [200, 200, 400])
  })

  it('charges only the key for a rejected head', async (t) => {
    const { ask } = await serve(t)
    for (const [status, left, lines] of [
      [400, '1', ['Host: b']],
      [417, '0', ['Expect: wonders']],
      [429, '0', many(255, 'a:')],
    ] as const) {
      const response = await ask(get(...lines, auth.small.join(': ')))
      assert.deepEqual([response.status, readRemaining(response)], [status, left])
    }
    assert.equal(readRemaining(await ask(get())), '59')
  })

  it('responds in order on HTTPS, also to broken requests', async (t) => {
    // A shared secret replaces a certificate.
    const psk = Buffer.alloc(16, 7)
    const tls = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const
    const service = testService()
    const options = { ...serverOptions, ...tls, pskCallback: () => psk }
    const server = createHttpsServer(options, createNodeHandler(service))
    hardenServer(server, service)
    const port = await listen(server)
    t.after(() => shut(server))
    const pskCallback = () => ({ psk, identity: 'test' })
    const socket = connectTls({ ...tls, port, pskCallback, checkServerIdentity: () => undefined })
    const wire = await connect(port, socket)
    wire.write(good.repeat(50) + nonsense)
    assert.deepEqual(await readStatuses(wire), [...Array(50).fill(200), 400])
  })

  it('sends no second response to a request whose body breaks', async (t) => {
    const wire = await openWire(t)
    const early = await wire.ask(chunked.replace('/pets', '/nothing'))
    assert.equal(early.status, 404)
    wire.write('zz\r\n')
    assert.deepEqual(await wire.readAll(), [])
  })

  it('does not wait for a peer that does not read its 400', async (t) => {
    const { connect, connections, server } = await serve(t)
    const wire = await connect()
    wire.socket.pause()
    wire.write(nonsense)
    await once(server, 'clientError')
    await until(async () => (await connections()) === 0)
  })
})

describe('a hardened server with a slow client', { concurrency: true }, () => {
  const server = { connectionsCheckingInterval: 20 }
  const stalled = { server, settings: { headersTimeout: 200, requestTimeout: 300 } }
  const incomplete = `${post(free, 'Content-Length: 50')}{"name"`

  it('responds with 408 to headers that do not arrive', async (t) => {
    const { connect } = await serve(t, {
      ...stalled,
      settings: { headersTimeout: 200, requestTimeout: 5_000 },
    })
    const [silent, slow, second] = [await connect(), await connect(), await connect()]
    slow.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\n')
    assert.equal((await second.ask(`${good}GET /v1`)).status, 200)
    for (const wire of [silent, slow, second]) await assertLast(wire, 408, 'request_timeout')
  })

  for (const [before, statuses, charged] of [
    ['', [408], ['free']],
    [good, [200, 408], ['zoo', 'free']],
  ] as const)
    it(`responds with ${statuses.join(', ')} if a body does not arrive`, async (t) => {
      const callers: unknown[] = []
      const service = {
        store: slowStore(600),
        onResponse: ({ caller }: ResponseEvent) => callers.push(caller),
      }
      const { ask, connect } = await serve(t, { ...stalled, service })
      const wire = await connect()
      wire.write(before + incomplete)
      assert.deepEqual(await readStatuses(wire), statuses)
      assert.deepEqual(callers, charged)
      assert.equal(readRemaining(await ask(get())), '59')
    })

  for (const lines of [
    ['Transfer-Encoding: chunked'],
    ['Content-Length: 1000000'],
    ['Content-Length: 1000'],
    ['Content-Length: 1000', 'Expect: 100-continue'],
  ]) {
    it(`closes after a 401 if the body does not arrive (${lines})`, async (t) => {
      const { connect, connections } = await serve(t, stalled)
      const wire = await connect()
      assert.equal((await wire.ask(post(...lines))).status, 401)
      assert.deepEqual(await wire.readAll(), [])
      assert.equal(await connections(), 0)
    })
  }
})

it('reports an exception of onConnectionRefused', async (t) => {
  const causes: unknown[] = []
  const service = testService({ onError: (cause) => causes.push(cause) })
  const server = createServer(serverOptions, createNodeHandler(service))
  hardenServer(server, service, {
    maxConnections: 1,
    onConnectionRefused: () => assert.fail('a broken hook'),
  })
  const port = await listen(server)
  t.after(() => shut(server))
  const wire = await connect(port)
  assert.equal(await (await connect(port)).read(), undefined)
  await until(async () => causes.length > 0)
  assert.match(String(causes), /a broken hook/)
  assert.equal((await wire.ask(good)).status, 200)
})

it('serverOptions has the bounds of the manual', () => {
  const times = { headersTimeout: 10_000, requestTimeout: 30_000, handshakeTimeout: 10_000 }
  const idle = { keepAliveTimeout: 72_000, connectionsCheckingInterval: 2_000 }
  assert.deepEqual(serverOptions, { ...times, ...idle, maxHeaderSize: 16_384, requireHostHeader: false })
})

describe('a TypeError names', () => {
  const service = testService()
  const none = undefined as never // what an embedder without types may pass
  const http2 = () => createHttp2Server() as unknown as Server // likewise
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
    ['the missing service of hardenServer', () => hardenServer(createServer(), none), /createPetService/],
    ['the missing service of createPetServer', () => createPetServer(none), /createPetService/],
    ['the missing service of createNodeHandler', () => createNodeHandler(none), /createPetService/],
    ['an option of hardenServer', hardening({ maxConnection: 5 }), /expected one of maxConnections/],
    ['maxConnections of 0', hardening({ maxConnections: 0 }), /maxConnections must be a whole number from 1/],
    [
      'an option of createPetServer',
      creating({ maxConnection: 5 }),
      /expected one of fallback, maxConnections/,
    ],
    [
      'an endless deadline',
      creating({ deadlineMs: Infinity }),
      /deadlineMs must be a number of milliseconds/,
    ],
    ['a fallback that is not a function', mounting({ fallback: {} }), /options\.fallback must be a function/],
  ] as const)
    it(what, () => assert.throws(create, { name: 'TypeError', message }))

  it('a server that is already listening', async (t) => {
    const server = createServer(serverOptions)
    await listen(server)
    t.after(() => shut(server))
    assert.throws(() => hardenServer(server, service), { name: 'TypeError', message: /is already listening/ })
  })
})
