import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyStore, ResponseEvent } from '../../core/index.ts'
import { measureMemoryInUse } from '../../core/testing/memory-in-use.ts'
import { recordWarnings } from '../../core/testing/warnings.ts'
import { readCode } from '../testing/exchange.ts'
import { missingFeatures } from '../testing/machine.ts'
import { authHeaders, toCreateRequest } from '../testing/mount-suite/open-mount.ts'
import { serve, serveAndConnect, waitUntil } from '../testing/serve.ts'
import { formatHead } from '../testing/wire.ts'

const formatPost = (...lines: readonly string[]) => formatHead('POST /v1/pets HTTP/1.1', 'Host: x', ...lines)
const keyHeader = authHeaders.zoo.join(': ')
const chunkedHead = formatPost(keyHeader, 'Transfer-Encoding: chunked')
const rex = '{"name":"Rex","categoryId":1}'
const rexLength = `Content-Length: ${rex.length}`
const validRequest = formatHead('GET /v1/pets HTTP/1.1', 'Host: x', keyHeader)

/** Encodes a text with the chunked transfer coding, in chunks of the given size. */
const encodeChunks = (text: string, bytes: number) =>
  text.replace(new RegExp(`.{1,${bytes}}`, 'g'), (part) => `${part.length.toString(16)}\r\n${part}\r\n`)

describe('a request body', () => {
  for (const [when, keys] of [
    ['is read', undefined],
    ['waits for a key lookup', { find: () => new Promise<undefined>(() => {}) }],
  ] as const) {
    it(`in small chunks takes little memory while it ${when}`, async (t) => {
      const { connect, sockets } = await serve(t, { service: { ...(keys && { keys }) } })
      const bytes = chunkedHead + encodeChunks('x'.repeat(60_000), 16)
      const before = measureMemoryInUse()
      for (let i = 0; i < 4; i++) {
        const wire = await connect()
        wire.write(bytes)
        await waitUntil(async () => sockets[i]?.bytesRead === bytes.length)
      }
      const cost = measureMemoryInUse() - before
      assert.ok(cost < 2_000_000, `${cost} bytes`)
    })
  }

  for (const [length, status] of [
    [65_536, 201],
    [65_537, 413],
    [150_000, 413],
  ] as const) {
    it(`with ${length} bytes in small chunks gets ${status} after a slow lookup`, async (t) => {
      const events = new EventEmitter()
      const keys = { find: async () => (await once(events, 'found'))[0] }
      const { connect, sockets } = await serve(t, { service: { keys } })
      const wire = await connect()
      const json = `{"name":"Rex",${' '.repeat(length - 29)}"categoryId":1}`
      wire.write(`${chunkedHead}${encodeChunks(json, 16)}0\r\n\r\n`)
      await waitUntil(
        async () => Number(sockets[0]?.bytesRead) >= chunkedHead.length + Math.min(length, 65_536),
      )
      for (let i = 0; i < 10; i++) await sleep(1)
      events.emit('found', { id: 'slow', plan: 'free' })
      assert.equal((await wire.read())?.status, status)
    })
  }

  const json = (length: number) => `{"name":"Rex",${' '.repeat(length - 29)}"categoryId":1}`
  const end = '0\r\n\r\n'
  const fragmented = ['invalid_request', 'close']
  for (const [what, bytes, expected] of [
    ['255 one-byte chunks', chunkedHead + encodeChunks(json(255), 1) + end, undefined],
    ['256 one-byte chunks', chunkedHead + encodeChunks(json(256), 1) + end, fragmented],
    ['256 one-byte chunks without an end', chunkedHead + encodeChunks(json(256), 1), fragmented],
    ['257 15-byte chunks', chunkedHead + encodeChunks(json(257 * 15), 15) + end, fragmented],
    [
      'long chunks followed by one-byte chunks',
      chunkedHead + encodeChunks(json(3_200), 32) + encodeChunks(' '.repeat(4_000), 1),
      fragmented,
    ],
    ['1,000 16-byte chunks', chunkedHead + encodeChunks(json(16_000), 16) + end, undefined],
  ] as const) {
    it(`in ${what} is ${expected ? 'rejected' : 'read'}`, async (t) => {
      const { ask } = await serve(t)
      const response = await ask(bytes)
      if (!expected) assert.equal(response.status, 201)
      else assert.deepEqual([readCode(response), response.headers.get('connection')], expected)
    })
  }

  it('sent byte by byte is rejected before it is complete', async (t) => {
    const wire = await serveAndConnect(t)
    wire.socket.setNoDelay()
    wire.write(formatPost(keyHeader, 'Content-Length: 1000'))
    let response: Awaited<ReturnType<typeof wire.read>>
    void wire.read().then((first) => {
      response = first
    })
    for (let i = 0; i < 999 && !response; i++) {
      wire.write(' ')
      await sleep(1)
    }
    assert.ok(response)
    assert.deepEqual([readCode(response), response.headers.get('connection')], fragmented)
  })
})

/** Returns a listener that reads the body in front of the mount, and stores it on the request. */
const readBodyBeforeMount =
  (keep: (bytes: Buffer) => object) =>
  (mount: RequestListener) =>
  (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.once('end', () => mount(Object.assign(req, keep(Buffer.concat(chunks))), res))
  }

describe('createNodeHandler', { concurrency: true }, () => {
  it('reads chunked, slow and 100-continue bodies on one connection', async (t) => {
    const wire = await serveAndConnect(t)
    assert.equal(
      (await wire.ask(`${chunkedHead}${encodeChunks(rex, 1)}0\r\nX-Trailer: yes\r\n\r\n`)).status,
      201,
    )
    wire.write(formatPost(keyHeader, rexLength))
    for (const byte of rex) {
      wire.write(byte)
      await sleep(0)
    }
    assert.equal((await wire.read())?.status, 201)
    assert.equal((await wire.ask(formatPost(keyHeader, rexLength, 'Expect: 100-continue'))).status, 100)
    assert.equal((await wire.ask(rex)).status, 201)
    assert.equal((await wire.ask(validRequest)).status, 200)
  })

  for (const framing of ['Content-Length: 10000000', 'Transfer-Encoding: chunked']) {
    const skip = missingFeatures.readAfterReset
    it(`responds with 413 while a body with ${framing} arrives`, { skip }, async (t) => {
      const wire = await serveAndConnect(t)
      wire.write(formatPost(keyHeader, framing))
      const part = ' '.repeat(100_000)
      for (let i = 0; i < 100; i++) wire.write(framing.includes('chunked') ? `186a0\r\n${part}\r\n` : part)
      const response = await wire.read()
      assert.ok(response)
      assert.deepEqual([readCode(response), response.headers.get('connection')], ['body_too_large', 'close'])
      assert.match(response.text, /at most 65536 bytes/)
    })
  }

  it('keeps the connection open after an unread body', async (t) => {
    const wire = await serveAndConnect(t)
    const long = 'Content-Length: 100000'
    const body = 'x'.repeat(100_000)
    for (const [bytes, status] of [
      [formatPost(keyHeader, 'Content-Type: text/plain', long) + body, 415],
      [formatPost(long) + body, 401],
      [`${formatHead('GET /v1/pets HTTP/1.1', 'Host: x', keyHeader, 'Content-Length: 9')}something`, 200],
      [validRequest, 200],
    ] as const)
      assert.equal((await wire.ask(bytes)).status, status)
  })

  it('closes the connection after a response to a huge unread body', async (t) => {
    const { connect, sockets } = await serve(t)
    const wire = await connect()
    const response = await wire.ask(
      formatHead('GET /v1/pets HTTP/1.1', 'Host: x', keyHeader, 'Content-Length: 900000000'),
    )
    assert.deepEqual([response.status, response.headers.get('connection')], [200, 'close'])
    wire.write(Buffer.alloc(50_000_000))
    assert.equal(await wire.read(), undefined)
    await waitUntil(async () => sockets[0]?.destroyed === true)
    assert.ok(Number(sockets[0]?.bytesRead) < 5_000_000, `${sockets[0]?.bytesRead} bytes were received`)
  })

  for (const [what, head, rest] of [
    ['in chunks', `${formatPost('Transfer-Encoding: chunked')}5\r\nhello\r\n`, '0\r\n\r\n'],
    ['sent before 100 Continue', formatPost(rexLength, 'Expect: 100-continue'), rex],
  ] as const) {
    it(`discards the rest of a rejected body ${what}`, async (t) => {
      const wire = await serveAndConnect(t)
      assert.equal((await wire.ask(head)).status, 401)
      const ended = wire.read()
      assert.equal(await Promise.race([ended, sleep(50, 'open')]), 'open')
      wire.write(rest)
      assert.equal(await ended, undefined)
    })
  }

  it('sends 100 Continue for routes outside the base path', async (t) => {
    const wire = await serveAndConnect(t, {
      listener: () => (req, res) => req.once('end', () => res.end('received')).resume(),
    })
    const upload = formatHead('POST /upload HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Expect: 100-continue')
    assert.equal((await wire.ask(upload)).status, 100)
    assert.equal((await wire.ask('hello')).status, 200)
  })

  it('rejects a request instead of sending 100 Continue', async (t) => {
    const { ask, send } = await serve(t)
    for (let i = 0; i < 2; i++) await send({ headers: [authHeaders.small] })
    for (const [lines, status] of [
      [[authHeaders.unknown.join(': '), rexLength], 401],
      [[authHeaders.small.join(': '), rexLength], 429],
      [[keyHeader, 'Content-Length: 65537'], 413],
      [[keyHeader, rexLength, 'Content-Type: text/plain'], 415],
    ] as const) {
      const response = await ask(formatPost(...lines, 'Expect: 100-continue'))
      assert.deepEqual([response.status, response.headers.get('connection')], [status, 'close'])
    }
  })

  it('accepts a body that middleware has already read', async (t) => {
    for (const keep of [
      (rawBody: Buffer) => ({ rawBody, body: JSON.parse(String(rawBody)) }),
      (body: Buffer) => ({ body }),
      (bytes: Buffer) => ({ body: String(bytes) }),
    ]) {
      const { send } = await serve(t, { service: { maxBodyBytes: 100 }, listener: readBodyBeforeMount(keep) })
      const exact = await send(toCreateRequest('{"name":"Rex","categoryId":9007199254740993}'))
      assert.match(exact.text, /"categoryId":9007199254740993/)
      assert.equal((await send(toCreateRequest(`{"name":"${'x'.repeat(99)}","categoryId":1}`))).status, 413)
    }
  })
})

it('warns once about body parsers that keep only the parsed value', async (t) => {
  const warnings = recordWarnings(t)
  const listener = readBodyBeforeMount((bytes) => ({ body: JSON.parse(String(bytes)) }))
  const { send } = await serve(t, { listener })
  for (let i = 0; i < 2; i++) assert.equal(readCode(await send(toCreateRequest(rex))), 'internal_error')
  assert.equal(warnings.length, 1)
  assert.match(
    String(warnings),
    /^pet-adoption-service: .*has already been read.*Mount the service in front of body/,
  )
})

const slowKeyStore: KeyStore = { find: () => sleep(40, { id: 'slow', plan: 'free' }) }
const abortedRequests: Readonly<Record<string, readonly [bytes: string, keys?: KeyStore]>> = {
  'in the middle of the body': [`${formatPost(keyHeader, 'Content-Length: 50')}{"name"`],
  'in the middle of a chunk': [`${chunkedHead}50\r\n{"name"`],
  'before the body': [formatPost(keyHeader, 'Content-Length: 50')],
  'before 100 Continue': [formatPost(keyHeader, 'Content-Length: 50', 'Expect: 100-continue')],
  'during the key lookup': [`${formatPost(keyHeader, 'Content-Length: 50')}{"name"`, slowKeyStore],
  'after the body': [`${formatPost(keyHeader, rexLength)}${rex}`, slowKeyStore],
  'after a rejection': [`${formatPost('Content-Length: 300000')}{"name"`],
}

describe('an aborted request', { concurrency: true }, () => {
  for (const how of ['resets', 'ends'] as const)
    for (const [when, [bytes, keys]] of Object.entries(abortedRequests))
      it(`calls onResponse once if the client ${how} ${when}`, async (t) => {
        const events: ResponseEvent[] = []
        const { connect, countConnections, server } = await serve(t, {
          service: { onResponse: (event) => events.push(event), ...(keys && { keys }) },
        })
        const wire = await connect()
        const requested = Promise.race(['request', 'checkContinue'].map((event) => once(server, event)))
        wire.write(bytes)
        await requested // on Windows, a reset discards unread bytes
        await sleep(10)
        if (how === 'resets') wire.socket.resetAndDestroy()
        else wire.socket.end()
        const statuses = () =>
          events.flatMap(({ operation, status }) => (operation === 'createPet' ? status : []))
        await waitUntil(async () => statuses().length > 0 && (await countConnections()) === 0)
        assert.equal(statuses().length, 1)
        assert.ok(Number(statuses()) < 500)
      })
})
