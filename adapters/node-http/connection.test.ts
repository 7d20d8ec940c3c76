import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { createMemoryLimiter } from '../../core/index.ts'
import { stubStore } from '../../core/testing/stub-store.ts'
import { codeOf } from '../testing/exchange.ts'
import { listen, shut } from '../testing/listen.ts'
import { auth } from '../testing/mount-suite/open.ts'
import { openWire, serve, until } from '../testing/serve.ts'
import { connect, head, type Wire } from '../testing/wire.ts'
import { orderRequests } from './connection.ts'

const key = auth.zoo.join(': ')
const good = head('GET /v1/pets HTTP/1.1', 'Host: x', key)
const rex = '{"name":"Rex","categoryId":1}'
const post = head('POST /v1/pets HTTP/1.1', 'Host: x', key, `Content-Length: ${rex.length}`)

describe('pipelined requests', { concurrency: true }, () => {
  for (const count of [64, 2_000]) {
    it(`of which ${count} arrive together get 64 responses in order, and the last says close`, async (t) => {
      let id = 0
      let handled = 0
      const service = { requestId: () => String(id++), onResponse: () => handled++ }
      const { connect, connections } = await serve(t, { service })
      const wire = await connect()
      wire.write(good.repeat(count))
      const responses = await wire.readAll()
      assert.deepEqual(
        responses.map(({ headers }) => `${headers.get('x-request-id')} ${headers.get('connection')}`),
        Array.from({ length: 64 }, (_, i) => `${i} ${i < 63 ? 'keep-alive' : 'close'}`),
      )
      assert.equal(handled, 64)
      await until(async () => (await connections()) === 0)
    })
  }

  it('are served for as long as fewer than 64 wait, and the last may have a body that arrives late', async (t) => {
    const wire = await openWire(t)
    for (const bytes of [good.repeat(63), good.repeat(63) + post + rex.slice(0, 5)]) {
      wire.write(bytes)
      for (let i = 0; i < 63; i++) assert.equal((await wire.read())?.status, 200)
    }
    wire.write(rex.slice(5) + good)
    const [last, ...more] = await wire.readAll()
    assert.deepEqual([last?.status, last?.headers.get('connection'), more], [201, 'close', []])
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

  it('wait for a client that does not read, for 30 seconds, and are handled once it reads', async (t) => {
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

  it('count once where they are rejected in one write, and a client that goes on is banned', async (t) => {
    let now = 1_800_000_000_000
    const clock = () => now
    const { connect } = await serve(t, { service: { limiter: createMemoryLimiter({ clock }), clock } })
    const request = head('GET /v1/pets HTTP/1.1', 'Host: x', auth.free.join(': '))
    const burst = await connect()
    burst.write(request.repeat(64))
    const statuses = (await burst.readAll()).map(({ status }) => status)
    assert.deepEqual(statuses, [...Array(60).fill(200), ...Array(4).fill(429)])
    now += 1_000
    const wire = await connect()
    for (let rejection = 2; rejection <= 100; rejection++) {
      const expected = rejection < 100 ? 'rate_limit_exceeded' : 'api_key_banned'
      assert.equal(codeOf(await wire.ask(request)), expected, `rejection ${rejection}`)
    }
  })

  for (const how of ['resets', 'ends'] as const) {
    it(`leave nothing behind where their client ${how} before the responses`, async (t) => {
      const { connect, connections } = await serve(t)
      const wire = await connect()
      wire.write(good.repeat(1_000))
      assert.equal((await wire.read())?.status, 200)
      if (how === 'resets') wire.socket.resetAndDestroy()
      else wire.socket.end()
      await until(async () => (await connections()) === 0)
    })
  }
})

/** Sends too many requests at once on a new connection, so that all connections are read in slices. */
async function startSlicing(open: () => Promise<Wire>): Promise<void> {
  const wire = await open()
  wire.write(good.repeat(65))
  assert.equal((await wire.readAll()).length, 64)
}

describe('after a client sent too many requests at once, a connection', { concurrency: true }, () => {
  for (const when of ['before', 'after'] as const) {
    it(`that was opened ${when} that has at most 92 parsed requests`, async (t) => {
      let parsed = 0
      const { connect, server } = await serve(t)
      const early = await connect()
      await startSlicing(connect)
      server.on('request', () => parsed++)
      const wire = when === 'before' ? early : await connect()
      wire.write(head('GET / HTTP/1.1', 'Host:').repeat(2_000))
      assert.equal((await wire.readAll()).length, 64)
      assert.ok(parsed <= 92, `${parsed} were parsed`)
    })
  }

  it('may send a body of any length, behind other requests too, and a reader of the body that is slow', async (t) => {
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
    await startSlicing(connect)
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

  it('that changes its protocol passes every byte on', async (t) => {
    const { connect, server } = await serve(t)
    let received = ''
    server.on('upgrade', (_req, socket: Socket, first: Buffer) => {
      if (first.length > 0) socket.unshift(first)
      socket.on('end', () => socket.end())
      socket.on('data', (chunk: Buffer) => {
        received += chunk
      })
    })
    await startSlicing(connect)
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

  it('is read by Node again when it is opened a minute later', async (t) => {
    let now = 0
    let parsed = 0
    const server = createServer(() => parsed++)
    orderRequests(server, () => now)
    const port = await listen(server)
    t.after(() => shut(server))
    for (const [at, isSliced] of [
      [0, false],
      [59_999, true],
      [60_000, false],
    ] as const) {
      now = at
      parsed = 0
      const wire = await connect(port)
      wire.write(head('GET / HTTP/1.1', 'Host:').repeat(200))
      await until(async () => parsed > 60)
      for (let turn = 0; turn < 50; turn++) await nextLoop()
      assert.equal(parsed <= 92, isSliced, `${parsed} at ${at}`)
      wire.close()
    }
  })
})

for (const [what, request, status] of [
  ['list', good, 200],
  ['long list', good.replace('/pets', '/pets?limit=100'), 200],
  ['creation', post + rex, 201],
] as const)
  for (const isWindows of [false, true])
    it(`a ${what} is responded to where its client then ends its side${isWindows ? ', on Windows' : ''}`, async (t) => {
      const pet = { id: 1n, name: 'x'.repeat(200), categoryId: 1n }
      const store = stubStore({ create: () => pet, list: ({ limit }) => Array(limit).fill(pet) })
      const { connect, server } = await serve(t, { service: { store } })
      // There the end is seen in the phase in which data arrives.
      if (isWindows) server.prependListener('request', ({ socket }) => setImmediate(() => socket.push(null)))
      const wire = await connect()
      wire.socket.end(request)
      assert.equal((await wire.read())?.status, status)
    })
