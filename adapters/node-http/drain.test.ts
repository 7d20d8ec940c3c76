import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../testing/listen.ts'
import { lacks } from '../testing/machine.ts'
import { connect, head, type Wire, type WireResponse } from '../testing/wire.ts'
import { orderRequests } from './connection.ts'
import { createDrain, type DrainTimes } from './drain.ts'

const quick: DrainTimes = { quietMs: 40, acceptMs: 200, deadlineMs: 60_000 }

/** Serves pages whose text is their path. Those of `/slow` wait until the test ends them. */
async function serve(times: DrainTimes = quick) {
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
    slow,
    connect: () => connect(port),
    next: () => once(server, 'slow'),
    /** Begins the drain. Resolves when the server is closed. */
    drained() {
      const closed = once(server, 'close')
      drain.begin()
      return closed
    },
    async stopped() {
      while (server.listening) await sleep(5)
    },
  }
}

const get = (path: string) => head(`GET ${path} HTTP/1.1`, 'Host: x')

/** Returns the path of a response, and whether it says that the connection closes. */
const pathOf = ({ text, headers }: WireResponse) =>
  `${text}${headers.get('connection') === 'close' ? ' close' : ''}`

const restOf = async (wire: Wire) => (await wire.readAll()).map(pathOf)

/** Blocks the event loop for these milliseconds. */
function block(ms: number): void {
  for (const start = performance.now(); performance.now() - start < ms; );
}

test('a new connection is served while others are open', async () => {
  const { connect, slow, next, drained } = await serve({ ...quick, acceptMs: 60_000 })
  const first = await connect()
  first.write(get('/slow'))
  await next()
  const closed = drained()
  const second = await connect()
  second.write(get('/new'))
  assert.deepEqual(await restOf(second), ['/new close'])
  slow[0]?.end('/slow')
  await closed
  first.close()
})

test('after a while no new connection is accepted, and the open ones are served', async () => {
  const { connect, stopped, slow, next, drained } = await serve({ ...quick, quietMs: 60_000, acceptMs: 10 })
  const [busy, idle] = [await connect(), await connect()]
  await idle.ask(get('/first'))
  busy.write(get('/slow'))
  await next()
  const closed = drained()
  await stopped()
  await assert.rejects(connect(), { code: 'ECONNREFUSED' })
  idle.write(get('/second'))
  slow[0]?.end('/slow')
  assert.deepEqual(await restOf(busy), ['/slow close'])
  assert.deepEqual(await restOf(idle), ['/second close'])
  await closed
})

const skip = lacks.swiftAccept
test('connections that wait to be accepted at the end of listening are served', { skip }, async () => {
  const { connect, server, drained } = await serve({ ...quick, quietMs: 1000, acceptMs: 0 })
  const responses = Array.from({ length: 100 }, async () => {
    const wire = await connect()
    wire.write(get('/new'))
    return restOf(wire)
  })
  const closed = drained()
  // Meanwhile the system establishes the connections, and the time of the next check comes.
  block(200)
  for (const paths of await Promise.all(responses)) assert.match(String(paths), /^\/new( close)?$/)
  await closed
  assert.equal(server.listening, false)
})

test('a server that is about to stop listening leaves connections open until it has', async () => {
  const { connect, stopped, drained } = await serve({ ...quick, quietMs: 60_000, acceptMs: 0 })
  const closed = drained()
  let wire: Wire
  let path: string
  do {
    wire = await connect()
    path = pathOf(await wire.ask(get('/new')))
  } while (path === '/new close')
  assert.equal(path, '/new')
  await stopped()
  wire.write(get('/last'))
  assert.deepEqual(await restOf(wire), ['/last close'])
  await closed
})

test('a request that arrives while the event loop is blocked does not count as silence', async () => {
  const { connect, drained } = await serve()
  const wire = await connect()
  await wire.ask(get('/first'))
  const closed = drained()
  await sleep(10)
  wire.write(get('/second'))
  block(60)
  assert.deepEqual(await restOf(wire), ['/second close'])
  await closed
})

test('silent connections close, with requests before or without', async () => {
  const { connect, drained } = await serve()
  const [used, unused] = [await connect(), await connect()]
  await used.ask(get('/first'))
  await drained()
  assert.deepEqual([await restOf(used), await restOf(unused)], [[], []])
})

test('requests that arrive together all get their responses, and the last says close', async () => {
  const { connect, drained } = await serve({ ...quick, quietMs: 60_000 })
  const wire = await connect()
  await wire.ask(get('/zero'))
  const closed = drained()
  wire.write(get('/one') + get('/two') + get('/three'))
  assert.deepEqual(await restOf(wire), ['/one', '/two', '/three close'])
  await closed
})

test('a request behind one in flight gets its response too', async () => {
  const { connect, slow, next, drained } = await serve({ ...quick, quietMs: 60_000 })
  const wire = await connect()
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
