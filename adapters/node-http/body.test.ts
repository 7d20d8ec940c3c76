import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyStore, ResponseEvent } from '../../core/index.ts'
import { memoryInUse } from '../../core/testing/memory-in-use.ts'
import { recordWarnings } from '../../core/testing/warnings.ts'
import { readCode } from '../testing/exchange.ts'
import { lacks } from '../testing/machine.ts'
import { auth, creation } from '../testing/mount-suite/open.ts'
import { openWire, serve, until } from '../testing/serve.ts'
import { head } from '../testing/wire.ts'

const post = (...lines: readonly string[]) => head('POST /v1/pets HTTP/1.1', 'Host: x', ...lines)
const key = auth.zoo.join(': ')
const chunked = post(key, 'Transfer-Encoding: chunked')
const rex = '{"name":"Rex","categoryId":1}'
const rexLength = `Content-Length: ${rex.length}`
const good = head('GET /v1/pets HTTP/1.1', 'Host: x', key)

/** A body as chunks of `bytes` bytes, without the last one. */
const inChunks = (text: string, bytes: number) =>
  text.replace(new RegExp(`.{1,${bytes}}`, 'g'), (part) => `${part.length.toString(16)}\r\n${part}\r\n`)

describe('a body in small chunks', () => {
  for (const [when, keys] of [
    ['is read', undefined],
    ['waits for the lookup of its key', { find: () => new Promise<undefined>(() => {}) }],
  ] as const) {
    it(`costs little more than its bytes while it ${when}`, async (t) => {
      const { connect, sockets } = await serve(t, { service: { ...(keys && { keys }) } })
      const bytes = chunked + inChunks('x'.repeat(60_000), 16)
      const before = memoryInUse()
      for (let i = 0; i < 4; i++) {
        const wire = await connect()
        wire.write(bytes)
        await until(async () => sockets[i]?.bytesRead === bytes.length)
      }
      const cost = memoryInUse() - before
      assert.ok(cost < 2_000_000, `${cost} bytes`)
    })
  }

  for (const [length, status] of [
    [65_536, 201],
    [65_537, 413],
    [150_000, 413],
  ] as const) {
    it(`gets a ${status} for ${length} bytes during the lookup of its key`, async (t) => {
      const events = new EventEmitter()
      const keys = { find: async () => (await once(events, 'found'))[0] }
      const { connect, sockets } = await serve(t, { service: { keys } })
      const wire = await connect()
      const json = `{"name":"Rex",${' '.repeat(length - 29)}"categoryId":1}`
      wire.write(`${chunked}${inChunks(json, 16)}0\r\n\r\n`)
      await until(async () => Number(sockets[0]?.bytesRead) >= chunked.length + Math.min(length, 65_536))
      for (let i = 0; i < 10; i++) await sleep(1)
      events.emit('found', { id: 'slow', plan: 'free' })
      assert.equal((await wire.read())?.status, status)
    })
  }

  const json = (length: number) => `{"name":"Rex",${' '.repeat(length - 29)}"categoryId":1}`
  const end = '0\r\n\r\n'
  const fragmented = ['invalid_request', 'close']
  for (const [what, bytes, expected] of [
    ['255 chunks of a byte', chunked + inChunks(json(255), 1) + end, undefined],
    ['256 chunks of a byte', chunked + inChunks(json(256), 1) + end, fragmented],
    ['256 chunks of a byte, and no end', chunked + inChunks(json(256), 1), fragmented],
    ['257 chunks of 15 bytes', chunked + inChunks(json(257 * 15), 15) + end, fragmented],
    [
      '100 long chunks, then many of a byte',
      chunked + inChunks(json(3_200), 32) + inChunks(' '.repeat(4_000), 1),
      fragmented,
    ],
    ['1,000 chunks of 16 bytes', chunked + inChunks(json(16_000), 16) + end, undefined],
  ] as const) {
    it(`of ${what} is ${expected ? 'rejected' : 'read'}`, async (t) => {
      const { ask } = await serve(t)
      const response = await ask(bytes)
      if (!expected) assert.equal(response.status, 201)
      else assert.deepEqual([readCode(response), response.headers.get('connection')], expected)
    })
  }

  it('of a declared length is rejected too', async (t) => {
    const wire = await openWire(t)
    wire.socket.setNoDelay()
    wire.write(post(key, 'Content-Length: 1000'))
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

/** Reads the body in front of the mount, and leaves what `keep` makes of it on the request. */
const readInFront =
  (keep: (bytes: Buffer) => object) =>
  (mount: RequestListener) =>
  (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.once('end', () => mount(Object.assign(req, keep(Buffer.concat(chunks))), res))
  }

describe('a body', { concurrency: true }, () => {
  it('arrives in chunks, byte by byte, or after 100 Continue', async (t) => {
    const wire = await openWire(t)
    assert.equal((await wire.ask(`${chunked}${inChunks(rex, 1)}0\r\nX-Trailer: yes\r\n\r\n`)).status, 201)
    wire.write(post(key, rexLength))
    for (const byte of rex) {
      wire.write(byte)
      await sleep(0)
    }
    assert.equal((await wire.read())?.status, 201)
    assert.equal((await wire.ask(post(key, rexLength, 'Expect: 100-continue'))).status, 100)
    assert.equal((await wire.ask(rex)).status, 201)
    assert.equal((await wire.ask(good)).status, 200)
  })

  for (const framing of ['Content-Length: 10000000', 'Transfer-Encoding: chunked']) {
    const skip = lacks.readAfterReset
    it(`of 10 MB (${framing}) gets a readable 413`, { skip }, async (t) => {
      const wire = await openWire(t)
      wire.write(post(key, framing))
      const part = ' '.repeat(100_000)
      for (let i = 0; i < 100; i++) wire.write(framing.includes('chunked') ? `186a0\r\n${part}\r\n` : part)
      const response = await wire.read()
      assert.ok(response)
      assert.deepEqual([readCode(response), response.headers.get('connection')], ['body_too_large', 'close'])
      assert.match(response.text, /at most 65536 bytes/)
    })
  }

  it('keeps the connection open if it is short and not needed', async (t) => {
    const wire = await openWire(t)
    const long = 'Content-Length: 100000'
    const body = 'x'.repeat(100_000)
    for (const [bytes, status] of [
      [post(key, 'Content-Type: text/plain', long) + body, 415],
      [post(long) + body, 401],
      [`${head('GET /v1/pets HTTP/1.1', 'Host: x', key, 'Content-Length: 9')}something`, 200],
      [good, 200],
    ] as const)
      assert.equal((await wire.ask(bytes)).status, status)
  })

  it('of a GET closes the connection if it is huge', async (t) => {
    const { connect, sockets } = await serve(t)
    const wire = await connect()
    const response = await wire.ask(
      head('GET /v1/pets HTTP/1.1', 'Host: x', key, 'Content-Length: 900000000'),
    )
    assert.deepEqual([response.status, response.headers.get('connection')], [200, 'close'])
    wire.write(Buffer.alloc(50_000_000))
    assert.equal(await wire.read(), undefined)
    await until(async () => sockets[0]?.destroyed === true)
    assert.ok(Number(sockets[0]?.bytesRead) < 5_000_000, `${sockets[0]?.bytesRead} bytes were received`)
  })

  for (const [what, head, rest] of [
    ['in chunks', `${post('Transfer-Encoding: chunked')}5\r\nhello\r\n`, '0\r\n\r\n'],
    ['sent without 100 Continue', post(rexLength, 'Expect: 100-continue'), rex],
  ] as const) {
    it(`${what} is received after a 401 before the connection closes`, async (t) => {
      const wire = await openWire(t)
      assert.equal((await wire.ask(head)).status, 401)
      const ended = wire.read()
      assert.equal(await Promise.race([ended, sleep(50, 'open')]), 'open')
      wire.write(rest)
      assert.equal(await ended, undefined)
    })
  }

  it('of another route gets 100 Continue immediately', async (t) => {
    const wire = await openWire(t, {
      listener: () => (req, res) => req.once('end', () => res.end('received')).resume(),
    })
    const upload = head('POST /upload HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Expect: 100-continue')
    assert.equal((await wire.ask(upload)).status, 100)
    assert.equal((await wire.ask('hello')).status, 200)
  })

  it('gets no 100 Continue if the response does not need it', async (t) => {
    const { ask, send } = await serve(t)
    for (let i = 0; i < 2; i++) await send({ headers: [auth.small] })
    for (const [lines, status] of [
      [[auth.unknown.join(': '), rexLength], 401],
      [[auth.small.join(': '), rexLength], 429],
      [[key, 'Content-Length: 65537'], 413],
      [[key, rexLength, 'Content-Type: text/plain'], 415],
    ] as const) {
      const response = await ask(post(...lines, 'Expect: 100-continue'))
      assert.deepEqual([response.status, response.headers.get('connection')], [status, 'close'])
    }
  })

  it('is read from req.rawBody or req.body within the bound', async (t) => {
    for (const keep of [
      (rawBody: Buffer) => ({ rawBody, body: JSON.parse(String(rawBody)) }),
      (body: Buffer) => ({ body }),
      (bytes: Buffer) => ({ body: String(bytes) }),
    ]) {
      const { send } = await serve(t, { service: { maxBodyBytes: 100 }, listener: readInFront(keep) })
      const exact = await send(creation('{"name":"Rex","categoryId":9007199254740993}'))
      assert.match(exact.text, /"categoryId":9007199254740993/)
      assert.equal((await send(creation(`{"name":"${'x'.repeat(99)}","categoryId":1}`))).status, 413)
    }
  })
})

it('a body that was parsed in front of the mount gets a 500 and one warning', async (t) => {
  const warnings = recordWarnings(t)
  const listener = readInFront((bytes) => ({ body: JSON.parse(String(bytes)) }))
  const { send } = await serve(t, { listener })
  for (let i = 0; i < 2; i++) assert.equal(readCode(await send(creation(rex))), 'internal_error')
  assert.equal(warnings.length, 1)
  assert.match(String(warnings), /^pet-adoption-service: .*read already.*mount the service in front of body/)
})

const slowKeys: KeyStore = { find: () => sleep(40, { id: 'slow', plan: 'free' }) }
const aborted: Readonly<Record<string, readonly [bytes: string, keys?: KeyStore]>> = {
  'in the middle of its body': [`${post(key, 'Content-Length: 50')}{"name"`],
  'in the middle of a chunk': [`${chunked}50\r\n{"name"`],
  'before the first byte of its body': [post(key, 'Content-Length: 50')],
  'while it waits for 100 Continue': [post(key, 'Content-Length: 50', 'Expect: 100-continue')],
  'during the lookup of its key': [`${post(key, 'Content-Length: 50')}{"name"`, slowKeys],
  'during the lookup of its key, after its last byte': [`${post(key, rexLength)}${rex}`, slowKeys],
  'after it was rejected': [`${post('Content-Length: 300000')}{"name"`],
}

describe('an aborted upload', { concurrency: true }, () => {
  for (const how of ['resets', 'ends'] as const)
    for (const [when, [bytes, keys]] of Object.entries(aborted))
      it(`${when} (peer ${how}) leaves nothing behind`, async (t) => {
        const events: ResponseEvent[] = []
        const { connect, connections, server } = await serve(t, {
          service: { onResponse: (event) => events.push(event), ...(keys && { keys }) },
        })
        const wire = await connect()
        const requested = Promise.race(['request', 'checkContinue'].map((event) => once(server, event)))
        wire.write(bytes)
        await requested // a reset discards on Windows what has not been read
        await sleep(10)
        if (how === 'resets') wire.socket.resetAndDestroy()
        else wire.socket.end()
        const statuses = () =>
          events.flatMap(({ operation, status }) => (operation === 'createPet' ? status : []))
        await until(async () => statuses().length > 0 && (await connections()) === 0)
        assert.equal(statuses().length, 1)
        assert.ok(Number(statuses()) < 500)
      })
})
