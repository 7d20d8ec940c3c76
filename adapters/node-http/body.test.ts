import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyStore, ResponseEvent } from '../../core/index.ts'
import { memoryInUse } from '../../core/testing/memory-in-use.ts'
import { recordWarnings } from '../../core/testing/warnings.ts'
import { codeOf } from '../testing/exchange.ts'
import { auth } from '../testing/mount-suite/open.ts'
import { serve, until } from '../testing/serve.ts'
import { head, type Wire, type WireResponse } from '../testing/wire.ts'

const post = (...lines: readonly string[]) => head('POST /v1/pets HTTP/1.1', 'Host: x', ...lines)
const key = auth.zoo.join(': ')
const rex = '{"name":"Rex","categoryId":1}'
const rexLength = `Content-Length: ${rex.length}`
const good = head('GET /v1/pets HTTP/1.1', 'Host: x', key)

/** Returns the next response. Throws where there is none. */
async function next(wire: Wire): Promise<WireResponse> {
  const response = await wire.read()
  assert.ok(response)
  return response
}

/** Asserts that a connection is still served. */
async function assertServes(wire: Wire): Promise<void> {
  wire.write(good)
  assert.equal((await next(wire)).status, 200)
}

describe('a body in chunks of one byte', () => {
  for (const [when, keys] of [
    ['is read', undefined],
    ['waits until its key has been looked up', { find: () => new Promise<undefined>(() => {}) }],
  ] as const) {
    it(`costs little more than its bytes while it ${when}`, async (t) => {
      const { connect, server } = await serve(t, { service: { ...(keys && { keys }) } })
      const sockets: Socket[] = []
      server.on('connection', (socket) => sockets.push(socket))
      const bytes = post(key, 'Transfer-Encoding: chunked') + '1\r\nx\r\n'.repeat(15_000)
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
    [60_000, 201],
    [65_536, 201],
    [65_537, 413],
    [150_000, 413],
  ] as const) {
    it(`is a ${status} with ${length} bytes that arrive while its key is looked up`, async (t) => {
      const events = new EventEmitter()
      const keys = { find: async () => (await once(events, 'found'))[0] }
      const { connect, server } = await serve(t, { service: { keys } })
      const opened = once(server, 'connection')
      const wire = await connect()
      const [socket]: Socket[] = await opened
      const json = `{"name":"Rex",${' '.repeat(length - 29)}"categoryId":1}`
      const head = post(key, 'Transfer-Encoding: chunked')
      wire.write(`${head}${json.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`)
      await until(async () => (socket?.bytesRead ?? 0) >= head.length + 6 * Math.min(length, 65_536))
      for (let i = 0; i < 10; i++) await sleep(1)
      events.emit('found', { id: 'slow', plan: 'free' })
      assert.equal((await next(wire)).status, status)
    })
  }
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

const parseInFront = readInFront((bytes) => ({ body: JSON.parse(String(bytes)) }))

describe('a body over node:http', { concurrency: true }, () => {
  it('may arrive in chunks, and byte by byte', async (t) => {
    const wire = await (await serve(t)).connect()
    wire.write(post(key, 'Transfer-Encoding: chunked'))
    for (const byte of rex) wire.write(`1\r\n${byte}\r\n`)
    wire.write('0\r\nX-Trailer: yes\r\n\r\n')
    assert.equal((await next(wire)).status, 201)
    wire.write(post(key, rexLength))
    for (const byte of rex) {
      wire.write(byte)
      await sleep(0)
    }
    assert.equal((await next(wire)).status, 201)
    await assertServes(wire)
  })

  it('is rejected by its declared length before it arrives', async (t) => {
    const wire = await (await serve(t)).connect()
    wire.write(post(key, 'Content-Length: 65537'))
    assert.equal(codeOf(await next(wire)), 'body_too_large')
  })

  it('of 10 MB is rejected while it arrives, and its sender can read the response, which states the bound', async (t) => {
    const { connect } = await serve(t)
    for (const framing of ['Content-Length: 10000000', 'Transfer-Encoding: chunked']) {
      const wire = await connect()
      wire.write(post(key, framing))
      const part = Buffer.alloc(100_000, 0x20)
      for (let i = 0; i < 100; i++) {
        if (framing.includes('chunked')) wire.write('186a0\r\n')
        wire.write(part)
        if (framing.includes('chunked')) wire.write('\r\n')
      }
      const response = await next(wire)
      assert.equal(codeOf(response), 'body_too_large', framing)
      assert.match(response.text, /at most 65536 bytes/, framing)
      assert.equal(response.headers.get('connection'), 'close')
    }
  })

  it('that is rejected but short leaves the connection open', async (t) => {
    const wire = await (await serve(t)).connect()
    for (const [lines, status] of [
      [['Content-Type: text/plain', key], 415],
      [[], 401],
    ] as const) {
      wire.write(`${post(...lines, 'Content-Length: 100000')}${'x'.repeat(100_000)}`)
      assert.equal((await next(wire)).status, status)
      await assertServes(wire)
    }
  })

  it('of a GET is ignored, and the next request on the connection is served', async (t) => {
    const wire = await (await serve(t)).connect()
    wire.write(`${head('GET /v1/pets HTTP/1.1', 'Host: x', key, 'Content-Length: 9')}something${good}`)
    assert.equal((await next(wire)).status, 200)
    assert.equal((await next(wire)).status, 200)
    await assertServes(wire)
  })

  it('of a GET that is huge is hardly received, and the connection closes behind the response', async (t) => {
    const { connect, server } = await serve(t)
    const opened = once(server, 'connection')
    const wire = await connect()
    const [socket]: Socket[] = await opened
    wire.write(head('GET /v1/pets HTTP/1.1', 'Host: x', key, 'Content-Length: 900000000'))
    const response = await next(wire)
    assert.deepEqual([response.status, response.headers.get('connection')], [200, 'close'])
    wire.write(Buffer.alloc(50_000_000))
    assert.equal(await wire.read(), undefined)
    await until(async () => socket?.destroyed === true)
    assert.ok(Number(socket?.bytesRead) < 5_000_000, `${socket?.bytesRead} bytes were received`)
  })

  it('lets a response that closes the connection end as soon as all of it has arrived', async (t) => {
    const wire = await (await serve(t)).connect()
    wire.write(`${post('Transfer-Encoding: chunked')}5\r\nhello\r\n`)
    assert.equal((await next(wire)).status, 401)
    wire.write('0\r\n\r\n')
    assert.equal(await wire.read(), undefined)
  })

  it('gets its 100 Continue only once the pipeline needs it', async (t) => {
    const wire = await (await serve(t)).connect()
    wire.write(post(key, rexLength, 'Expect: 100-continue'))
    assert.equal((await next(wire)).status, 100)
    wire.write(rex)
    assert.equal((await next(wire)).status, 201)
    await assertServes(wire)
  })

  it('gets its 100 Continue at once where it is for another route of the server', async (t) => {
    const { connect } = await serve(t, {
      listener: (mount, service) => (req, res) => {
        if (service.owns(req.url ?? '')) mount(req, res)
        else req.once('end', () => res.end('received')).resume()
      },
    })
    const wire = await connect()
    wire.write(head('POST /upload HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Expect: 100-continue'))
    assert.equal((await next(wire)).status, 100)
    wire.write('hello')
    assert.equal((await next(wire)).status, 200)
  })

  const unneeded: readonly (readonly [lines: readonly string[], status: number])[] = [
    [[rexLength], 401],
    [[auth.unknown.join(': '), rexLength], 401],
    [[auth.small.join(': '), rexLength], 429],
    [[key, 'Content-Length: 65537'], 413],
    [[key, rexLength, 'Content-Type: text/plain'], 415],
  ]
  for (const [lines, status] of unneeded) {
    it(`gets no 100 Continue before a ${status} to ${lines.join(', ')}`, async (t) => {
      const { connect, send } = await serve(t)
      for (let i = 0; i < 2; i++) await send({ headers: [auth.small] })
      const wire = await connect()
      wire.write(post(...lines, 'Expect: 100-continue'))
      const response = await next(wire)
      assert.deepEqual([response.status, response.headers.get('connection')], [status, 'close'])
    })
  }

  it('that arrives without 100 Continue is received, so that its sender can read the response', async (t) => {
    const wire = await (await serve(t)).connect()
    wire.write(post(rexLength, 'Expect: 100-continue'))
    assert.equal((await next(wire)).status, 401)
    let ended = false
    const end = wire.read().then(() => {
      ended = true
    })
    await sleep(50)
    assert.ok(!ended)
    wire.write(rex)
    await end
  })

  for (const [place, keep] of Object.entries({
    'req.rawBody': (rawBody: Buffer) => ({ rawBody, body: JSON.parse(String(rawBody)) }),
    'a Buffer in req.body': (body: Buffer) => ({ body }),
    'a string in req.body': (bytes: Buffer) => ({ body: String(bytes) }),
  })) {
    it(`that was read before the mount is used where its bytes are ${place}, within the bound of a body`, async (t) => {
      const { send } = await serve(t, { service: { maxBodyBytes: 100 }, listener: readInFront(keep) })
      const request = (body: string) => send({ method: 'POST', headers: [auth.zoo], body })
      const exact = await request('{"name":"Rex","categoryId":9007199254740993}')
      assert.equal(exact.status, 201)
      assert.match(exact.text, /"categoryId":9007199254740993/)
      assert.equal((await request(JSON.stringify({ name: 'x'.repeat(99), categoryId: 1 }))).status, 413)
    })
  }

  it('that was parsed before the mount is a 500, and onError receives the reason', async (t) => {
    const causes: unknown[] = []
    const { send } = await serve(t, {
      service: { onError: (cause) => causes.push(cause) },
      listener: parseInFront,
    })
    const response = await send({ method: 'POST', headers: [auth.zoo], body: rex })
    assert.deepEqual([response.status, codeOf(response)], [500, 'internal_error'])
    assert.match(String(causes), /has been read already/)
  })
})

it('a body that was parsed before the mount is told once, by a warning of the process, without onError', async (t) => {
  const warnings = recordWarnings(t)
  const { send } = await serve(t, { listener: parseInFront })
  for (let i = 0; i < 2; i++)
    assert.equal((await send({ method: 'POST', headers: [auth.zoo], body: rex })).status, 500)
  assert.equal(warnings.length, 1)
  assert.match(String(warnings), /^pet-adoption-service: .*read already.*mount the service in front of body/)
})

describe('an upload that is aborted', { concurrency: true }, () => {
  const slowKeys: KeyStore = {
    find: async () => {
      await sleep(40)
      return { id: 'slow', plan: 'free' }
    },
  }
  const stories: readonly (readonly [what: string, bytes: string, keys?: KeyStore])[] = [
    ['in the middle of its body', `${post(key, 'Content-Length: 50')}{"name"`],
    ['in the middle of a chunk', `${post(key, 'Transfer-Encoding: chunked')}50\r\n{"name"`],
    ['before the first byte of its body', post(key, 'Content-Length: 50')],
    ['while it waits for 100 Continue', post(key, 'Content-Length: 50', 'Expect: 100-continue')],
    ['while its key is looked up', `${post(key, 'Content-Length: 50')}{"name"`, slowKeys],
    ['while its key is looked up, after its last byte', `${post(key, rexLength)}${rex}`, slowKeys],
    ['after it was rejected', `${post('Content-Length: 300000')}{"name"`],
  ]
  for (const how of ['resets', 'ends'] as const) {
    for (const [what, bytes, keys] of stories) {
      it(`${what}, by a peer that ${how}, ends once and leaves nothing behind`, async (t) => {
        const events: ResponseEvent[] = []
        const { connect, connections } = await serve(t, {
          service: { onResponse: (event) => events.push(event), ...(keys && { keys }) },
        })
        const wire = await connect()
        wire.write(bytes)
        await sleep(10)
        if (how === 'resets') wire.socket.resetAndDestroy()
        else wire.socket.end()
        const ended = () => events.filter(({ operation }) => operation === 'createPet').length
        await until(async () => ended() > 0 && (await connections()) === 0)
        assert.equal(ended(), 1)
        assert.ok(events.every(({ status }) => status < 500))
      })
    }
  }
})
