import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PetStore } from '../../core/index.ts'
import { stubStore } from '../../core/testing/stub-store.ts'
import {
  createNodeHandler,
  createPetServer,
  dedicatedServerOptions,
  hardenServer,
  serverOptions,
} from '../node-http.ts'
import { assertLawful, codeOf, json } from '../testing/exchange.ts'
import { listen, shut } from '../testing/listen.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { serve, until } from '../testing/serve.ts'
import { connect, head, type Wire, type WireResponse } from '../testing/wire.ts'

const key = auth.zoo.join(': ')
const good = head('GET /v1/pets HTTP/1.1', 'Host: pets.example', key)
const anonymous = head('GET /v1/pets HTTP/1.1', 'Host: pets.example')
const free = auth.free.join(': ')
const open = { connectionsCheckingInterval: 20 }

const statusesOf = async (wire: Wire) => (await wire.readAll()).map(({ status }) => status)

/** Asserts that a connection received one response and closed behind it. */
function assertOnly(responses: readonly WireResponse[], status: number, code: string): void {
  assert.deepEqual(
    responses.map((response) => [response.status, codeOf(response)]),
    [[status, code]],
  )
  for (const response of responses) {
    assertLawful(response, 'GET')
    assert.equal(response.headers.get('connection'), 'close')
    assert.match(response.headers.get('date') ?? '', / GMT$/)
  }
}

/** Returns a request of these lines, from a client that is not known by its key. */
const get = (...lines: readonly string[]) => head('GET /v1/pets HTTP/1.1', 'Host: x', ...lines)
const post = (...lines: readonly string[]) => head('POST /v1/pets HTTP/1.1', 'Host: x', ...lines)
const many = (count: number, line: string) => new Array<string>(count).fill(line)

const malformed: Readonly<Record<string, string>> = {
  'a line that is no request line': 'nonsense\r\n\r\n',
  'an unknown method': head('FETCH /v1/pets HTTP/1.1', 'Host: x'),
  'a method in lower case': head('get /v1/pets HTTP/1.1', 'Host: x'),
  'a target without a slash': head('GET v1/pets HTTP/1.1', 'Host: x', key),
  'a target with a space': head('GET /v1/pets x HTTP/1.1', 'Host: x', key),
  'an unknown version': head('GET /v1/pets HTTP/1.2', 'Host: x', key),
  'version 3': head('GET /v1/pets HTTP/3.0', 'Host: x', key),
  'a preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a header without a colon': get('nonsense'),
  'a header whose name has a space': get('a b: c'),
  'a header with a null byte': get('a: \0'),
  'a line that is folded': get('a: b', ' c', 'd: \0'),
  'a length that is no number': post('Content-Length: x'),
  'a negative length': post('Content-Length: -1'),
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

describe('a hardened server', { concurrency: true }, () => {
  for (const [status, code, cases] of [
    [400, 'invalid_request', malformed],
    [431, 'headers_too_large', tooLarge],
  ] as const) {
    for (const [what, bytes] of Object.entries(cases)) {
      it(`responds to ${what} with ${status} ${code}, and closes`, async (t) => {
        const wire = await (await serve(t)).connect()
        wire.write(Buffer.from(bytes, 'latin1'))
        assertOnly(await wire.readAll(), status, code)
      })
    }
  }

  const parsed: readonly (readonly [what: string, bytes: string, status: number, code?: string])[] = [
    ...[
      ['no Host'],
      ['two Hosts', 'Host: a', 'Host: b'],
      ['the same Host twice', 'Host: a', 'host: a'],
      ['a bad Host', 'Host: a/b'],
      ['a second Host after 250 other headers', ...many(250, 'a:'), 'Host: a', 'Host: b'],
    ].map(
      ([what = '', ...lines]) =>
        [what, head('GET /v1/pets HTTP/1.1', ...lines), 400, 'invalid_request'] as const,
    ),
    ['an unknown expectation', get('Expect: wonders'), 417, 'expectation_failed'],
    ['two expectations', get('Expect: 100-continue, wonders'), 417, 'expectation_failed'],
    ['an empty Host', head('GET /v1/pets HTTP/1.1', 'Host:', key), 200],
    ['HTTP/1.0 without a Host', head('GET /v1/pets HTTP/1.0', key), 200],
    ['HTTP/1.0 with an expectation', head('GET /v1/pets HTTP/1.0', key, 'Expect: wonders'), 200],
    ['OPTIONS *', head('OPTIONS * HTTP/1.1', 'Host: x', key), 404],
    ['an upgrade to WebSocket', get(key, 'Connection: Upgrade', 'Upgrade: websocket'), 200],
    [
      'an upgrade to HTTP/2',
      get(key, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'),
      200,
    ],
    ['empty lines before the request line', `\r\n\r\n${good}`, 200],
    ['256 headers', get(...many(254, 'a:'), key), 200],
  ]
  for (const [what, bytes, status, code] of parsed) {
    it(`responds to ${what} with ${status}`, async (t) => {
      const wire = await (await serve(t)).connect()
      wire.write(bytes)
      const response = await wire.read()
      assert.ok(response)
      assertLawful(response, 'GET')
      assert.equal(response.status, status)
      if (code) assert.equal(codeOf(response), code)
    })
  }

  const tunnel = head('CONNECT pets.example:443 HTTP/1.1', 'Host: pets.example:443')

  it('responds to CONNECT with 405 in its turn, charges it, and closes', async (t) => {
    const { connect } = await serve(t)
    for (const left of ['59', '58']) {
      const wire = await connect()
      wire.write(`${good}${tunnel}ignored`)
      assert.equal((await wire.read())?.status, 200)
      const responses = await wire.readAll()
      assertOnly(responses, 405, 'method_not_allowed')
      assert.equal(responses[0]?.headers.get('allow'), '')
      assert.match(responses[0]?.text ?? '', /opens no tunnels/)
      assert.equal(responses[0]?.headers.get('x-ratelimit-remaining'), left)
    }
  })

  it('leaves CONNECT to a server that has a listener for it', async (t) => {
    const { connect, server } = await serve(t)
    server.on('connect', (_req, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    const wire = await connect()
    wire.write(tunnel)
    assert.equal((await wire.read())?.status, 200)
    wire.close()
  })

  it('responds to pipelined requests in their order, however slow each is', async (t) => {
    const { connect } = await serve(t, { service: { store: slowStore([30, 1, 15, 0]) } })
    const wire = await connect()
    wire.write([1, 2, 3, 4].map((limit) => good.replace('pets ', `pets?limit=${limit} `)).join(''))
    for (const limit of [1, 2, 3, 4]) {
      const response = await wire.read()
      assert.equal(response && json<unknown[]>(response).length, limit)
    }
  })

  for (const delays of [
    [0, 0],
    [1, 20],
  ]) {
    it(`responds to a broken request behind good ones last, where those take ${delays.join(' and ')} ms`, async (t) => {
      const { connect } = await serve(t, { service: { store: slowStore(delays) } })
      const wire = await connect()
      wire.write(`${good}${good}nonsense\r\n\r\n${good}`)
      const responses = await wire.readAll()
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 400],
      )
      for (const response of responses) assertLawful(response, 'GET')
    })
  }

  it('responds to a broken request once, and charges it once, where it arrives in several parts', async (t) => {
    const codes: unknown[] = []
    const { connect } = await serve(t, {
      service: { store: slowStore([40]), onResponse: ({ code }) => codes.push(code) },
    })
    const wire = await connect()
    wire.write(good)
    for (let i = 0; i < 3; i++) {
      wire.write('nonsense\r\n\r\n')
      await sleep(5)
    }
    assert.deepEqual(await statusesOf(wire), [200, 400])
    assert.deepEqual(codes.sort(), ['invalid_request', undefined])
  })

  it('responds to a broken request behind responses that were read long ago', async (t) => {
    const wire = await (await serve(t)).connect()
    wire.write(good)
    assert.equal((await wire.read())?.status, 200)
    wire.write('nonsense\r\n\r\n')
    assertOnly(await wire.readAll(), 400, 'invalid_request')
  })

  it('shows and charges only the key for a head that is parsed and rejected', async (t) => {
    const { connect } = await serve(t)
    const wire = await connect()
    for (const [i, lines] of [[], ['Host: a', 'Host: b'], ['Host: a', 'Expect: wonders']].entries()) {
      wire.write(head('GET /v1/pets HTTP/1.1', free, ...lines))
      assert.equal((await wire.read())?.headers.get('x-ratelimit-remaining'), String(59 - i))
    }
    wire.write(head('GET /v1/pets HTTP/1.1', free, 'Host: a', ...many(255, 'a:')))
    const response = await wire.read()
    assert.deepEqual([response?.status, response?.headers.get('x-ratelimit-remaining')], [431, '56'])
    const other = await connect()
    other.write(anonymous)
    assert.equal((await other.read())?.headers.get('x-ratelimit-remaining'), '59')
  })

  for (const [what, status, lines] of [
    ['an unknown expectation', 417, ['Expect: wonders']],
    ['257 headers', 431, many(255, 'a:')],
  ] as const) {
    it(`responds to ${what} past the limit with 429`, async (t) => {
      const { connect } = await serve(t)
      const statuses: unknown[] = []
      for (let i = 0; i < 3; i++) {
        const wire = await connect()
        wire.write(head('GET /v1/pets HTTP/1.1', 'Host: x', auth.small.join(': '), ...lines))
        statuses.push((await wire.read())?.status)
      }
      assert.deepEqual(statuses, [status, status, 429])
    })
  }

  const chunked = post(key, 'Transfer-Encoding: chunked')
  for (const [what, body] of [
    ['a bad chunk at once', 'zz\r\n'],
    ['a chunk that is longer than it says', '2\r\n{"nam\r\n0\r\n\r\n'],
  ] as const) {
    it(`responds to ${what} in the middle of a body once, charges only the key, and closes`, async (t) => {
      const charged: unknown[] = []
      const { connect } = await serve(t, {
        service: { onResponse: ({ caller, code }) => charged.push([caller, code]) },
      })
      const wire = await connect()
      wire.write(chunked + body)
      assertOnly(await wire.readAll(), 400, 'invalid_request')
      assert.deepEqual(charged, [['zoo', 'invalid_request']])
    })
  }

  it('sends no second response to a request whose body breaks', async (t) => {
    const { connect } = await serve(t)
    const wire = await connect()
    wire.write(head('POST /v1/nothing HTTP/1.1', 'Host: x', key, 'Transfer-Encoding: chunked'))
    const early = await wire.read()
    assert.equal(early?.status, 404)
    wire.write('zz\r\n')
    assert.deepEqual(await wire.readAll(), [])
  })

  it('responds to a broken body behind a slow good request in its turn', async (t) => {
    const { connect } = await serve(t, { service: { store: slowStore([20]) } })
    const wire = await connect()
    wire.write(`${good}${chunked}zz\r\n`)
    assert.deepEqual(await statusesOf(wire), [200, 400])
  })

  it('does not wait for a peer that does not read the response to a broken request', async (t) => {
    const { connect, connections, server } = await serve(t)
    const wire = await connect()
    wire.socket.pause()
    wire.write('nonsense\r\n\r\n')
    await once(server, 'clientError')
    await until(async () => (await connections()) === 0)
  })

  it('survives peers that vanish', async (t) => {
    const { connect, connections } = await serve(t, { service: { store: slowStore([30]) } })
    for (const bytes of ['', 'GET /v1', good, `${chunked}5\r\n{"n`, 'nonsense\r\n\r\n', tunnel]) {
      const wire = await connect()
      wire.write(bytes)
      await sleep(2)
      wire.socket.resetAndDestroy()
    }
    await until(async () => (await connections()) === 0)
    const wire = await connect()
    wire.write(good)
    assert.equal((await wire.read())?.status, 200)
  })

  it('holds maxConnections connections, and reports each further one', async (t) => {
    let closed = 0
    const service = testService()
    const server = createServer(serverOptions, createNodeHandler(service))
    hardenServer(server, service, { maxConnections: 2, onConnectionRefused: () => closed++ })
    const port = await listen(server)
    t.after(() => shut(server))
    const wires = [await connect(port), await connect(port), await connect(port)]
    assert.equal(await wires[2]?.read(), undefined)
    assert.equal(closed, 1)
    for (const wire of wires) wire.close()
  })

  it('with the dedicated options recognises a missing body, and serves the next request', async (t) => {
    const { connect } = await serve(t, { server: dedicatedServerOptions })
    const wire = await connect()
    wire.write(head('POST /v1/pets HTTP/1.1', 'Host: pets.example', key))
    const response = await wire.read()
    assert.ok(response)
    assert.deepEqual([response.status, codeOf(response)], [400, 'invalid_json'])
    wire.write(good)
    assert.equal((await wire.read())?.status, 200)
  })

  it('waits for a service that responds later', async (t) => {
    const decision = { allowed: true, banned: false, limit: 9, remaining: 8, reset: 1, waitMs: 0 }
    const limiter = { consume: async () => decision, peek: async () => decision }
    const { connect } = await serve(t, { service: { limiter } })
    const wire = await connect()
    wire.write('nonsense\r\n\r\n')
    assertOnly(await wire.readAll(), 400, 'invalid_request')
  })
})

describe('a hardened server that waits', { concurrency: true }, () => {
  it('gives up on headers that do not arrive', async (t) => {
    const { connect } = await serve(t, {
      server: open,
      settings: { headersTimeout: 200, requestTimeout: 5_000 },
    })
    const [silent, slow, second] = [await connect(), await connect(), await connect()]
    slow.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\n')
    second.write(`${good}GET /v1`)
    assertOnly(await silent.readAll(), 408, 'request_timeout')
    assertOnly(await slow.readAll(), 408, 'request_timeout')
    assert.equal((await second.read())?.status, 200)
    assertOnly(await second.readAll(), 408, 'request_timeout')
  })

  const stalled = { server: open, settings: { headersTimeout: 200, requestTimeout: 300 } }

  it('gives up on a body that does not arrive, and charges only the key', async (t) => {
    const { connect } = await serve(t, stalled)
    for (const left of ['59', '58']) {
      const wire = await connect()
      wire.write(`${post(free, 'Content-Length: 50')}{"name"`)
      const responses = await wire.readAll()
      assertOnly(responses, 408, 'request_timeout')
      assert.equal(responses[0]?.headers.get('x-ratelimit-remaining'), left)
    }
    const wire = await connect()
    wire.write(anonymous)
    assert.equal((await wire.read())?.headers.get('x-ratelimit-remaining'), '59')
  })

  it('charges the key also where the body stalls behind a slow request on the same connection', async (t) => {
    const charged: unknown[] = []
    const { connect } = await serve(t, {
      ...stalled,
      service: {
        store: slowStore([600]),
        onResponse: ({ caller, status }) => charged.push([caller, status]),
      },
    })
    const wire = await connect()
    wire.write(`${good}${post(free, 'Content-Length: 50')}{"name"`)
    assert.deepEqual(await statusesOf(wire), [200, 408])
    assert.deepEqual(charged, [
      ['zoo', 200],
      ['free', 408],
    ])
  })

  for (const [what, lines] of [
    ['a body without a length', ['Transfer-Encoding: chunked']],
    ['a long body', ['Content-Length: 1000000']],
    ['a short body', ['Content-Length: 1000']],
    ['a body that waits for 100 Continue', ['Content-Length: 1000', 'Expect: 100-continue']],
  ] as const) {
    it(`closes after it has rejected ${what}, on a client that neither sends it nor closes`, async (t) => {
      const { connect, connections } = await serve(t, stalled)
      const wire = await connect()
      wire.write(post(...lines))
      const response = await wire.read()
      assert.equal(response?.status, 401)
      assert.deepEqual(await wire.readAll(), [])
      assert.equal(await connections(), 0)
    })
  }
})

/** A store whose lists take these milliseconds in turn, and have as many animals as requested. */
function slowStore(delays: readonly number[]): PetStore {
  let calls = 0
  return stubStore({
    async list({ limit }) {
      await sleep(delays[calls++] ?? 0)
      return new Array(limit - 1).fill({ id: 1n, name: 'Rex', categoryId: 1n })
    },
  })
}

describe('hardenServer', () => {
  const service = testService()
  const fresh = () => createServer(serverOptions)
  const none = undefined as never // what an embedder without types may pass
  const http2 = () => createHttp2Server() as unknown as Server // likewise
  const cases: Readonly<Record<string, readonly [harden: () => void, message: RegExp]>> = {
    'a server without serverOptions': [() => hardenServer(createServer(), service), /serverOptions/],
    'a server that is hardened already': [
      () => hardenServer(createPetServer(service), service),
      /hardened already/,
    ],
    'an HTTP/2 server': [() => hardenServer(http2(), service), /HTTP\/2/],
    'no server': [() => hardenServer(none, service), /requires a server of node:http/],
    'neither a server nor a service': [() => hardenServer(none, none), /requires a server/],
    'no service': [() => hardenServer(fresh(), none), /createPetService/],
    'an unknown option': [
      () => hardenServer(fresh(), service, { maxConnection: 5 } as object),
      /there are maxConnections/,
    ],
    'maxConnections of 0': [
      () => hardenServer(fresh(), service, { maxConnections: 0 }),
      /maxConnections must/,
    ],
  }
  for (const [what, [harden, message]] of Object.entries(cases))
    it(`throws a TypeError for ${what}`, () => assert.throws(harden, { name: 'TypeError', message }))

  it('throws a TypeError for a server that listens already', async (t) => {
    const server = createServer(serverOptions)
    await listen(server)
    t.after(() => shut(server))
    assert.throws(() => hardenServer(server, service), { name: 'TypeError', message: /listens already/ })
  })
})
