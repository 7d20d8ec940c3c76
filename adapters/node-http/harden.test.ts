import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PetStore } from '../../core/index.ts'
import { createNodeHandler, dedicatedServerOptions, hardenServer, serverOptions } from '../node-http.ts'
import { assertLawful, codeOf, json } from '../testing/exchange.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { listen, shut } from '../testing/mounts.ts'
import { serve, until } from '../testing/serve.ts'
import { type Answer, connect, head } from '../testing/wire.ts'

const key = auth.zoo.join(': ')
const good = head('GET /v1/pets HTTP/1.1', 'Host: pets.example', key)
const open = { connectionsCheckingInterval: 20 }

/** Asserts on the one answer to a connection that is closed behind it. */
function assertOnly(answers: readonly Answer[], status: number, code: string): void {
  assert.deepEqual(
    answers.map((answer) => [answer.status, codeOf(answer)]),
    [[status, code]],
  )
  for (const answer of answers) {
    assertLawful(answer, 'GET')
    assert.equal(answer.headers.get('connection'), 'close')
    assert.match(answer.headers.get('date') ?? '', / GMT$/)
  }
}

const broken: readonly (readonly [what: string, bytes: string, status: number, code: string])[] = [
  ['a request line that is none', 'nonsense\r\n\r\n', 400, 'invalid_request'],
  ['an unknown method', head('FETCH /v1/pets HTTP/1.1', 'Host: x'), 400, 'invalid_request'],
  ['a method in lower case', head('get /v1/pets HTTP/1.1', 'Host: x'), 400, 'invalid_request'],
  ['a target without a slash', head('GET v1/pets HTTP/1.1', 'Host: x', key), 400, 'invalid_request'],
  ['a target with a space', head('GET /v1/pets x HTTP/1.1', 'Host: x', key), 400, 'invalid_request'],
  ['an unknown version', head('GET /v1/pets HTTP/1.2', 'Host: x', key), 400, 'invalid_request'],
  ['version 3', head('GET /v1/pets HTTP/3.0', 'Host: x', key), 400, 'invalid_request'],
  ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_request'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'invalid_request'],
  ['a header without a colon', head('GET /v1/pets HTTP/1.1', 'Host: x', 'nonsense'), 400, 'invalid_request'],
  [
    'a header whose name has a space',
    head('GET /v1/pets HTTP/1.1', 'Host: x', 'a b: c'),
    400,
    'invalid_request',
  ],
  ['a header with a null byte', head('GET /v1/pets HTTP/1.1', 'Host: x', 'a: \0'), 400, 'invalid_request'],
  [
    'a line that is folded',
    head('GET /v1/pets HTTP/1.1', 'Host: x', 'a: b', ' c', 'd: \0'),
    400,
    'invalid_request',
  ],
  [
    'a length that is no number',
    head('POST /v1/pets HTTP/1.1', 'Host: x', 'Content-Length: x'),
    400,
    'invalid_request',
  ],
  [
    'a negative length',
    head('POST /v1/pets HTTP/1.1', 'Host: x', 'Content-Length: -1'),
    400,
    'invalid_request',
  ],
  [
    'two lengths',
    head('POST /v1/pets HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2'),
    400,
    'invalid_request',
  ],
  [
    'a length and a transfer coding',
    head('POST /v1/pets HTTP/1.1', 'Host: x', key, 'Content-Length: 5', 'Transfer-Encoding: chunked') +
      '0\r\n\r\n',
    400,
    'invalid_request',
  ],
  [
    'an unknown transfer coding',
    head('POST /v1/pets HTTP/1.1', 'Host: x', key, 'Transfer-Encoding: gzip'),
    400,
    'invalid_request',
  ],
  [
    'a header of 17 kB',
    head('GET /v1/pets HTTP/1.1', 'Host: x', `X: ${'x'.repeat(17_000)}`),
    431,
    'headers_too_large',
  ],
  [
    'a target of 17 kB',
    head(`GET /v1/pets?${'x'.repeat(17_000)} HTTP/1.1`, 'Host: x'),
    431,
    'headers_too_large',
  ],
  [
    '257 headers',
    head('GET /v1/pets HTTP/1.1', ...new Array<string>(255).fill('a:'), 'Host: x', key),
    431,
    'headers_too_large',
  ],
  [
    '48 kB of short headers',
    head('GET /v1/pets HTTP/1.1', 'Host: x', key, ...new Array<string>(8_000).fill('a: b')),
    431,
    'headers_too_large',
  ],
  [
    'more than 16 KiB of headers whose names and values are less',
    head('GET /v1/pets HTTP/1.1', 'Host: x', key, ...new Array<string>(240).fill(`X: ${'y'.repeat(64)}`)),
    431,
    'headers_too_large',
  ],
  [
    'a transfer coding in HTTP/1.0',
    `${head('POST /v1/pets HTTP/1.0', key, 'Connection: keep-alive', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    400,
    'invalid_request',
  ],
  [
    '17 kB of many headers',
    head('GET /v1/pets HTTP/1.1', 'Host: x', ...new Array<string>(4_000).fill('X: yyyyyy')),
    431,
    'headers_too_large',
  ],
]

describe('a hardened server', { concurrency: true }, () => {
  for (const [what, bytes, status, code] of broken) {
    it(`answers ${what} with ${status} ${code}, and closes`, async (t) => {
      const wire = await (await serve(t)).connect()
      wire.write(Buffer.from(bytes, 'latin1'))
      assertOnly(await wire.readAll(), status, code)
    })
  }

  const refused: readonly (readonly [
    what: string,
    lines: readonly string[],
    status: number,
    code: string,
  ])[] = [
    ['no Host', [], 400, 'invalid_request'],
    ['two Hosts', ['Host: a', 'Host: b'], 400, 'invalid_request'],
    ['the same Host twice', ['Host: a', 'host: a'], 400, 'invalid_request'],
    ['a bad Host', ['Host: a/b'], 400, 'invalid_request'],
    [
      'a second Host after 250 other headers',
      [...new Array<string>(250).fill('a:'), 'Host: a', 'Host: b'],
      400,
      'invalid_request',
    ],
    ['an unknown expectation', ['Host: a', 'Expect: wonders'], 417, 'expectation_failed'],
    ['two expectations', ['Host: a', 'Expect: 100-continue, wonders'], 417, 'expectation_failed'],
  ]
  for (const [what, lines, status, code] of refused) {
    it(`refuses ${what} with ${status} ${code} before anything else is looked at`, async (t) => {
      const wire = await (await serve(t)).connect()
      wire.write(head('GET /v1/pets HTTP/1.1', ...lines))
      const answer = await wire.read()
      assert.ok(answer)
      assertLawful(answer, 'GET')
      assert.deepEqual([answer.status, codeOf(answer)], [status, code])
    })
  }

  const served: readonly (readonly [what: string, bytes: string, status: number])[] = [
    ['an empty Host', head('GET /v1/pets HTTP/1.1', 'Host:', key), 200],
    ['HTTP/1.0 without a Host', head('GET /v1/pets HTTP/1.0', key), 200],
    ['HTTP/1.0 with an expectation', head('GET /v1/pets HTTP/1.0', key, 'Expect: wonders'), 200],
    ['a target in absolute form', head('GET http://elsewhere.example/v1/pets HTTP/1.1', 'Host: x', key), 200],
    [
      'a target in absolute form without a path',
      head('GET http://elsewhere.example HTTP/1.1', 'Host: x', key),
      404,
    ],
    ['a target of another scheme', head('GET ftp://x/v1/pets HTTP/1.1', 'Host: x', key), 400],
    ['OPTIONS *', head('OPTIONS * HTTP/1.1', 'Host: x', key), 404],
    ['GET *', head('GET * HTTP/1.1', 'Host: x', key), 400],
    [
      'the wish for WebSockets',
      head('GET /v1/pets HTTP/1.1', 'Host: x', key, 'Connection: Upgrade', 'Upgrade: websocket'),
      200,
    ],
    [
      'the wish for HTTP/2',
      head(
        'GET /v1/pets HTTP/1.1',
        'Host: x',
        key,
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AA',
      ),
      200,
    ],
    ['empty lines in front', `\r\n\r\n${good}`, 200],
    ['256 headers', head('GET /v1/pets HTTP/1.1', ...new Array<string>(254).fill('a:'), 'Host: x', key), 200],
  ]
  for (const [what, bytes, status] of served) {
    it(`answers ${what} with ${status}`, async (t) => {
      const wire = await (await serve(t)).connect()
      wire.write(bytes)
      const answer = await wire.read()
      assert.ok(answer)
      assertLawful(answer, 'GET')
      assert.equal(answer.status, status)
    })
  }

  const tunnel = head('CONNECT pets.example:443 HTTP/1.1', 'Host: pets.example:443')

  it('answers CONNECT with 405 in its turn, charges it, and closes', async (t) => {
    const { connect } = await serve(t)
    for (const left of ['59', '58']) {
      const wire = await connect()
      wire.write(`${good}${tunnel}nothing that is read`)
      assert.equal((await wire.read())?.status, 200)
      const answers = await wire.readAll()
      assertOnly(answers, 405, 'method_not_allowed')
      assert.equal(answers[0]?.headers.get('allow'), '')
      assert.equal(answers[0]?.headers.get('x-ratelimit-remaining'), left)
    }
  })

  it('outlives a peer that resets after CONNECT', async (t) => {
    const { connect, connections } = await serve(t)
    const wire = await connect()
    wire.write(tunnel)
    await until(async () => (await connections()) === 1)
    wire.socket.resetAndDestroy()
    await until(async () => (await connections()) === 0)
  })

  it('leaves CONNECT to a server that has tunnels of its own', async (t) => {
    const { connect, server } = await serve(t)
    server.on('connect', (_req, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    const wire = await connect()
    wire.write(tunnel)
    assert.equal((await wire.read())?.status, 200)
    wire.close()
  })

  it('charges the address of whoever sends what cannot be parsed', async (t) => {
    const { connect } = await serve(t)
    for (const left of ['59', '58']) {
      const wire = await connect()
      wire.write('nonsense\r\n\r\n')
      assert.equal((await wire.read())?.headers.get('x-ratelimit-remaining'), left)
    }
  })

  it('answers pipelined requests in their order, however slow each is', async (t) => {
    const { connect } = await serve(t, { service: { store: slowStore([30, 1, 15, 0]) } })
    const wire = await connect()
    wire.write([1, 2, 3, 4].map((limit) => good.replace('pets ', `pets?limit=${limit} `)).join(''))
    for (const limit of [1, 2, 3, 4]) {
      const answer = await wire.read()
      assert.equal(answer && json<unknown[]>(answer).length, limit)
    }
  })

  for (const delays of [
    [0, 0],
    [20, 1],
    [1, 20],
  ]) {
    it(`answers a broken request behind good ones last, where those take ${delays.join(' and ')} ms`, async (t) => {
      const { connect } = await serve(t, { service: { store: slowStore(delays) } })
      const wire = await connect()
      wire.write(`${good}${good}nonsense\r\n\r\n${good}`)
      const answers = await wire.readAll()
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 400],
      )
      for (const answer of answers) assertLawful(answer, 'GET')
    })
  }

  it('answers and charges a broken request once, in however many parts it comes', async (t) => {
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
    assert.deepEqual(
      (await wire.readAll()).map(({ status }) => status),
      [200, 400],
    )
    assert.deepEqual(codes.sort(), ['invalid_request', undefined])
  })

  it('answers a broken request also behind answers that were read long ago', async (t) => {
    const wire = await (await serve(t)).connect()
    wire.write(good)
    assert.equal((await wire.read())?.status, 200)
    wire.write('nonsense\r\n\r\n')
    assertOnly(await wire.readAll(), 400, 'invalid_request')
  })

  const chunked = head('POST /v1/pets HTTP/1.1', 'Host: x', key, 'Transfer-Encoding: chunked')
  for (const [what, body] of [
    ['a bad chunk', '5\r\n{"nam\r\nzz\r\n'],
    ['a bad chunk at once', 'zz\r\n'],
    ['a chunk that is longer than it says', '2\r\n{"nam\r\n0\r\n\r\n'],
  ] as const) {
    it(`answers ${what} in the middle of a body once, and closes`, async (t) => {
      const events: number[] = []
      const { connect } = await serve(t, { service: { onResponse: ({ status }) => events.push(status) } })
      const wire = await connect()
      wire.write(chunked + body)
      assertOnly(await wire.readAll(), 400, 'invalid_request')
    })
  }

  it('gives a request whose body breaks no second answer', async (t) => {
    const { connect } = await serve(t)
    const wire = await connect()
    wire.write(head('POST /v1/nothing HTTP/1.1', 'Host: x', key, 'Transfer-Encoding: chunked'))
    const early = await wire.read()
    assert.equal(early?.status, 404)
    wire.write('zz\r\n')
    assert.deepEqual(await wire.readAll(), [])
  })

  it('answers a broken body behind a slow good request in its turn', async (t) => {
    const { connect } = await serve(t, { service: { store: slowStore([20]) } })
    const wire = await connect()
    wire.write(`${good}${chunked}zz\r\n`)
    assert.deepEqual(
      (await wire.readAll()).map(({ status }) => status),
      [200, 400],
    )
  })

  it('does not wait for a peer that does not read the answer to a broken request', async (t) => {
    const { connect, connections, server } = await serve(t)
    const wire = await connect()
    wire.socket.pause()
    wire.write('nonsense\r\n\r\n')
    await once(server, 'clientError')
    await until(async () => (await connections()) === 0)
  })

  it('outlives peers that vanish', async (t) => {
    const { connect, connections } = await serve(t, { service: { store: slowStore([30]) } })
    for (const bytes of ['', 'GET /v1', good, `${chunked}5\r\n{"n`, 'nonsense\r\n\r\n']) {
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

  it('holds as many connections as it is told, no more, and reports those that it does not', async (t) => {
    let refused = 0
    const service = testService()
    const server = createServer(serverOptions, createNodeHandler(service))
    hardenServer(server, service, { maxConnections: 2, onConnectionRefused: () => refused++ })
    const port = await listen(server)
    t.after(() => shut(server))
    const wires = [await connect(port), await connect(port), await connect(port)]
    assert.equal(await wires[2]?.read(), undefined)
    assert.equal(refused, 1)
    for (const wire of wires) wire.close()
  })

  it('holds 2,500 connections where it is not told', async (t) => {
    const { server } = await serve(t)
    assert.equal(server.maxConnections, 2_500)
  })

  it('of its own knows a body that is missing, and serves on', async (t) => {
    const { connect } = await serve(t, { server: dedicatedServerOptions })
    const wire = await connect()
    wire.write(head('POST /v1/pets HTTP/1.1', 'Host: pets.example', key))
    const answer = await wire.read()
    assert.ok(answer)
    assert.deepEqual([answer.status, codeOf(answer)], [400, 'invalid_json'])
    wire.write(good)
    assert.equal((await wire.read())?.status, 200)
  })

  it('is bounded as the interface of this package says', async (t) => {
    const { server } = await serve(t)
    const { headersTimeout, requestTimeout, keepAliveTimeout } = server
    assert.deepEqual([headersTimeout, requestTimeout, keepAliveTimeout], [10_000, 30_000, 72_000])
    assert.equal(serverOptions.maxHeaderSize, 16_384)
    assert.equal(serverOptions.connectionsCheckingInterval, 2_000)
  })

  it('answers a service that decides later', async (t) => {
    const decision = { allowed: true, banned: false, limit: 9, remaining: 8, reset: 1, waitMs: 0 }
    const limiter = { consume: async () => decision, peek: async () => decision }
    const { connect } = await serve(t, { service: { limiter } })
    const wire = await connect()
    wire.write('nonsense\r\n\r\n')
    assertOnly(await wire.readAll(), 400, 'invalid_request')
  })
})

describe('the patience of a hardened server', { concurrency: true }, () => {
  it('gives up on headers that do not come', async (t) => {
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

  it('gives up on a body that does not come', async (t) => {
    const wire = await (await serve(t, stalled)).connect()
    wire.write(`${head('POST /v1/pets HTTP/1.1', 'Host: x', key, 'Content-Length: 50')}{"name"`)
    assertOnly(await wire.readAll(), 408, 'request_timeout')
  })

  for (const [what, lines] of [
    ['a body without a length', ['Transfer-Encoding: chunked']],
    ['a long body', ['Content-Length: 1000000']],
    ['a short body', ['Content-Length: 1000']],
    ['a body that waits to be asked for', ['Content-Length: 1000', 'Expect: 100-continue']],
  ] as const) {
    it(`closes, once it has refused ${what}, on who neither sends it nor goes`, async (t) => {
      const { connect, connections } = await serve(t, stalled)
      const wire = await connect()
      wire.write(head('POST /v1/pets HTTP/1.1', 'Host: x', ...lines))
      const answer = await wire.read()
      assert.equal(answer?.status, 401)
      assert.deepEqual(await wire.readAll(), [])
      assert.equal(await connections(), 0)
    })
  }
})

/** A store whose lists take so many milliseconds in turn, and are as long as was asked for. */
function slowStore(delays: readonly number[]): PetStore {
  let calls = 0
  return {
    create: () => assert.fail('not to be called'),
    get: () => undefined,
    list: async ({ limit }) => {
      await sleep(delays[calls++] ?? 0)
      return new Array(limit - 1).fill({ id: 1n, name: 'Rex', categoryId: 1n })
    },
  }
}
