import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createDeadline } from './read-body.ts'
import { type Sending, sendingTo, textOf } from './testing/sending.ts'
import { serveHttp, serveSockets, type TestServer } from './testing/servers.ts'

const servers: TestServer[] = []
const opened: Sending[] = []
after(async () => {
  for (const { transport } of opened) transport.close()
  for (const server of servers) await server.close()
})

async function to(starting: Promise<TestServer>): Promise<Sending> {
  const server = await starting
  servers.push(server)
  const sending = sendingTo(`http://127.0.0.1:${server.port}/v1/pets?limit=1`)
  opened.push(sending)
  return sending
}

const response = (body: string, ...headers: readonly string[]): string =>
  ['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n')
/** Responds with the number of the connection. */
const numbered = (...headers: readonly string[]): Promise<Sending> =>
  to(serveSockets((socket, _, connection) => socket.write(response(String(connection), ...headers))))

describe('the connections of a run', () => {
  it('requests share a connection, and the transport knows which do', async () => {
    const { get } = await numbered()
    assert.equal((await get()).isReused, false)
    const second = await get()
    assert.deepEqual([second.isReused, textOf(second)], [true, '1'])
  })

  it('a fresh request opens a connection, on which those after it continue', async () => {
    const { get } = await numbered()
    assert.equal(textOf(await get()), '1')
    const fresh = await get({ isFresh: true })
    assert.deepEqual([fresh.isReused, textOf(fresh)], [false, '2'])
    assert.equal(textOf(await get()), '2')
  })

  it('a connection that the response closes is not used again', async () => {
    const { get } = await numbered('Connection: close')
    assert.deepEqual([textOf(await get()), textOf(await get())], ['1', '2'])
  })

  it('a connection with bytes behind the response is not used again', async () => {
    const { get } = await to(
      serveSockets((socket, _, connection) => socket.write(`${response(String(connection))}more`)),
    )
    assert.deepEqual([textOf(await get()), textOf(await get())], ['1', '2'])
  })

  it('a connection that the server closes while it is idle is not used again', async () => {
    let closed = Promise.resolve()
    const { get } = await to(
      serveSockets((socket, _, connection) => {
        closed = new Promise((resolve) => socket.once('close', () => resolve()))
        socket.end(response(String(connection)))
      }),
    )
    assert.equal(textOf(await get()), '1')
    await closed
    assert.equal(textOf(await get()), '2')
  })
})

describe('a request on the wire', () => {
  const seen: { headers: IncomingHttpHeaders; url: string; body: string }[] = []
  const echoing = to(
    serveHttp((request, res) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      request.on('end', () => {
        seen.push({ headers: request.headers, url: request.url ?? '', body })
        res.end('[]')
      })
    }),
  )

  it('has its path and query, its host, and keeps the connection', async () => {
    const { get } = await echoing
    await get()
    const { headers, url } = seen.at(-1) ?? assert.fail()
    assert.equal(url, '/v1/pets?limit=1')
    assert.match(headers.host ?? '', /^127\.0\.0\.1:\d+$/)
    assert.deepEqual(
      [headers.connection, headers.accept, headers.expect, headers['content-length']],
      ['keep-alive', 'application/json', undefined, undefined],
    )
  })

  it('has the length of its body in bytes', async () => {
    const { get } = await echoing
    await get({ method: 'POST', body: '{"name":"é"}' })
    assert.deepEqual([seen.at(-1)?.body, seen.at(-1)?.headers['content-length']], ['{"name":"é"}', '13'])
    await get({ method: 'POST' })
    assert.deepEqual([seen.at(-1)?.body, seen.at(-1)?.headers['content-length']], ['', '0'])
  })
})

describe('a request that fails', () => {
  const failureOf = async ({ get }: Sending, ...more: Parameters<Sending['get']>): Promise<string> => {
    const received = await get(...more)
    return received.kind === 'error' ? received.failure : assert.fail('there is a response')
  }

  it('is closed if the connection ends or is reset before the first byte', async () => {
    assert.equal(await failureOf(await to(serveSockets((socket) => socket.end()))), 'closed')
    assert.equal(await failureOf(await to(serveSockets((socket) => socket.resetAndDestroy()))), 'closed')
  })

  it('is not closed within a body, nor if there was no connection', async () => {
    const partly = await to(
      serveSockets((socket) =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12', () => socket.resetAndDestroy()),
      ),
    )
    assert.equal(await failureOf(partly), 'other')
    const gone = await serveSockets(() => {})
    await gone.close()
    const refused = await sendingTo(`http://127.0.0.1:${gone.port}/`).get()
    assert.ok(refused.kind === 'error' && refused.failure === 'other')
  })

  it('is malformed if the response is no HTTP', async () => {
    assert.equal(
      await failureOf(await to(serveSockets((socket) => socket.write('SSH-2.0-x\r\n')))),
      'malformed',
    )
  })

  it('is over at the deadline, whether the head, the body or the connection is slow', async () => {
    for (const slow of ['', 'HTTP/1.1 200 OK\r\nConte', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12']) {
      const { get } = await to(serveSockets((socket) => socket.write(slow)))
      assert.match(textOf(await get({ deadline: createDeadline(30) })), /within 30 ms/)
    }
  })
})

describe('the content of a response', () => {
  const coded = (body: Uint8Array, coding: string): Promise<Sending> =>
    to(serveHttp((_, res) => void res.writeHead(200, { 'content-encoding': coding }).end(body)))

  it('is decoded, although no request accepts a coding', async () => {
    const { get } = await coded(gzipSync('[1]'), 'gzip')
    assert.equal(textOf(await get()), '[1]')
  })

  it('is truncated if it is longer than the bound once it is decoded', async () => {
    const { get } = await coded(gzipSync(Buffer.alloc(1025)), 'gzip')
    const received = await get()
    assert.ok(received.kind === 'response' && received.body.truncated)
  })

  it('is an error if it is not in its coding, and as it is if the coding is unknown', async () => {
    assert.match(
      textOf(await (await coded(Buffer.from('[]'), 'gzip')).get()),
      /not in the content coding gzip/,
    )
    assert.equal(textOf(await (await coded(Buffer.from('[]'), 'rot13')).get()), '[]')
  })
})
