import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readCode, type TestResponse } from '../testing/exchange.ts'
import { listen } from '../testing/listen.ts'
import { missingFeatures } from '../testing/machine.ts'
import { authHeaders, createTestService } from '../testing/mount-suite/open-mount.ts'
import { waitUntil } from '../testing/serve.ts'
import { connect, formatHead, type Wire } from '../testing/wire.ts'
import type { ShutdownOptions } from './drain.ts'
import { createPetServer, type PetServer, type PetServerOptions } from './pet-server.ts'

const closeServer = (server: PetServer) =>
  new Promise<NodeJS.ErrnoException | undefined>((resolve) => server.close(resolve))

/** Starts a server. The test completes the responses to `/slow`. */
async function serve(shutdown: ShutdownOptions = {}, options: PetServerOptions = {}) {
  const slow: ServerResponse[] = []
  const server = createPetServer(createTestService(), {
    fallback({ url }, res) {
      if (url === '/slow') server.emit('slow', slow.push(res))
      else res.end(url)
    },
    shutdown: { idleMs: 40, acceptMs: 200, ...shutdown },
    ...options,
  })
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const port = await listen(server)
  return {
    server,
    sockets,
    slow,
    connect: () => connect(port),
    next: () => once(server, 'slow'),
    close: () => closeServer(server),
    async stopped() {
      while (server.listening) await sleep(5)
    },
  }
}

const formatGet = (path: string) => formatHead(`GET ${path} HTTP/1.1`, 'Host: x', authHeaders.zoo.join(': '))

/** Returns the path in a response, followed by `close` if the connection closes. */
const readPath = ({ text, headers }: TestResponse) =>
  `${text}${headers.get('connection') === 'close' ? ' close' : ''}`

const readRemainingPaths = async (wire: Wire) => (await wire.readAll()).map(readPath)

function blockEventLoop(ms: number): void {
  for (const start = performance.now(); performance.now() - start < ms; );
}

describe('createPetServer', () => {
  it('serves the interface and a fallback, and limits connections', async () => {
    let refused = 0
    const { connect, close } = await serve({}, { maxConnections: 1, onConnectionDropped: () => refused++ })
    const wire = await connect()
    assert.equal(await (await connect()).read(), undefined)
    assert.equal(refused, 1)
    assert.equal(readCode(await wire.ask(formatGet('/v1/pets').replace('GET', 'POST'))), 'invalid_json')
    assert.equal((await wire.ask(formatGet('/v1/pets'))).status, 200)
    assert.equal((await wire.ask(formatGet('/about'))).text, '/about')
    assert.equal(readCode(await wire.ask('nonsense\r\n\r\n')), 'invalid_request')
    assert.equal(await close(), undefined)
    assert.equal((await closeServer(createPetServer(createTestService())))?.code, 'ERR_SERVER_NOT_RUNNING')
  })
})

it('createPetServer emits end on requests without a body for the fallback', async (t) => {
  const server = createPetServer(createTestService(), {
    fallback: (req, res) => void req.on('end', () => res.end('page')).resume(), // responds only after `end`
  })
  const wire = await connect(await listen(server))
  t.after(() => closeServer(server))
  assert.equal((await wire.ask(formatGet('/'))).text, 'page')
  wire.close()
})

describe('PetServer.close', () => {
  it('destroys busy connections at the deadline', async () => {
    const { connect, server, next, close } = await serve({ deadlineMs: 20 })
    const wire = await connect()
    wire.write(formatGet('/slow'))
    await next()
    assert.deepEqual([server.isClosing, server.maxConnections], [false, 2_500])
    for (const failure of await Promise.all([close(), close()])) {
      assert.equal(failure?.code, 'ERR_CONNECTIONS_CUT_OFF')
      assert.match(String(failure), /: 1 connections/)
    }
    assert.equal(server.isClosing, true)
  })

  it('accepts connections until acceptMs has passed', async () => {
    const { connect, slow, next, close } = await serve({ acceptMs: 60_000 })
    const first = await connect()
    first.write(formatGet('/slow'))
    await next()
    const closed = close()
    const newConnection = await connect()
    newConnection.write(formatGet('/new'))
    assert.deepEqual(await readRemainingPaths(newConnection), ['/new close'])
    slow[0]?.end('/slow')
    assert.equal(await closed, undefined)
  })

  it('stops listening after acceptMs and finishes open requests', async () => {
    const { connect, stopped, slow, next, close } = await serve({ idleMs: 60_000, acceptMs: 10 })
    const [busy, idle] = [await connect(), await connect()]
    await idle.ask(formatGet('/first'))
    busy.write(formatGet('/slow'))
    await next()
    const closed = close()
    await stopped()
    await assert.rejects(connect(), { code: 'ECONNREFUSED' })
    idle.write(formatGet('/second'))
    slow[0]?.end('/slow')
    assert.deepEqual(await readRemainingPaths(busy), ['/slow close'])
    assert.deepEqual(await readRemainingPaths(idle), ['/second close'])
    assert.equal(await closed, undefined)
  })

  const skip = missingFeatures.fastAccept
  it('loses no connection that the system has already accepted', { skip }, async () => {
    const { connect, close } = await serve({ idleMs: 1000, acceptMs: 0 })
    const responses = Array.from({ length: 50 }, async () => {
      const wire = await connect()
      wire.write(formatGet('/new'))
      return readRemainingPaths(wire)
    })
    const closed = close()
    // The system accepts the connections while the event loop is blocked beyond the next check.
    blockEventLoop(200)
    for (const paths of await Promise.all(responses)) assert.match(String(paths), /^\/new( close)?$/)
    assert.equal(await closed, undefined)
  })

  it('keeps new connections alive until it stops listening', async () => {
    const { connect, stopped, close } = await serve({ idleMs: 60_000, acceptMs: 0 })
    const closed = close()
    let wire: Wire
    let path: string
    do {
      wire = await connect()
      path = readPath(await wire.ask(formatGet('/new')))
    } while (path === '/new close')
    assert.equal(path, '/new')
    await stopped()
    wire.write(formatGet('/last'))
    assert.deepEqual(await readRemainingPaths(wire), ['/last close'])
    assert.equal(await closed, undefined)
  })

  it('keeps an idle connection on which a request arrives', async () => {
    const { connect, close } = await serve()
    const wire = await connect()
    await wire.ask(formatGet('/first'))
    const closed = close()
    await sleep(110) // the first check was after 100 ms
    wire.write(formatGet('/second'))
    blockEventLoop(150)
    assert.deepEqual(await readRemainingPaths(wire), ['/second close'])
    assert.equal(await closed, undefined)
  })

  it('closes idle connections', async () => {
    const { connect, close } = await serve()
    const [used, unused] = [await connect(), await connect()]
    await used.ask(formatGet('/first'))
    assert.equal(await close(), undefined)
    assert.deepEqual([await readRemainingPaths(used), await readRemainingPaths(unused)], [[], []])
  })

  for (const [what, part] of [
    ['empty lines', '\r\n'],
    ['a head byte by byte', 'x'],
  ] as const) {
    it(`closes a connection that sends ${what}`, async (t) => {
      const { connect, close } = await serve({ acceptMs: 100, deadlineMs: 3_000 })
      const wire = await connect()
      if (part === 'x') wire.write('GET /first HTTP/1.1\r\nX: ')
      const timer = setInterval(() => wire.write(part), 5)
      t.after(() => clearInterval(timer))
      assert.equal(await close(), undefined)
    })
  }

  it('closes each connection after its last pipelined response', async () => {
    const { connect, sockets, slow, next, close } = await serve({ idleMs: 60_000 })
    const [wire, busy] = [await connect(), await connect()]
    await wire.ask(formatGet('/zero'))
    busy.write(formatGet('/slow'))
    await next()
    const closed = close()
    wire.write(formatGet('/one') + formatGet('/two') + formatGet('/three'))
    assert.deepEqual(await readRemainingPaths(wire), ['/one', '/two', '/three close'])
    busy.write(formatGet('/last'))
    await waitUntil(async () => sockets[1]?.bytesRead === `${formatGet('/slow')}${formatGet('/last')}`.length)
    slow[0]?.end('/slow')
    assert.deepEqual(await readRemainingPaths(busy), ['/slow', '/last close'])
    assert.equal(await closed, undefined)
  })
})
