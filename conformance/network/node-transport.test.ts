import assert from 'node:assert/strict'
import dns from 'node:dns'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, describe, it, mock } from 'node:test'
import { Worker } from 'node:worker_threads'
import { deflateSync, gzipSync } from 'node:zlib'
import { createTestSender, readText, type TestSender } from '../testing/sending.ts'
import { serveHttp, serveSockets, type TestServer } from '../testing/servers.ts'
import { createBarrier } from './barrier.ts'
import { createDeadline } from './read-body.ts'
import type { TransportResult, WireRequest } from './transport.ts'

const servers: TestServer[] = []
const openedSenders: TestSender[] = []
after(async () => {
  for (const { transport } of openedSenders) transport.close()
  for (const server of servers) await server.close()
})

async function connectTo(starting: Promise<TestServer>, host = '127.0.0.1'): Promise<TestSender> {
  const server = await starting
  servers.push(server)
  const sending = createTestSender(`http://${host}:${server.port}/v1/pets?limit=1`)
  openedSenders.push(sending)
  return sending
}

const response = (body: string, ...headers: readonly string[]): string =>
  ['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n')
/** Serves the connection's number as the body. */
const serveNumbered = (): Promise<TestSender> =>
  connectTo(serveSockets((socket, _, connection) => socket.write(response(String(connection)))))

/** Serves on an address whose connection queue is full for a while. */
async function serveSlowly(busyMs: number): Promise<TestServer> {
  const sharedState = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    const server = require('node:http').createServer((_, response) => response.end('[]'))
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port)
      Atomics.wait(workerData, 0, 0, ${busyMs})
    })`,
    { eval: true, workerData: sharedState },
  )
  const [port] = await once(worker, 'message')
  const queuedSockets = [1, 2].map(() => connect(port, '127.0.0.1'))
  for (const socket of queuedSockets) await once(socket, 'connect')
  return {
    port,
    baseUrl: '',
    async close() {
      for (const socket of queuedSockets) socket.destroy()
      await worker.terminate()
    },
  }
}

describe('parallel requests', () => {
  it('are sent when all their connections are open', async () => {
    const events: string[] = []
    const { get } = await connectTo(
      serveSockets((socket, _, connection) => {
        events.push('arrived')
        socket.write(response(String(connection)))
      }),
    )
    assert.equal(readText(await get()), '1')
    const openBarrier = createBarrier(3)
    const beforeSend = async (): Promise<void> => {
      events.push('open')
      await openBarrier()
    }
    const bodies = await Promise.all([1, 2, 3].map(() => get({ opensConnection: true, beforeSend })))
    assert.deepEqual(bodies.map(readText).toSorted(), ['2', '3', '4'])
    assert.deepEqual(events, ['arrived', 'open', 'open', 'open', 'arrived', 'arrived', 'arrived'])
    assert.equal(readText(await get()), '5')
  })
})

describe('a host name', () => {
  it('gets a second attempt with more time if its addresses are slow', {
    skip: process.platform !== 'linux' && 'only Linux lets the queue of a server overflow',
  }, async () => {
    const lookUp = (_host: string, _options: object, resolve: (error: null, all: object) => void): void =>
      resolve(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ])
    mock.method(dns, 'lookup', lookUp)
    try {
      const { get } = await connectTo(serveSlowly(500), 'pets.test')
      assert.equal(readText(await get()), '[]')
    } finally {
      mock.restoreAll()
    }
  })

  it('resolves to the loopback address if it ends with .localhost', async () => {
    const { get } = await connectTo(
      serveHttp((request, res) => void res.end(request.headers.host)),
      'pets.localhost',
    )
    assert.match(readText(await get()), /^pets\.localhost:\d+$/)
  })
})

describe("the suite's connection", () => {
  it('is reused by the next request', async () => {
    const { get } = await serveNumbered()
    assert.equal((await get()).isReused, false)
    const secondResponse = await get()
    assert.deepEqual([secondResponse.isReused, readText(secondResponse)], [true, '1'])
  })

  it('is replaced if a new one is requested', async () => {
    const { get } = await serveNumbered()
    assert.equal(readText(await get()), '1')
    const freshResponse = await get({ opensConnection: true })
    assert.deepEqual([freshResponse.isReused, readText(freshResponse)], [false, '2'])
    assert.equal(readText(await get()), '2')
  })

  const connectionEnds: Readonly<Record<string, (socket: Socket, text: string) => unknown>> = {
    'after Connection: close': (socket, text) => socket.write(response(text, 'Connection: close')),
    'if bytes follow the response': (socket, text) => socket.write(`${response(text)}more`),
    'if the server closes it while it is idle': (socket, text) => socket.end(response(text)),
  }
  for (const [which, serve] of Object.entries(connectionEnds)) {
    it(`is not reused ${which}`, async () => {
      let closed: Promise<unknown> = Promise.resolve()
      const { get } = await connectTo(
        serveSockets((socket, _, connection) => {
          closed = once(socket, 'close')
          serve(socket, String(connection))
        }),
      )
      assert.equal(readText(await get()), '1')
      await closed
      assert.equal(readText(await get()), '2')
    })
  }
})

describe('a request from the suite', () => {
  const seenRequests: { headers: IncomingHttpHeaders; url: string; body: string }[] = []
  const echoSender = connectTo(
    serveHttp((request, res) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      request.on('end', () => {
        seenRequests.push({ headers: request.headers, url: request.url ?? '', body })
        res.end('[]')
      })
    }),
  )

  it('has typical client headers', async () => {
    const { get } = await echoSender
    await get()
    const { headers, url } = seenRequests.at(-1) ?? assert.fail()
    assert.equal(url, '/v1/pets?limit=1')
    assert.match(headers.host ?? '', /^127\.0\.0\.1:\d+$/)
    assert.deepEqual(
      [headers.connection, headers.accept, headers.expect, headers['content-length']],
      ['keep-alive', 'application/json', undefined, undefined],
    )
  })

  it('has a Content-Length in bytes', async () => {
    const { get } = await echoSender
    await get({ method: 'POST', body: '{"name":"é"}' })
    assert.deepEqual(
      [seenRequests.at(-1)?.body, seenRequests.at(-1)?.headers['content-length']],
      ['{"name":"é"}', '13'],
    )
    await get({ method: 'POST' })
    assert.deepEqual([seenRequests.at(-1)?.body, seenRequests.at(-1)?.headers['content-length']], ['', '0'])
  })
})

describe('a failed exchange', () => {
  const partialResponse = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12'
  type Case = readonly [what: string, failure: string, says: RegExp, serve: (socket: Socket) => unknown]
  const cases: readonly Case[] = [
    ['the connection is closed', 'closed', /hang up/, (socket) => socket.end()],
    ['the connection is reset', 'closed', /ECONNRESET/, (socket) => socket.resetAndDestroy()],
    [
      'the connection is closed before the body ends',
      'other',
      /closed before the end of the response body/,
      (socket) => socket.end(partialResponse),
    ],
    ['the response is not HTTP', 'malformed', /Expected HTTP/, (socket) => socket.write('SSH-2.0-x\r\n')],
  ]
  for (const [what, failure, says, serve] of cases) {
    it(`is classified as ${failure} if ${what}`, async () => {
      const receivedResponse = await (await connectTo(serveSockets(serve))).get()
      assert.equal(receivedResponse.kind === 'error' && receivedResponse.failure, failure)
      assert.match(readText(receivedResponse), says)
    })
  }

  it('ends at its deadline', async () => {
    for (const slow of ['', 'HTTP/1.1 200 OK\r\nConte', partialResponse]) {
      const { get } = await connectTo(serveSockets((socket) => socket.write(slow)))
      assert.match(readText(await get({ deadline: createDeadline(30) })), /within 30 ms/)
    }
  })
})

describe('a content coding', () => {
  const getCodedResponse = async (
    body: string,
    coding: string,
    content = gzipSync(body),
    more: Partial<WireRequest> = {},
  ): Promise<TransportResult> => {
    const { get } = await connectTo(
      serveHttp((_, res) => void res.writeHead(200, { 'content-encoding': coding }).end(content)),
    )
    return get(more)
  }

  it('is decoded only if the suite supports it', async () => {
    assert.equal(readText(await getCodedResponse('[1]', 'gzip')), '[1]')
    assert.equal(readText(await getCodedResponse('[1]', 'rot13', Buffer.from('[1]'))), '[1]')
  })

  for (const [coding, content] of [
    ['x-gzip', gzipSync('[1]')],
    ['gzip, gzip', gzipSync(gzipSync('[1]'))],
    ['deflate, GZIP', gzipSync(deflateSync('[1]'))],
    ['identity', Buffer.from('[1]')],
  ] as const)
    it(`is decoded if Content-Encoding is ${coding}`, async () =>
      assert.equal(readText(await getCodedResponse('[1]', coding, content)), '[1]'))

  it('is decoded at most 4 times', async () => {
    const gzip = (times: number): Buffer<ArrayBuffer> =>
      times === 0 ? Buffer.from('[1]') : gzipSync(gzip(times - 1))
    const codings = (times: number): string => Array(times).fill('gzip').join()
    assert.equal(readText(await getCodedResponse('', codings(4), gzip(4))), '[1]')
    assert.match(
      readText(await getCodedResponse('', codings(5), gzip(5))),
      /has 5 content codings; .* at most 4/,
    )
  })

  it('is not decoded after the deadline', async () => {
    let checks = 0
    const deadline = {
      passed: new Promise<never>(() => {}),
      throwIfPassed: () => void checks++,
      clear: () => {},
    }
    await getCodedResponse('', 'identity', Buffer.from('[1]'), { deadline })
    const afterReading = (): void => {
      if (checks-- === 0) throw new Error('late')
    }
    const lateDeadline = { ...deadline, throwIfPassed: afterReading }
    assert.equal(
      readText(await getCodedResponse('[1]', 'gzip', gzipSync('[1]'), { deadline: lateDeadline })),
      'late',
    )
  })

  it('must match the body', async () => {
    assert.match(readText(await getCodedResponse('[1]', 'gzip, gzip', gzipSync('[1]'))), /is not valid gzip/)
  })

  it('must not expand beyond the size limit', async () => {
    const codedResponse = await getCodedResponse('x'.repeat(1025), 'gzip')
    assert.ok(codedResponse.kind === 'response' && codedResponse.body.truncated)
  })
})
