import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { listen } from '../testing/listen.ts'
import { connect, head, type Wire, type WireResponse } from '../testing/wire.ts'
import { orderRequests } from './connection.ts'
import { createDrain, type Drain, type DrainTimes } from './drain.ts'

const quick: DrainTimes = { quietMs: 40, acceptMs: 200, deadlineMs: 60_000 }

interface Serving {
  readonly server: Server
  readonly drain: Drain
  readonly port: number
  /** The responses to the requests for `/slow`, which the test ends. */
  readonly slow: ServerResponse[]
  /** Resolves with the next of them. */
  next(): Promise<unknown>
  /** Begins the drain and resolves when the server is closed. */
  drained(): Promise<unknown>
}

async function serve(times: DrainTimes = quick): Promise<Serving> {
  const server = createServer()
  orderRequests(server)
  const drain = createDrain(server, times, 5)
  const slow: ServerResponse[] = []
  const handler = (req: IncomingMessage, res: ServerResponse) => {
    if (req.url !== '/slow') res.end(req.url)
    else {
      slow.push(res)
      server.emit('slow')
    }
  }
  server.on('request', drain.watch(handler))
  const port = await listen(server)
  return {
    server,
    drain,
    port,
    slow,
    next: () => once(server, 'slow'),
    drained() {
      const closed = once(server, 'close')
      drain.begin()
      return closed
    },
  }
}

const get = (path: string) => head(`GET ${path} HTTP/1.1`, 'Host: x')

/** Returns the path of each response, and whether it says that the connection closes. */
function pathsOf(responses: readonly WireResponse[]): readonly string[] {
  return responses.map(
    ({ text, headers }) => `${text}${headers.get('connection') === 'close' ? ' close' : ''}`,
  )
}

const restOf = async (wire: Wire) => pathsOf(await wire.readAll())

test('a server without connections closes', async () => {
  const { server, drain, drained } = await serve()
  assert.equal(drain.begun, false)
  const closed = drained()
  assert.equal(drain.begun, true)
  await closed
  assert.equal(server.listening, false)
})

test('a new connection is served while others are open', async () => {
  const { port, slow, next, drained } = await serve({ ...quick, acceptMs: 60_000 })
  const first = await connect(port)
  first.write(get('/slow'))
  await next()
  const closed = drained()
  const second = await connect(port)
  second.write(get('/new'))
  assert.deepEqual(await restOf(second), ['/new close'])
  slow[0]?.end('/slow')
  await closed
  first.close()
})

test('after a while no new connection is accepted, and the open ones are served', async () => {
  const { server, port, slow, next, drained } = await serve({ ...quick, quietMs: 60_000, acceptMs: 10 })
  const [busy, idle] = [await connect(port), await connect(port)]
  idle.write(get('/first'))
  assert.equal((await idle.read())?.text, '/first')
  busy.write(get('/slow'))
  await next()
  const closed = drained()
  while (server.listening) await new Promise((resolve) => setTimeout(resolve, 5))
  await assert.rejects(connect(port), { code: 'ECONNREFUSED' })
  idle.write(get('/second'))
  slow[0]?.end('/slow')
  assert.deepEqual(await restOf(busy), ['/slow close'])
  assert.deepEqual(await restOf(idle), ['/second close'])
  await closed
})

test('connections that wait to be accepted when the server stops listening are served', async () => {
  const { server, port, drained } = await serve({ ...quick, acceptMs: 0 })
  const responses = Array.from({ length: 100 }, async () => {
    const wire = await connect(port)
    wire.write(get('/new'))
    return restOf(wire)
  })
  const closed = drained()
  // Meanwhile the system establishes the connections, and the time of the next check comes.
  for (const start = performance.now(); performance.now() - start < 20; );
  for (const response of await Promise.all(responses)) assert.deepEqual(response, ['/new'])
  await closed
  assert.equal(server.listening, false)
})

test('a server that is about to stop listening leaves connections open until it has', async () => {
  const { server, port, drained } = await serve({ ...quick, quietMs: 60_000, acceptMs: 0 })
  const closed = drained()
  let wire: Wire
  let paths: readonly string[]
  do {
    wire = await connect(port)
    wire.write(get('/new'))
    const response = await wire.read()
    paths = pathsOf(response ? [response] : [])
  } while (paths[0] === '/new close')
  assert.deepEqual(paths, ['/new'])
  while (server.listening) await new Promise((resolve) => setTimeout(resolve, 5))
  wire.write(get('/last'))
  assert.deepEqual(await restOf(wire), ['/last close'])
  await closed
})

test('a request that arrives while the event loop is blocked does not count as silence', async () => {
  const { port, drained } = await serve()
  const wire = await connect(port)
  wire.write(get('/first'))
  assert.equal((await wire.read())?.text, '/first')
  const closed = drained()
  await new Promise((resolve) => setTimeout(resolve, 10))
  wire.write(get('/second'))
  for (const start = performance.now(); performance.now() - start < 60; );
  assert.deepEqual(await restOf(wire), ['/second close'])
  await closed
})

test('silent connections close, with requests before or without', async () => {
  const { port, drained } = await serve()
  const [used, unused] = [await connect(port), await connect(port)]
  used.write(get('/first'))
  assert.equal((await used.read())?.text, '/first')
  await drained()
  assert.deepEqual([await restOf(used), await restOf(unused)], [[], []])
})

test('requests that arrive together all get their responses, and the last says close', async () => {
  const { port, drained } = await serve({ ...quick, quietMs: 60_000 })
  const wire = await connect(port)
  wire.write(get('/zero'))
  assert.equal((await wire.read())?.text, '/zero')
  const closed = drained()
  wire.write(get('/one') + get('/two') + get('/three'))
  assert.deepEqual(await restOf(wire), ['/one', '/two', '/three close'])
  await closed
})

test('a request behind one in flight gets its response too', async () => {
  const { port, slow, next, drained } = await serve({ ...quick, quietMs: 60_000 })
  const wire = await connect(port)
  wire.write(get('/slow'))
  await next()
  const closed = drained()
  wire.write(get('/slow'))
  await next()
  slow[0]?.end('/slow')
  slow[1]?.end('/last')
  assert.deepEqual(await restOf(wire), ['/slow', '/last close'])
  await closed
})
