import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as nextLoop } from 'node:timers/promises'
import type { PetStore } from '../../core/index.ts'
import { stubStore } from '../../core/testing/stub-store.ts'
import { codeOf } from '../testing/exchange.ts'
import { listen, shut } from '../testing/listen.ts'
import { auth } from '../testing/mount-suite/open.ts'
import { serve, until } from '../testing/serve.ts'
import { connect, head, type Wire } from '../testing/wire.ts'
import { boundPipelining } from './pipelining.ts'

const key = auth.zoo.join(': ')
const good = head('GET /v1/pets HTTP/1.1', 'Host: x', key)
const tiny = head('GET / HTTP/1.1', 'Host:')
const post = (...lines: readonly string[]) => head('POST /v1/pets HTTP/1.1', 'Host: x', key, ...lines)

/** Resolves with a number once it no longer grows. */
async function stable(count: () => number): Promise<number> {
  let [before, same] = [-1, 0]
  await until(async () => {
    same = count() === before ? same + 1 : 0
    before = count()
    return same === 10
  })
  return before
}

/** Pipelines many requests on a new connection, so that all connections are read in slices, and closes it. */
async function startSlicing(open: () => Promise<Wire>): Promise<void> {
  const wire = await open()
  wire.write(tiny.repeat(100))
  for (let i = 0; i < 100; i++) assert.ok(await wire.read())
  wire.close()
}

/** A store whose lists wait until the test releases them. */
function heldStore(): { store: PetStore; waiting: (() => void)[] } {
  const waiting: (() => void)[] = []
  const list = () => new Promise<[]>((resolve) => waiting.push(() => resolve([])))
  return { waiting, store: stubStore({ list }) }
}

describe('pipelined requests', { concurrency: true }, () => {
  it('all get their responses in order, however many arrive together', async (t) => {
    let id = 0
    const { connect } = await serve(t, { service: { requestId: () => String(id++) } })
    for (const round of [0, 1]) {
      const wire = await connect()
      wire.write(good.repeat(200))
      for (let i = 0; i < 200; i++) {
        const response = await wire.read()
        assert.deepEqual(
          [response?.status, response?.headers.get('x-request-id')],
          [200, `${round * 200 + i}`],
        )
      }
    }
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
      service: {
        store: stubStore({ list: () => large }),
        onResponse: () => handled++,
      },
    })
    let served: Socket | undefined
    server.on('connection', (socket: Socket) => {
      served = socket
    })
    const { socket } = await connect()
    socket.removeAllListeners('data').pause()
    socket.write(good.replace('pets', 'pets?limit=99').repeat(100))
    await until(async () => served?.timeout === 15_000)
    assert.ok((await stable(() => handled)) < 50, `${handled} were handled`)
    let received = 0
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1').split('HTTP/1.1 200').length - 1
    })
    socket.resume()
    await until(async () => handled === 100 && received >= 99 && (served?.timeout ?? 0) > 70_000)
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
    for (const wire of wires) for (let i = 0; i < 20; i++) assert.equal((await wire.read())?.status, 200)
  })
})

describe('bodies in chunks of one byte', () => {
  it('are parsed a few slices of a connection in a turn of the event loop', async (t) => {
    let chunks = 0
    const listener = (mount: RequestListener) => (req: IncomingMessage, res: ServerResponse) => {
      if (req.url === '/elsewhere') req.on('data', () => chunks++)
      else mount(req, res)
    }
    const { connect } = await serve(t, { listener })
    const chunked = (path: string) =>
      head(`POST ${path} HTTP/1.1`, 'Host: x', key, 'Transfer-Encoding: chunked')
    const bytes = '1\r\nx\r\n'.repeat(9_000)
    const first = await connect()
    first.write(chunked('/v1/pets') + bytes)
    await nextLoop()
    const wires = await Promise.all(Array.from({ length: 10 }, connect))
    for (const wire of wires) wire.write(chunked('/elsewhere') + bytes)
    let most = 0
    for (let before = 0; chunks < 90_000; before = chunks) {
      await nextLoop()
      most = Math.max(most, chunks - before)
    }
    assert.ok(most <= 6_000, `${most} of 90,000 in a turn`)
  })
})

describe('after many requests were pipelined, a connection', { concurrency: true }, () => {
  /** A server on which this has happened, and its responses, which the test ends. */
  async function holding(t: TestContext) {
    const held: ServerResponse[] = []
    let isHolding = false
    const served = await serve(t, {
      listener: () => (_req, res) => {
        if (isHolding) held.push(res)
        else res.end()
      },
    })
    const early = await served.connect()
    await startSlicing(served.connect)
    isHolding = true
    return { ...served, early, held }
  }

  for (const when of ['before', 'after'] as const) {
    it(`that was opened ${when} that has at most 64 parsed requests, and gets all responses`, async (t) => {
      const { early, connect, held } = await holding(t)
      const wire = when === 'before' ? early : await connect()
      wire.write(tiny.repeat(1_000))
      for (let ended = 0; ended < 1_000; ended++) {
        await until(async () => held.length > ended)
        assert.ok(held.length - ended <= 64, `${held.length - ended} are parsed`)
        held[ended]?.end()
      }
      for (let i = 0; i < 1_000; i++) assert.equal((await wire.read())?.status, 200)
    })
  }

  it('may send a body of any length, behind other requests too', async (t) => {
    const { connect } = await serve(t)
    await startSlicing(connect)
    const wire = await connect()
    const json = `{"name":"Rex",${' '.repeat(60_000)}"categoryId":1}`
    const length = `Content-Length: ${json.length}`
    wire.write(`${good}${post(length)}${json}${good}${post('Transfer-Encoding: chunked')}`)
    for (let at = 0; at < json.length; at += 1_000) {
      const part = json.slice(at, at + 1_000)
      wire.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    }
    wire.write(`0\r\n\r\n${good}`)
    const statuses: unknown[] = []
    for (let i = 0; i < 5; i++) statuses.push((await wire.read())?.status)
    assert.deepEqual(statuses, [200, 201, 200, 201, 200])
  })

  it('that sends what cannot be parsed behind good requests gets the response to that last', async (t) => {
    const { connect } = await serve(t)
    await startSlicing(connect)
    const wire = await connect()
    wire.write(`${good.repeat(100)}nonsense\r\n\r\n${good}`)
    const responses = await wire.readAll()
    assert.deepEqual(
      responses.map(({ status }) => status),
      [...new Array<number>(100).fill(200), 400],
    )
    assert.equal(codeOf(responses.at(-1) ?? assert.fail()), 'invalid_request')
  })

  it('that changes its protocol passes every byte on', async (t) => {
    const { connect, server } = await serve(t)
    await startSlicing(connect)
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

  it('that ends before its responses leaves nothing behind', async (t) => {
    const { connect, connections } = await serve(t)
    await startSlicing(connect)
    for (const how of ['resets', 'ends'] as const) {
      const wire = await connect()
      wire.write(good.repeat(1_000))
      assert.equal((await wire.read())?.status, 200)
      if (how === 'resets') wire.socket.resetAndDestroy()
      else wire.socket.end()
      await until(async () => (await connections()) === 0)
    }
  })

  it('is read by Node again when it is opened a minute later', async (t) => {
    let now = 0
    const held: ServerResponse[] = []
    const server = createServer((_req, res) => held.push(res))
    boundPipelining(server, () => now)
    const port = await listen(server)
    t.after(() => shut(server))
    const wires: Wire[] = []
    const inHand = async () => {
      held.length = 0
      const wire = await connect(port)
      wires.push(wire)
      wire.write(tiny.repeat(200))
      return stable(() => held.length)
    }
    assert.equal(await inHand(), 200)
    now = 59_999
    assert.ok((await inHand()) <= 64)
    now = 60_000
    assert.equal(await inHand(), 200)
    for (const wire of wires) wire.close()
  })
})
