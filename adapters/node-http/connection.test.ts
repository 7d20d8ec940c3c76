import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { createMemoryLimiter } from '../../core/index.ts'
import { stubStore } from '../../core/testing/stub-store.ts'
import { readCode } from '../testing/exchange.ts'
import { listen, shut } from '../testing/listen.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { openWire, serve, until } from '../testing/serve.ts'
import { connect, head, type Wire } from '../testing/wire.ts'
import { createNodeHandler } from './index.ts'

const key = auth.zoo.join(': ')
const good = head('GET /v1/pets HTTP/1.1', 'Host: x', key)
const rex = '{"name":"Rex","categoryId":1}'
const post = head('POST /v1/pets HTTP/1.1', 'Host: x', key, `Content-Length: ${rex.length}`)

/** Sends enough requests on a connection for its client to be read in slices from now on. */
async function flood(connect: () => Promise<Wire>): Promise<void> {
  const wire = await connect()
  wire.write(good.repeat(2_000))
  assert.deepEqual(await wire.readAll(), [])
}

describe('pipelined requests', { concurrency: true }, () => {
  it('get 64 responses in order', async (t) => {
    let id = 0
    const wire = await openWire(t, { service: { requestId: () => String(id++) } })
    for (let round = 0; round < 2; round++) {
      wire.write(good.repeat(64))
      for (let i = 0; i < 64; i++) {
        const { headers } = (await wire.read()) ?? assert.fail('no response')
        assert.equal(headers.get('x-request-id'), String(64 * round + i))
        assert.equal(headers.get('connection'), 'keep-alive')
      }
    }
  })

  for (const count of [65, 2_000]) {
    it(`destroy only their own connection if ${count} arrive together`, async (t) => {
      let handled = 0
      const { connect, connections } = await serve(t, { service: { onResponse: () => handled++ } })
      const other = await connect()
      const wire = await connect()
      wire.write(good.repeat(count))
      assert.deepEqual(await wire.readAll(), [])
      assert.ok(handled <= 1, `${handled} were handled`)
      other.write(good.repeat(64))
      for (let i = 0; i < 64; i++) assert.equal((await other.read())?.status, 200)
      assert.equal(await connections(), 1)
    })
  }

  it('are parsed in small parts if their client has sent too many before', async (t) => {
    let parsed = 0
    const { connect, server } = await serve(t)
    server.prependListener('request', () => parsed++)
    await flood(connect)
    const first = parsed
    await flood(connect)
    assert.ok(first > 500, `${first} requests of the first connection were parsed`)
    assert.ok(parsed - first < 200, `${parsed - first} requests of the second connection were parsed`)
  })

  it('may end with a body that arrives late', async (t) => {
    const wire = await openWire(t)
    wire.write(good.repeat(63) + post + rex.slice(0, 5))
    for (let i = 0; i < 63; i++) assert.equal((await wire.read())?.status, 200)
    wire.write(rex.slice(5) + good)
    for (const status of [201, 200]) assert.equal((await wire.read())?.status, status)
  })

  it('are handled one after the other', async (t) => {
    const waiting: (() => void)[] = []
    const list = () => new Promise<[]>((resolve) => waiting.push(() => resolve([])))
    const wire = await openWire(t, { service: { store: stubStore({ list }) } })
    wire.write(good.repeat(5))
    for (let i = 0; i < 5; i++) {
      await until(async () => waiting.length > i)
      for (let turn = 0; turn < 5; turn++) await nextLoop()
      assert.equal(waiting.length, i + 1)
      waiting[i]?.()
      assert.equal((await wire.read())?.status, 200)
    }
  })

  it('wait until their client reads', async (t) => {
    const name = 'x'.repeat(10_000)
    const large = Array.from({ length: 100 }, (_, i) => ({ id: BigInt(i), name, categoryId: 1n }))
    let handled = 0
    const { connect, sockets } = await serve(t, {
      service: { store: stubStore({ list: () => large }), onResponse: () => handled++ },
    })
    const { socket } = await connect()
    socket.removeAllListeners('data').pause()
    socket.write(good.replace('pets', 'pets?limit=99').repeat(60))
    await until(async () => sockets[0]?.timeout === 15_000)
    for (let turn = 0; turn < 200; turn++) await nextLoop()
    assert.ok(handled < 30, `${handled} were handled`)
    socket.resume()
    await until(async () => handled === 60 && Number(sockets[0]?.timeout) > 70_000)
  })

  it('rejected in one write count once towards a ban', async (t) => {
    let now = 1_800_000_000_000
    const clock = () => now
    const { connect } = await serve(t, { service: { limiter: createMemoryLimiter({ clock }), clock } })
    const request = head('GET /v1/pets HTTP/1.1', 'Host: x', auth.free.join(': '))
    const burst = await connect()
    burst.write(request.repeat(64))
    const statuses: unknown[] = []
    while (statuses.length < 64) statuses.push((await burst.read())?.status)
    assert.deepEqual(statuses, [...Array(60).fill(200), ...Array(4).fill(429)])
    now += 1_000
    const wire = await connect()
    for (let rejection = 2; rejection <= 100; rejection++) {
      const expected = rejection < 100 ? 'rate_limit_exceeded' : 'api_key_banned'
      assert.equal(readCode(await wire.ask(request)), expected, `rejection ${rejection}`)
    }
  })

  for (const how of ['resets', 'ends'] as const) {
    it(`leave nothing behind if their client ${how} early`, async (t) => {
      const { connect, connections } = await serve(t)
      const wire = await connect()
      wire.write(good.repeat(64))
      assert.equal((await wire.read())?.status, 200)
      if (how === 'resets') wire.socket.resetAndDestroy()
      else wire.socket.end()
      await until(async () => (await connections()) === 0)
    })
  }
})

for (const isSliced of [false, true])
  describe(`a connection${isSliced ? ' of a client that is read in slices' : ''}`, {
    concurrency: true,
  }, () => {
    it('carries bodies of any length, also to a slow reader', async (t) => {
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
      if (isSliced) await flood(connect)
      const wire = await connect()
      const json = `{"name":"Rex",${' '.repeat(60_000)}"categoryId":1}`
      const to = (path: string, framing: string) => head(`POST ${path} HTTP/1.1`, 'Host: x', key, framing)
      wire.write(`${good}${to('/v1/pets', `Content-Length: ${json.length}`)}${json}`)
      wire.write(to('/v1/pets', 'Transfer-Encoding: chunked'))
      wire.write(
        `${json.replace(/.{1,1000}/g, (part) => `${part.length.toString(16)}\r\n${part}\r\n`)}0\r\n\r\n`,
      )
      wire.write(`${to('/slow', 'Content-Length: 100000')}${'x'.repeat(100_000)}${good}`)
      for (const status of [200, 201, 201, 200, 200]) assert.equal((await wire.read())?.status, status)
      assert.equal(received, 100_000)
    })

    it('passes every byte on after a change of its protocol', async (t) => {
      const { connect, server } = await serve(t)
      if (isSliced) await flood(connect)
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
      const change = head('GET /chat HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: chat')
      wire.write(good.repeat(20) + change + sent)
      await until(async () => received.length === sent.length)
      wire.write('more')
      await until(async () => received === `${sent}more`)
      for (let i = 0; i < 20; i++) assert.equal((await wire.read())?.status, 200)
      wire.close()
    })
  })

const upgrade = ['Connection: Upgrade', 'Upgrade: websocket']
const chunked = `${'x'.repeat(5)}`
/** Requests that leave no byte of their connection trustworthy. */
const untrusted: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
  'an Upgrade': [head('GET /v1/pets HTTP/1.1', 'Host: x', key, ...upgrade), 200],
  'an Upgrade of a request with a body': [
    `${head('POST /v1/pets HTTP/1.1', 'Host: x', key, ...upgrade, 'Content-Length: 2')}{}`,
    400,
  ],
  'a transfer coding before chunked': [
    `${head('POST /v1/pets HTTP/1.1', 'Host: x', key, 'Transfer-Encoding: gzip, chunked')}5\r\n${chunked}\r\n0\r\n\r\n`,
    400,
  ],
  'a repeated transfer coding': [
    `${head('POST /v1/pets HTTP/1.1', 'Host: x', key, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}5\r\n${chunked}\r\n0\r\n\r\n`,
    400,
  ],
}

describe('the last request of a connection', { concurrency: true }, () => {
  for (const [what, [bytes, status]] of Object.entries(untrusted)) {
    for (const [where, separate] of [
      ['in the same packet', false],
      ['in a later packet', true],
    ] as const) {
      it(`has ${what}: a request ${where} is ignored`, async (t) => {
        const events: unknown[] = []
        const { connect } = await serve(t, { service: { onResponse: (event) => events.push(event.status) } })
        const wire = await connect()
        wire.write(separate ? bytes : bytes + good)
        await nextLoop()
        if (separate) wire.write(good)
        const [response, ...more] = await wire.readAll()
        assert.deepEqual([response?.status, response?.headers.get('connection'), more], [status, 'close', []])
        assert.deepEqual(events, [status])
      })
    }
  }

  it('of another route has an Upgrade', async (t) => {
    const server = createServer(
      createNodeHandler(testService(), { fallback: (_req, res) => res.end('page') }),
    )
    const port = await listen(server)
    t.after(() => shut(server))
    const wire = await connect(port)
    wire.write(head('GET /page HTTP/1.1', 'Host: x', ...upgrade) + good)
    const [response, ...more] = await wire.readAll()
    assert.deepEqual([response?.text, response?.headers.get('connection'), more], ['page', 'close', []])
  })

  for (const [what, lines] of [
    ['Connection: close', ['GET /v1/pets HTTP/1.1', 'Host: x', key, 'Connection: close']],
    ['HTTP/1.0', ['GET /v1/pets HTTP/1.0', key]],
  ] as const) {
    for (const after of [good, 'nonsense\r\n\r\n']) {
      const name = after === good ? 'a request' : 'nonsense'
      it(`may have ${what}: ${name} after it is not charged`, async (t) => {
        const events: unknown[] = []
        const { connect } = await serve(t, { service: { onResponse: (event) => events.push(event.status) } })
        const wire = await connect()
        wire.write(head(...lines) + after)
        const statuses = (await wire.readAll()).map(({ status }) => status)
        assert.deepEqual([statuses, events], [[200], [200]])
      })
    }
  }
})

it('a late response reaches a client that has ended its side', async (t) => {
  let respond = () => {}
  const list = () =>
    new Promise<[]>((resolve) => {
      respond = () => resolve([])
    })
  const { connect, sockets, connections } = await serve(t, { service: { store: stubStore({ list }) } })
  const wire = await connect()
  wire.socket.end(good)
  await until(async () => sockets[0]?.readableEnded === true)
  respond()
  const [response, ...more] = await wire.readAll()
  assert.deepEqual([response?.status, more], [200, []])
  await until(async () => (await connections()) === 0)
})

for (const [what, request, status] of [
  ['list', good, 200],
  ['long list', good.replace('/pets', '/pets?limit=100'), 200],
  ['creation', post + rex, 201],
] as const)
  for (const isWindows of [false, true]) {
    const system = isWindows ? 'Windows' : 'POSIX'
    it(`a ${what} reaches a client that ended its side (${system})`, async (t) => {
      const pet = { id: 1n, name: 'x'.repeat(200), categoryId: 1n }
      const store = stubStore({ create: () => pet, list: ({ limit }) => Array(limit).fill(pet) })
      const { connect, server } = await serve(t, { service: { store } })
      // On Windows, the end arrives in the same phase as data.
      if (isWindows) server.prependListener('request', ({ socket }) => setImmediate(() => socket.push(null)))
      const wire = await connect()
      wire.socket.end(request)
      assert.equal((await wire.read())?.status, status)
    })
  }
