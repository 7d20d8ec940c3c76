import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate as nextLoop, setTimeout as sleep } from 'node:timers/promises'
import { createMemoryLimiter, type PetService } from '../../core/index.ts'
import { measureMemoryInUse } from '../../core/testing/memory-in-use.ts'
import { createStubStore } from '../../core/testing/stub-store.ts'
import { readCode } from '../testing/exchange.ts'
import { closeServer, listen } from '../testing/listen.ts'
import { authHeaders, createTestService } from '../testing/mount-suite/open-mount.ts'
import { serve, serveAndConnect, waitUntil } from '../testing/serve.ts'
import { connect, formatHead, type Wire } from '../testing/wire.ts'
import { createNodeHandler, hardenServer, requireKey, serverOptions } from './index.ts'

const keyHeader = authHeaders.zoo.join(': ')
const listRequest = formatHead('GET /v1/pets HTTP/1.1', 'Host: x', keyHeader)
const rex = '{"name":"Rex","categoryId":1}'
const createHead = formatHead('POST /v1/pets HTTP/1.1', 'Host: x', keyHeader, `Content-Length: ${rex.length}`)

/** Formats a createPet request with a chunked body. */
const formatChunkedPost = (text: string, bytes: number) =>
  `${formatHead('POST /v1/pets HTTP/1.1', 'Host: x', keyHeader, 'Transfer-Encoding: chunked')}${text.replace(
    new RegExp(`.{1,${bytes}}`, 'g'),
    (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
  )}0\r\n\r\n`

const largeHeadRequest = formatHead('GET /v1/pets HTTP/1.1', 'Host: x', keyHeader, `X: ${'x'.repeat(16_000)}`)

describe('pipelined requests', { concurrency: true }, () => {
  it('are handled in order', async (t) => {
    let id = 0
    const wire = await serveAndConnect(t, { service: { requestId: () => String(id++) } })
    for (let round = 0; round < 2; round++) {
      wire.write(listRequest.repeat(16))
      for (let i = 0; i < 16; i++) {
        const { headers } = (await wire.read()) ?? assert.fail('no response')
        assert.equal(headers.get('x-request-id'), String(16 * round + i))
        assert.equal(headers.get('connection'), 'keep-alive')
      }
    }
  })

  for (const [what, bytes, handled] of [
    ['17 requests', listRequest.repeat(17), 1],
    ['2,000 requests', listRequest.repeat(2_000), 1],
    ['two bodies', `${createHead}${rex}${createHead}${rex}`, 1],
    ['more than 64 KiB of heads', largeHeadRequest.repeat(5), 2],
  ] as const) {
    it(`destroy their connection beyond a limit (${what})`, async (t) => {
      let responses = 0
      const { connect, countConnections } = await serve(t, { service: { onResponse: () => responses++ } })
      const other = await connect()
      const wire = await connect()
      wire.write(bytes)
      assert.ok((await wire.readAll()).length <= handled)
      assert.ok(responses <= handled, `${responses} were handled`)
      other.write(listRequest.repeat(16))
      for (let i = 0; i < 16; i++) assert.equal((await other.read())?.status, 200)
      assert.equal(await countConnections(), 1)
    })
  }

  it('create only errors without stacks when their connection is destroyed', async (t) => {
    const errors: Error[] = []
    const { connect } = await serve(t, {
      listener: () => (req) => req.on('error', (error) => errors.push(error)), // never responds
    })
    const wire = await connect()
    wire.write(listRequest.repeat(17))
    assert.deepEqual(await wire.readAll(), [])
    assert.deepEqual(errors.map(String), ['Error: aborted'])
    assert.doesNotMatch(errors[0]?.stack ?? '', / at /)
    assert.match(new Error('a later error').stack ?? '', / at /)
  })

  it('may include one body and nearly 64 KiB of heads', async (t) => {
    const wire = await serveAndConnect(t)
    wire.write(
      largeHeadRequest.repeat(4).replaceAll('x'.repeat(16_000), 'x'.repeat(15_000)) + createHead + rex,
    )
    for (const status of [200, 200, 200, 200, 201]) assert.equal((await wire.read())?.status, status)
  })

  it('may end with a body that arrives later', async (t) => {
    const wire = await serveAndConnect(t)
    wire.write(listRequest.repeat(15) + createHead + rex.slice(0, 5))
    for (let i = 0; i < 15; i++) assert.equal((await wire.read())?.status, 200)
    wire.write(rex.slice(5) + listRequest)
    for (const status of [201, 200]) assert.equal((await wire.read())?.status, status)
  })

  for (const [what, request] of [
    ['Content-Length', createHead + rex],
    ['one chunk', formatChunkedPost(rex, 100)],
    ['one-byte chunks', formatChunkedPost(rex, 1)],
  ] as const)
    it(`lose no part of a waiting body (${what})`, async (t) => {
      let respond = () => {}
      const list = () =>
        new Promise<[]>((resolve) => {
          respond = () => resolve([])
        })
      const { connect, sockets } = await serve(t, {
        service: { store: createStubStore({ list, create: (pet) => ({ id: 1n, ...pet }) }) },
        listener: (mount) => (req, res) => {
          if (req.url !== '/other') return mount(req, res)
          let text = ''
          req.on('data', (chunk) => {
            text += chunk
          })
          return req.on('end', () => res.end(text))
        },
      })
      for (const [path, status] of [
        ['/v1/pets', 201],
        ['/other', 200],
      ] as const) {
        const wire = await connect()
        const sent = listRequest + request.replace('/v1/pets', path)
        wire.write(sent)
        await waitUntil(async () => sockets.at(-1)?.bytesRead === sent.length)
        respond()
        assert.equal((await wire.read())?.status, 200)
        const response = await wire.read('POST')
        assert.deepEqual([response?.status, response?.text.includes('Rex')], [status, true])
      }
    })

  it('reach the store one at a time', async (t) => {
    const waiting: (() => void)[] = []
    const list = () => new Promise<[]>((resolve) => waiting.push(() => resolve([])))
    const wire = await serveAndConnect(t, { service: { store: createStubStore({ list }) } })
    wire.write(listRequest.repeat(5))
    for (let i = 0; i < 5; i++) {
      await waitUntil(async () => waiting.length > i)
      for (let turn = 0; turn < 5; turn++) await nextLoop()
      assert.equal(waiting.length, i + 1)
      waiting[i]?.()
      assert.equal((await wire.read())?.status, 200)
    }
  })

  it('do not inherit an AsyncLocalStorage context', async (t) => {
    const context = new AsyncLocalStorage<string>()
    const contexts: unknown[] = []
    const { connect } = await serve(t, {
      listener: (mount) => (req, res) => {
        contexts.push(context.getStore())
        context.run(req.url ?? '', () => mount(req, res))
      },
    })
    const wire = await connect()
    wire.write(listRequest.repeat(3))
    for (let i = 0; i < 3; i++) assert.equal((await wire.read())?.status, 200)
    assert.deepEqual(contexts, [undefined, undefined, undefined])
  })

  it('are held back while the client does not read responses', async (t) => {
    const name = 'x'.repeat(10_000)
    const large = Array.from({ length: 100 }, (_, i) => ({ id: BigInt(i), name, categoryId: 1n }))
    let handled = 0
    const { connect, sockets } = await serve(t, {
      service: { store: createStubStore({ list: () => large }), onResponse: () => handled++ },
    })
    const { socket } = await connect()
    socket.removeAllListeners('data').pause()
    socket.write(listRequest.replace('pets', 'pets?limit=99').repeat(16))
    await waitUntil(async () => sockets[0]?.timeout === 15_000)
    const read = sockets[0]?.bytesRead
    socket.write('GET /v1/pets')
    await sleep(20)
    assert.ok(handled < 16, `${handled} were handled`)
    assert.equal(sockets[0]?.bytesRead, read)
    socket.resume()
    await waitUntil(async () => handled === 16 && Number(sockets[0]?.timeout) > 70_000)
    await waitUntil(async () => Number(sockets[0]?.bytesRead) > Number(read))
  })

  it('count once toward a ban if they are rejected together', async (t) => {
    let now = 1_800_000_000_000
    const clock = () => now
    const { connect } = await serve(t, { service: { limiter: createMemoryLimiter({ clock }), clock } })
    const request = formatHead('GET /v1/pets HTTP/1.1', 'Host: x', authHeaders.free.join(': '))
    const wire = await connect()
    for (const status of [200, 200, 200, 200, 429]) {
      wire.write(request.repeat(15))
      for (let i = 0; i < 15; i++) assert.equal((await wire.read())?.status, status)
    }
    now += 1_000
    for (let rejection = 2; rejection <= 100; rejection++) {
      const expected = rejection < 100 ? 'rate_limit_exceeded' : 'api_key_banned'
      assert.equal(readCode(await wire.ask(request)), expected, `rejection ${rejection}`)
    }
  })

  for (const how of ['resets', 'ends'] as const) {
    it(`leave no connection open when the client ${how}`, async (t) => {
      const { connect, countConnections } = await serve(t)
      const wire = await connect()
      wire.write(listRequest.repeat(16))
      assert.equal((await wire.read())?.status, 200)
      if (how === 'resets') wire.socket.resetAndDestroy()
      else wire.socket.end()
      await waitUntil(async () => (await countConnections()) === 0)
    })
  }
})

/** Formats a listPets request with the given number of headers. */
const formatManyHeaders = (count: number, name: (i: number) => string) =>
  formatHead('GET /v1/pets HTTP/1.1', 'Host: x', ...Array.from({ length: count }, (_, i) => `${name(i)}:`))
const longBody = 'x'.repeat(60_000)

describe('a connection with pipelined requests', () => {
  for (const [what, bytes] of [
    ['16 requests', listRequest.repeat(16)],
    ['48 KiB of heads', listRequest + largeHeadRequest.repeat(3)],
    ['more than 64 KiB of heads', listRequest + largeHeadRequest.repeat(15)],
    ['600 short headers', listRequest + formatManyHeaders(40, (i) => `x${i}`).repeat(15)],
    ['4,000 short headers', listRequest + formatManyHeaders(250, (i) => `x${i}`).repeat(15)],
    ['headers whose names are numbers', listRequest + formatManyHeaders(1, () => '1000').repeat(15)],
    ['a body', listRequest + createHead.replace(/: \d+\r\n\r\n/, `: ${longBody.length}\r\n\r\n`) + longBody],
    ['several bodies', listRequest + (createHead + rex).repeat(10)],
    ['a body in one-byte chunks', listRequest + formatChunkedPost('x'.repeat(10_000), 1)],
  ] as const)
    it(`takes less than 150 kB for ${what}`, async (t) => {
      const server = createServer(serverOptions, () => {}) // never responds
      hardenServer(server, createTestService())
      const port = await listen(server)
      t.after(() => closeServer(server))
      const before = measureMemoryInUse()
      const wires: Wire[] = []
      for (let i = 0; i < 10; i++) {
        const wire = await connect(port)
        wires.push(wire)
        wire.write(bytes)
        for (let turn = 0; turn < 10; turn++) await sleep(2)
      }
      const cost = (measureMemoryInUse() - before) / 10
      for (const wire of wires) wire.close()
      assert.ok(cost < 150_000, `${cost} bytes`)
    })
})

describe('a hardened server', { concurrency: true }, () => {
  it('passes each pipelined body to its route', async (t) => {
    let received = 0
    const { connect } = await serve(t, {
      listener: (mount) => (req, res) => {
        if (req.url !== '/slow') return mount(req, res)
        req.on('data', (chunk) => {
          received += chunk.length
          req.pause()
          setTimeout(() => req.resume(), 1)
        })
        return req.on('end', () => res.end(String(received)))
      },
    })
    const wire = await connect()
    const json = `{"name":"Rex",${' '.repeat(60_000)}"categoryId":1}`
    const to = (path: string, body: string) =>
      formatHead(`POST ${path} HTTP/1.1`, 'Host: x', keyHeader, `Content-Length: ${body.length}`) + body
    for (const [bytes, statuses] of [
      [listRequest + to('/v1/pets', json), [200, 201]],
      [listRequest + formatChunkedPost(json, 1_000), [200, 201]],
      [to('/slow', 'x'.repeat(100_000)) + listRequest, [200, 200]],
      [listRequest + to('/slow', 'x'.repeat(100_000)) + listRequest, [200, 200, 200]],
    ] as const) {
      wire.write(bytes)
      for (const status of statuses) assert.equal((await wire.read())?.status, status)
    }
    assert.equal(received, 200_000)
  })

  it('passes on an upgrade after earlier requests', async (t) => {
    const { connect, server } = await serve(t)
    let received = ''
    server.on('upgrade', (_req, socket: Socket, first: Buffer) => {
      if (first.length > 0) socket.unshift(first)
      socket.on('end', () => socket.end())
      socket.on('data', (chunk: Buffer) => {
        received += chunk
      })
    })
    const wire = await connect()
    const sent = Array.from({ length: 10_000 }, (_, i) => `${i} `).join('')
    const change = formatHead('GET /chat HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: chat')
    wire.write(listRequest.repeat(15) + change + sent)
    await waitUntil(async () => received.length === sent.length)
    wire.write('more')
    await waitUntil(async () => received === `${sent}more`)
    for (let i = 0; i < 15; i++) assert.equal((await wire.read())?.status, 200)
    wire.close()
  })
})

const upgradeHeaders = ['Connection: Upgrade', 'Upgrade: websocket']
/** Requests after which a connection must close, with their status. */
const finalRequests: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
  'an Upgrade': [formatHead('GET /v1/pets HTTP/1.1', 'Host: x', keyHeader, ...upgradeHeaders), 200],
  'an Upgrade with a body': [
    `${formatHead('POST /v1/pets HTTP/1.1', 'Host: x', keyHeader, ...upgradeHeaders, 'Content-Length: 2')}{}`,
    400,
  ],
  'a transfer coding before chunked': [
    `${formatHead('POST /v1/pets HTTP/1.1', 'Host: x', keyHeader, 'Transfer-Encoding: gzip, chunked')}5\r\nxxxxx\r\n0\r\n\r\n`,
    400,
  ],
  'more than 256 headers': [
    formatHead('GET /v1/pets HTTP/1.1', 'Host: x', keyHeader, ...Array<string>(256).fill('a:')),
    431,
  ],
  'a transfer coding in HTTP/1.0': [
    `${formatHead('POST /v1/pets HTTP/1.0', keyHeader, 'Connection: keep-alive', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    400,
  ],
  'a repeated transfer coding': [
    `${formatHead('POST /v1/pets HTTP/1.1', 'Host: x', keyHeader, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}5\r\nxxxxx\r\n0\r\n\r\n`,
    400,
  ],
}

describe('a connection', { concurrency: true }, () => {
  for (const [what, [bytes, status]] of Object.entries(finalRequests)) {
    for (const [where, separate] of [
      ['same packet', false],
      ['later packet', true],
    ] as const) {
      it(`ignores a request after ${what} (${where})`, async (t) => {
        const events: unknown[] = []
        const { connect } = await serve(t, { service: { onResponse: (event) => events.push(event.status) } })
        const wire = await connect()
        wire.write(separate ? bytes : bytes + listRequest)
        await nextLoop()
        if (separate) wire.write(listRequest)
        const [response, ...more] = await wire.readAll()
        assert.deepEqual([response?.status, response?.headers.get('connection'), more], [status, 'close', []])
        assert.deepEqual(events, [status])
      })
    }
  }

  for (const [what, [bytes]] of Object.entries(finalRequests))
    for (const [where, prepare] of [
      ['mount', (_service: PetService, mount: RequestListener) => mount],
      [
        'slow middleware',
        (_service: PetService, mount: RequestListener): RequestListener =>
          async (req, res) => {
            await sleep(5)
            mount(req, res)
          },
      ],
      [
        'requireKey',
        (service: PetService): RequestListener =>
          (req, res) => {
            void requireKey(service)(req, res, () => res.end('own'))
          },
      ],
    ] as const)
      it(`passes nothing on after ${what} (${where})`, async (t) => {
        const reached: unknown[] = []
        const { connect, server } = await serve(t, {
          listener: (mount, service) => {
            const first = prepare(service, mount)
            return (req, res) => {
              reached.push(req.url)
              first(req, res)
            }
          },
        })
        for (const event of ['upgrade', 'connect'])
          server.on(event, (_req, socket: Socket) => {
            reached.push(event)
            socket.destroy()
          })
        for (const next of [
          formatHead('GET /other HTTP/1.1', 'Host: x'),
          formatHead('GET /other HTTP/1.1', 'Host: x', 'Expect: 100-continue'),
          formatHead('CONNECT x:1 HTTP/1.1', 'Host: x'),
          formatHead('GET /chat HTTP/1.1', 'Host: x', ...upgradeHeaders),
        ]) {
          if (what.includes('Upgrade')) server.removeAllListeners('upgrade')
          const wire = await connect()
          wire.write(bytes + next)
          assert.equal((await wire.readAll()).length, 1)
        }
        const others = reached.filter((what) => what !== '/v1/pets') // Node itself rejects some of the requests
        assert.deepEqual(others, [])
      })

  it('closes after an Upgrade request without hardenServer', async (t) => {
    const server = createServer(
      createNodeHandler(createTestService(), { fallback: (_req, res) => res.end('page') }),
    )
    const port = await listen(server)
    t.after(() => closeServer(server))
    const wire = await connect(port)
    wire.write(formatHead('GET /page HTTP/1.1', 'Host: x', ...upgradeHeaders) + listRequest)
    const [response, ...more] = await wire.readAll()
    assert.deepEqual([response?.text, response?.headers.get('connection'), more], ['page', 'close', []])
  })

  for (const [what, lines] of [
    ['Connection: close', ['GET /v1/pets HTTP/1.1', 'Host: x', keyHeader, 'Connection: close']],
    ['an HTTP/1.0 request', ['GET /v1/pets HTTP/1.0', keyHeader]],
  ] as const) {
    for (const after of [listRequest, 'nonsense\r\n\r\n']) {
      const name = after === listRequest ? 'a request' : 'nonsense'
      it(`ignores ${name} after ${what}`, async (t) => {
        const events: unknown[] = []
        const { connect } = await serve(t, { service: { onResponse: (event) => events.push(event.status) } })
        const wire = await connect()
        wire.write(formatHead(...lines) + after)
        const statuses = (await wire.readAll()).map(({ status }) => status)
        assert.deepEqual([statuses, events], [[200], [200]])
      })
    }
  }
})

it('a client that ends its side receives the pending response', async (t) => {
  let respond = () => {}
  const list = () =>
    new Promise<[]>((resolve) => {
      respond = () => resolve([])
    })
  const { connect, sockets, countConnections } = await serve(t, {
    service: { store: createStubStore({ list }) },
  })
  const wire = await connect()
  wire.socket.end(listRequest)
  await waitUntil(async () => sockets[0]?.readableEnded === true)
  respond()
  const [response, ...more] = await wire.readAll()
  assert.deepEqual([response?.status, more], [200, []])
  await waitUntil(async () => (await countConnections()) === 0)
})

for (const [what, request, status] of [
  ['list', listRequest, 200],
  ['long list', listRequest.replace('/pets', '/pets?limit=100'), 200],
  ['creation', createHead + rex, 201],
] as const)
  for (const isWindows of [false, true]) {
    const system = isWindows ? 'Windows' : 'POSIX'
    it(`a client that ends its side receives a ${what} response (${system})`, async (t) => {
      const pet = { id: 1n, name: 'x'.repeat(200), categoryId: 1n }
      const store = createStubStore({ create: () => pet, list: ({ limit }) => Array(limit).fill(pet) })
      const { connect, server } = await serve(t, { service: { store } })
      // On Windows, the `end` event and the data arrive in the same phase of the event loop.
      if (isWindows) server.prependListener('request', ({ socket }) => setImmediate(() => socket.push(null)))
      const wire = await connect()
      wire.socket.end(request)
      assert.equal((await wire.read())?.status, status)
    })
  }
