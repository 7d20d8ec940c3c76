import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Received, readCode } from '../testing/exchange.ts'
import { listen } from '../testing/listen.ts'
import { lacks } from '../testing/machine.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { connect, head, type Wire } from '../testing/wire.ts'
import { createPetServer, type PetServer, type PetServerOptions } from './pet-server.ts'

const closing = (server: PetServer) =>
  new Promise<NodeJS.ErrnoException | undefined>((resolve) => server.close(resolve))

/** Serves pages whose text is their path. Pages of `/slow` wait until the test ends them. */
async function serve(options: PetServerOptions = {}) {
  const slow: ServerResponse[] = []
  const server = createPetServer(testService(), {
    fallback({ url }, res) {
      if (url === '/slow') server.emit('slow', slow.push(res))
      else res.end(url)
    },
    quietMs: 40,
    acceptMs: 200,
    ...options,
  })
  const port = await listen(server)
  return {
    server,
    slow,
    connect: () => connect(port),
    next: () => once(server, 'slow'),
    close: () => closing(server),
    async stopped() {
      while (server.listening) await sleep(5)
    },
  }
}

const get = (path: string) => head(`GET ${path} HTTP/1.1`, 'Host: x', auth.zoo.join(': '))

/** Returns the path of a response, and whether it says that the connection closes. */
const readPath = ({ text, headers }: Received) =>
  `${text}${headers.get('connection') === 'close' ? ' close' : ''}`

const readRest = async (wire: Wire) => (await wire.readAll()).map(readPath)

/** Blocks the event loop for these milliseconds. */
function block(ms: number): void {
  for (const start = performance.now(); performance.now() - start < ms; );
}

describe('createPetServer', () => {
  it('serves the service and a fallback within bounds', async () => {
    let refused = 0
    const { connect, close } = await serve({ maxConnections: 1, onConnectionRefused: () => refused++ })
    const wire = await connect()
    assert.equal(await (await connect()).read(), undefined)
    assert.equal(refused, 1)
    assert.equal(readCode(await wire.ask(get('/v1/pets').replace('GET', 'POST'))), 'invalid_json')
    assert.equal((await wire.ask(get('/v1/pets'))).status, 200)
    assert.equal((await wire.ask(get('/about'))).text, '/about')
    assert.equal(readCode(await wire.ask('nonsense\r\n\r\n')), 'invalid_request')
    assert.equal(await close(), undefined)
    assert.equal((await closing(createPetServer(testService())))?.code, 'ERR_SERVER_NOT_RUNNING')
  })
})

describe('close of a pet server', () => {
  it('cuts off busy connections at the deadline', async () => {
    const { connect, server, next, close } = await serve({ deadlineMs: 20 })
    const wire = await connect()
    wire.write(get('/slow'))
    await next()
    assert.deepEqual([server.isClosing, server.maxConnections], [false, 2_500])
    for (const failure of await Promise.all([close(), close()])) {
      assert.equal(failure?.code, 'ERR_CONNECTIONS_CUT_OFF')
      assert.match(String(failure), /: 1 connections/)
    }
    assert.equal(server.isClosing, true)
  })

  it('serves new connections while others are open', async () => {
    const { connect, slow, next, close } = await serve({ acceptMs: 60_000 })
    const first = await connect()
    first.write(get('/slow'))
    await next()
    const closed = close()
    const second = await connect()
    second.write(get('/new'))
    assert.deepEqual(await readRest(second), ['/new close'])
    slow[0]?.end('/slow')
    assert.equal(await closed, undefined)
  })

  it('serves open connections after it stopped listening', async () => {
    const { connect, stopped, slow, next, close } = await serve({ quietMs: 60_000, acceptMs: 10 })
    const [busy, idle] = [await connect(), await connect()]
    await idle.ask(get('/first'))
    busy.write(get('/slow'))
    await next()
    const closed = close()
    await stopped()
    await assert.rejects(connect(), { code: 'ECONNREFUSED' })
    idle.write(get('/second'))
    slow[0]?.end('/slow')
    assert.deepEqual(await readRest(busy), ['/slow close'])
    assert.deepEqual(await readRest(idle), ['/second close'])
    assert.equal(await closed, undefined)
  })

  const skip = lacks.swiftAccept
  it('serves connections that wait to be accepted', { skip }, async () => {
    const { connect, close } = await serve({ quietMs: 1000, acceptMs: 0 })
    const responses = Array.from({ length: 50 }, async () => {
      const wire = await connect()
      wire.write(get('/new'))
      return readRest(wire)
    })
    const closed = close()
    // Meanwhile the system establishes the connections, and the time of the next check comes.
    block(200)
    for (const paths of await Promise.all(responses)) assert.match(String(paths), /^\/new( close)?$/)
    assert.equal(await closed, undefined)
  })

  it('leaves connections open until it stops listening', async () => {
    const { connect, stopped, close } = await serve({ quietMs: 60_000, acceptMs: 0 })
    const closed = close()
    let wire: Wire
    let path: string
    do {
      wire = await connect()
      path = readPath(await wire.ask(get('/new')))
    } while (path === '/new close')
    assert.equal(path, '/new')
    await stopped()
    wire.write(get('/last'))
    assert.deepEqual(await readRest(wire), ['/last close'])
    assert.equal(await closed, undefined)
  })

  it('notices requests that arrive while the event loop is blocked', async () => {
    const { connect, close } = await serve()
    const wire = await connect()
    await wire.ask(get('/first'))
    const closed = close()
    await sleep(110) // the server looks at its connections every 100 ms
    wire.write(get('/second'))
    block(150)
    assert.deepEqual(await readRest(wire), ['/second close'])
    assert.equal(await closed, undefined)
  })

  it('ends silent connections', async () => {
    const { connect, close } = await serve()
    const [used, unused] = [await connect(), await connect()]
    await used.ask(get('/first'))
    assert.equal(await close(), undefined)
    assert.deepEqual([await readRest(used), await readRest(unused)], [[], []])
  })

  for (const [what, part] of [
    ['empty lines', '\r\n'],
    ['a head byte by byte', 'x'],
  ] as const) {
    it(`does not wait for a client that sends ${what}`, async (t) => {
      const { connect, close } = await serve({ acceptMs: 100, deadlineMs: 3_000 })
      const wire = await connect()
      if (part === 'x') wire.write('GET /first HTTP/1.1\r\nX: ')
      const timer = setInterval(() => wire.write(part), 5)
      t.after(() => clearInterval(timer))
      assert.equal(await close(), undefined)
    })
  }

  it('responds to pipelined requests, the last time with Connection: close', async () => {
    const { connect, slow, next, close } = await serve({ quietMs: 60_000 })
    const [wire, busy] = [await connect(), await connect()]
    await wire.ask(get('/zero'))
    busy.write(get('/slow'))
    await next()
    const closed = close()
    wire.write(get('/one') + get('/two') + get('/three'))
    assert.deepEqual(await readRest(wire), ['/one', '/two', '/three close'])
    busy.write(get('/slow'))
    await next()
    slow[0]?.end('/slow')
    slow[1]?.end('/last')
    assert.deepEqual(await readRest(busy), ['/slow', '/last close'])
    assert.equal(await closed, undefined)
  })
})
