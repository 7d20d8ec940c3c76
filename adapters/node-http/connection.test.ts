import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate as nextLoop } from 'node:timers/promises'
import type { PetStore } from '../../core/index.ts'
import { stubStore } from '../../core/testing/stub-store.ts'
import { listen, shut } from '../testing/listen.ts'
import { auth } from '../testing/mount-suite/open.ts'
import { serve, until } from '../testing/serve.ts'
import { connect, head, type Wire } from '../testing/wire.ts'
import { orderRequests } from './connection.ts'

const key = auth.zoo.join(': ')
const good = head('GET /v1/pets HTTP/1.1', 'Host: x', key)
const rex = '{"name":"Rex","categoryId":1}'
const post = head('POST /v1/pets HTTP/1.1', 'Host: x', key, `Content-Length: ${rex.length}`)

/** A store whose lists wait until the test releases them. */
function heldStore(): { store: PetStore; waiting: (() => void)[] } {
  const waiting: (() => void)[] = []
  const list = () => new Promise<[]>((resolve) => waiting.push(() => resolve([])))
  return { waiting, store: stubStore({ list }) }
}

/** Returns the request id of each response until the peer closes, and whether it says that the connection closes. */
async function idsOf(wire: Wire): Promise<readonly string[]> {
  const responses = await wire.readAll()
  return responses.map(
    ({ headers }) => `${headers.get('x-request-id')}${headers.get('connection') === 'close' ? ' close' : ''}`,
  )
}

describe('pipelined requests', { concurrency: true }, () => {
  for (const count of [64, 65, 2_000]) {
    it(`of which ${count} arrive together get 64 responses in order, and the last says close`, async (t) => {
      let id = 0
      let handled = 0
      const service = { requestId: () => String(id++), onResponse: () => handled++ }
      const { connect, connections } = await serve(t, { service })
      const wire = await connect()
      wire.write(good.repeat(count))
      const expected = Array.from({ length: 64 }, (_, i) => String(i))
      assert.deepEqual(await idsOf(wire), expected.with(63, '63 close'))
      assert.equal(handled, 64)
      await until(async () => (await connections()) === 0)
    })
  }

  it('are served for as long as fewer than 64 wait', async (t) => {
    const { connect } = await serve(t)
    const wire = await connect()
    for (let round = 0; round < 3; round++) {
      wire.write(good.repeat(63))
      for (let i = 0; i < 63; i++) assert.equal((await wire.read())?.status, 200)
    }
  })

  it('may have a body in the last that is handled, which arrives late', async (t) => {
    const { connect } = await serve(t)
    const wire = await connect()
    wire.write(good.repeat(63) + post + rex.slice(0, 5))
    for (let i = 0; i < 63; i++) assert.equal((await wire.read())?.status, 200)
    wire.write(rex.slice(5) + good)
    const [last, ...more] = await wire.readAll()
    assert.deepEqual([last?.status, last?.headers.get('connection'), more], [201, 'close', []])
  })

  it('are handled one after the other', async (t) => {
    const { store, waiting } = heldStore()
    const { connect } = await serve(t, { service: { store } })
    const wire = await connect()
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
    const { connect, server } = await serve(t, {
      service: { store: stubStore({ list: () => large }), onResponse: () => handled++ },
    })
    let served: Socket | undefined
    server.on('connection', (socket: Socket) => {
      served = socket
    })
    const { socket } = await connect()
    socket.removeAllListeners('data').pause()
    socket.write(good.replace('pets', 'pets?limit=99').repeat(60))
    await until(async () => served?.timeout === 15_000)
    for (let turn = 0; turn < 200; turn++) await nextLoop()
    assert.ok(handled < 30, `${handled} were handled`)
    socket.resume()
    await until(async () => handled === 60 && (served?.timeout ?? 0) > 70_000)
  })

  it('are handled a few in each turn of the event loop', async (t) => {
    let handled = 0
    const { connect } = await serve(t, { service: { onResponse: () => handled++ } })
    const wires = await Promise.all(Array.from({ length: 40 }, connect))
    for (const wire of wires) wire.write(good.repeat(20))
    let most = 0
    for (let before = 0; handled < 800; before = handled) {
      await nextLoop()
      if (before >= 40) most = Math.max(most, handled - before)
    }
    assert.ok(most <= 16, `${most} in a turn`)
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

it('bodies in chunks of one byte are parsed a few slices of a connection in a turn of the event loop', async (t) => {
  let chunks = 0
  const { connect } = await serve(t, {
    listener: (mount) => (req, res) => {
      if (req.url === '/elsewhere') req.on('data', () => chunks++)
      else mount(req, res)
    },
  })
  const chunked = (path: string) =>
    `${head(`POST ${path} HTTP/1.1`, 'Host: x', key, 'Transfer-Encoding: chunked')}${'1\r\nx\r\n'.repeat(9_000)}`
  const first = await connect()
  first.write(chunked('/v1/pets'))
  await nextLoop()
  const wires = await Promise.all(Array.from({ length: 10 }, connect))
  for (const wire of wires) wire.write(chunked('/elsewhere'))
  let most = 0
  for (let before = 0; chunks < 90_000; before = chunks) {
    await nextLoop()
    most = Math.max(most, chunks - before)
  }
  assert.ok(most <= 6_000, `${most} of 90,000 in a turn`)
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
    const sized = (path: string, length: number) =>
      head(`POST ${path} HTTP/1.1`, 'Host: x', key, `Content-Length: ${length}`)
    wire.write(
      `${good}${sized('/v1/pets', json.length)}${json}${good}${head('POST /v1/pets HTTP/1.1', 'Host: x', key, 'Transfer-Encoding: chunked')}`,
    )
    for (let at = 0; at < json.length; at += 1_000) {
      const part = json.slice(at, at + 1_000)
      wire.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    }
    wire.write(`0\r\n\r\n${sized('/slow', 100_000)}${'x'.repeat(100_000)}${good}`)
    const statuses: unknown[] = []
    for (let i = 0; i < 6; i++) statuses.push((await wire.read())?.status)
    assert.deepEqual([...statuses, received], [200, 201, 200, 201, 200, 200, 100_000])
  })

  it('that sends what cannot be parsed behind good requests gets the response to that last', async (t) => {
    const { connect } = await serve(t)
    await startSlicing(connect)
    const wire = await connect()
    wire.write(`${good.repeat(50)}nonsense\r\n\r\n${good}`)
    const responses = await wire.readAll()
    assert.deepEqual(
      responses.map(({ status }) => status),
      [...new Array<number>(50).fill(200), 400],
    )
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
    const wires: Wire[] = []
    t.after(() => {
      for (const wire of wires) wire.close()
      return shut(server)
    })
    for (const [at, isSliced] of [
      [0, false],
      [59_999, true],
      [60_000, false],
    ] as const) {
      now = at
      parsed = 0
      const wire = await connect(port)
      wires.push(wire)
      wire.write(head('GET / HTTP/1.1', 'Host:').repeat(200))
      await until(async () => parsed > 60)
      for (let turn = 0; turn < 50; turn++) await nextLoop()
      assert.equal(parsed <= 92, isSliced, `${parsed} at ${at}`)
    }
  })
})

for (const request of [good, post + rex]) {
  it(`a ${request.split(' ')[0]} is responded to where its client then ends its side of the connection`, async (t) => {
    const wire = await (await serve(t)).connect()
    wire.socket.end(request)
    assert.equal((await wire.read())?.status, request === good ? 200 : 201)
  })

  it(`a ${request.split(' ')[0]} is responded to where the end of the connection is seen in the same phase`, async (t) => {
    const { connect, server } = await serve(t)
    server.prependListener('request', ({ socket }) => setImmediate(() => socket.emit('end'))) // as on Windows
    const wire = await connect()
    wire.socket.end(request)
    assert.equal((await wire.read())?.status, request === good ? 200 : 201)
  })
}
