import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { readText, type Sending, sendingTo } from '../testing/sending.ts'
import { serveHttp, serveSockets, type TestServer } from '../testing/servers.ts'
import { createDeadline } from './read-body.ts'
import type { Received } from './transport.ts'

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
const numbered = (): Promise<Sending> =>
  to(serveSockets((socket, _, connection) => socket.write(response(String(connection)))))

describe('the connections of a run', () => {
  it('carry several requests, which the transport reports', async () => {
    const { get } = await numbered()
    assert.equal((await get()).isReused, false)
    const second = await get()
    assert.deepEqual([second.isReused, readText(second)], [true, '1'])
  })

  it('are replaced by the connection of a fresh request', async () => {
    const { get } = await numbered()
    assert.equal(readText(await get()), '1')
    const fresh = await get({ isFresh: true })
    assert.deepEqual([fresh.isReused, readText(fresh)], [false, '2'])
    assert.equal(readText(await get()), '2')
  })

  const ended: Readonly<Record<string, (socket: Socket, text: string) => unknown>> = {
    'that the response closes': (socket, text) => socket.write(response(text, 'Connection: close')),
    'with bytes behind the response': (socket, text) => socket.write(`${response(text)}more`),
    'that the server closes while it is idle': (socket, text) => socket.end(response(text)),
  }
  for (const [which, serve] of Object.entries(ended)) {
    it(`a connection ${which} is not used again`, async () => {
      let closed: Promise<unknown> = Promise.resolve()
      const { get } = await to(
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

  it('has its target and host, and keeps the connection', async () => {
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
  const partly = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12'
  type Case = readonly [what: string, failure: string, says: RegExp, serve: (socket: Socket) => unknown]
  const cases: readonly Case[] = [
    ['the connection ends', 'closed', /hang up/, (socket) => socket.end()],
    ['it is reset', 'closed', /ECONNRESET/, (socket) => socket.resetAndDestroy()],
    ['it ends within the body', 'other', /closed in the middle of the body/, (socket) => socket.end(partly)],
    ['the response is not HTTP', 'malformed', /Expected HTTP/, (socket) => socket.write('SSH-2.0-x\r\n')],
  ]
  for (const [what, failure, says, serve] of cases) {
    it(`is "${failure}" if ${what}`, async () => {
      const received = await (await to(serveSockets(serve))).get()
      assert.equal(received.kind === 'error' && received.failure, failure)
      assert.match(readText(received), says)
    })
  }

  it('ends at the deadline, whichever part is slow', async () => {
    for (const slow of ['', 'HTTP/1.1 200 OK\r\nConte', partly]) {
      const { get } = await to(serveSockets((socket) => socket.write(slow)))
      assert.match(readText(await get({ deadline: createDeadline(30) })), /within 30 ms/)
    }
  })
})

describe('the content of a response', () => {
  const coded = async (body: string, coding: string, content = gzipSync(body)): Promise<Received> => {
    const { get } = await to(
      serveHttp((_, res) => void res.writeHead(200, { 'content-encoding': coding }).end(content)),
    )
    return get()
  }

  it('is decoded, unless the coding is unknown', async () => {
    assert.equal(readText(await coded('[1]', 'gzip')), '[1]')
    assert.equal(readText(await coded('[1]', 'rot13', Buffer.from('[1]'))), '[1]')
  })

  for (const [coding, content] of [
    ['x-gzip', gzipSync('[1]')],
    ['gzip, gzip', gzipSync(gzipSync('[1]'))],
    ['deflate, GZIP', gzipSync(deflateSync('[1]'))],
    ['identity', Buffer.from('[1]')],
  ] as const)
    it(`is decoded from ${coding}`, async () =>
      assert.equal(readText(await coded('[1]', coding, content)), '[1]'))

  it('is an error if one of its codings is missing', async () => {
    assert.match(
      readText(await coded('[1]', 'gzip, gzip', gzipSync('[1]'))),
      /not in the content coding gzip/,
    )
  })

  it('is truncated if it is longer than the bound once it is decoded', async () => {
    const received = await coded('x'.repeat(1025), 'gzip')
    assert.ok(received.kind === 'response' && received.body.truncated)
  })
})
