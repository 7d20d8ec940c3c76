import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { openConnection } from '../testing/connection.ts'
import { createDrain, type Drain, type DrainTimes } from './drain.ts'
import { listen } from './listen.ts'

const quick: DrainTimes = { quietMs: 40, acceptMs: 200, deadlineMs: 60_000, lookMs: 5 }

interface Serving {
  readonly server: Server
  readonly drain: Drain
  readonly port: number
  /** The requests for `/slow`, which wait to be answered here. */
  readonly slow: ServerResponse[]
  /** Resolves with the next of them. */
  next(): Promise<unknown>
}

async function serve(times: DrainTimes = quick): Promise<Serving> {
  const server = createServer()
  const drain = createDrain(server, times)
  const slow: ServerResponse[] = []
  const handler = (req: IncomingMessage, res: ServerResponse) => {
    if (req.url !== '/slow') res.end(req.url)
    else {
      slow.push(res)
      server.emit('slow')
    }
  }
  server.on('request', drain.watch(handler))
  const port = await listen(server, '127.0.0.1', 0)
  return { server, drain, port, slow, next: () => once(server, 'slow') }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** The answers' paths, each with whether it says that the connection closes. */
function answersOf(text: string): readonly string[] {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .filter((answer) => answer !== '')
    .map(
      (answer) =>
        `${answer.split('\r\n\r\n')[1]?.match(/\/\w+/)?.[0]}${/^connection: close/im.test(answer) ? ' close' : ''}`,
    )
}

test('a server without connections ends, and takes no more in', async () => {
  const { server, drain } = await serve()
  assert.equal(drain.begun, false)
  const drained = drain.begin()
  assert.equal(drain.begun, true)
  assert.equal(await drained, 0)
  assert.equal(server.listening, false)
})

test('a request that is under way is answered, and its connection closed', async () => {
  const { drain, port, slow, next } = await serve()
  const { socket, received, closed } = await openConnection(port)
  socket.write(get('/slow'))
  await next()
  const drained = drain.begin()
  slow[0]?.end('/slow')
  assert.equal(await drained, 0)
  await closed
  assert.deepEqual(answersOf(received.text), ['/slow close'])
})

test('a request on a connection that is open is answered, and its connection closed', async () => {
  const { drain, port } = await serve({ ...quick, quietMs: 60_000 })
  const { socket, received, closed } = await openConnection(port)
  socket.write(get('/first'))
  await received.until(/\/first/)
  const drained = drain.begin()
  socket.write(get('/second'))
  assert.equal(await drained, 0)
  await closed
  assert.deepEqual(answersOf(received.text), ['/first', '/second close'])
})

test('a new connection is still served while others are open', async () => {
  const { drain, port, slow, next } = await serve({ ...quick, acceptMs: 60_000 })
  const first = await openConnection(port)
  first.socket.write(get('/slow'))
  await next()
  const drained = drain.begin()
  const second = await openConnection(port)
  second.socket.write(get('/new'))
  await second.closed
  assert.deepEqual(answersOf(second.received.text), ['/new close'])
  slow[0]?.end('/slow')
  assert.equal(await drained, 0)
})

test('after a while no new connection is taken in, and all that are open go on', async () => {
  const { server, drain, port, slow, next } = await serve({ ...quick, quietMs: 60_000, acceptMs: 10 })
  const [busy, idle] = [await openConnection(port), await openConnection(port)]
  idle.socket.write(get('/first'))
  await idle.received.until(/\/first/)
  busy.socket.write(get('/slow'))
  await next()
  const drained = drain.begin()
  while (server.listening) await new Promise((resolve) => setTimeout(resolve, 5))
  await assert.rejects(openConnection(port), { code: 'ECONNREFUSED' })
  idle.socket.write(get('/second'))
  slow[0]?.end('/slow')
  assert.equal(await drained, 0)
  assert.deepEqual(answersOf(busy.received.text), ['/slow close'])
  assert.deepEqual(answersOf(idle.received.text), ['/first', '/second close'])
})

test('a request that arrives while the server is held up does not count as silence', async () => {
  const { drain, port } = await serve()
  const { socket, received } = await openConnection(port)
  socket.write(get('/first'))
  await received.until(/\/first/)
  const drained = drain.begin()
  await new Promise((resolve) => setTimeout(resolve, 10))
  socket.write(get('/second'))
  for (const start = performance.now(); performance.now() - start < 60; );
  assert.equal(await drained, 0)
  assert.deepEqual(answersOf(received.text), ['/first', '/second close'])
})

test('connections that are silent are closed, those that never spoke too', async () => {
  const { drain, port } = await serve()
  const [spoke, silent] = [await openConnection(port), await openConnection(port)]
  spoke.socket.write(get('/first'))
  await spoke.received.until(/\/first/)
  assert.equal(await drain.begin(), 0)
  await Promise.all([spoke.closed, silent.closed])
})

test('requests that come in one piece are all answered, and the last says close', async () => {
  const { drain, port } = await serve({ ...quick, quietMs: 60_000 })
  const { socket, received, closed } = await openConnection(port)
  socket.write(get('/zero'))
  await received.until(/\/zero/)
  const drained = drain.begin()
  socket.write(get('/one') + get('/two') + get('/three'))
  assert.equal(await drained, 0)
  await closed
  assert.deepEqual(answersOf(received.text), ['/zero', '/one', '/two', '/three close'])
})

test('a request that comes behind one that is under way is answered too', async () => {
  const { drain, port, slow, next } = await serve({ ...quick, quietMs: 60_000 })
  const { socket, received, closed } = await openConnection(port)
  socket.write(get('/slow'))
  await next()
  const drained = drain.begin()
  socket.write(get('/slow'))
  await next()
  slow[0]?.end('/slow')
  slow[1]?.end('/last')
  assert.equal(await drained, 0)
  await closed
  assert.deepEqual(answersOf(received.text), ['/slow', '/last close'])
})

test('what is still busy at the deadline is counted and left', async () => {
  const { server, drain, port, next } = await serve({ ...quick, deadlineMs: 50 })
  const { socket, closed } = await openConnection(port)
  socket.write(get('/slow'))
  await next()
  assert.equal(await drain.begin(), 1)
  server.close().closeAllConnections()
  await closed
})
