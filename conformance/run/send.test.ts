import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Transport } from '../network/transport.ts'
import { serveHttp } from '../testing/servers.ts'
import type { ReceivedResponse } from '../transcript/transcript.ts'
import { readOptions } from './options.ts'
import { createTransport } from './record.ts'
import { createSender, type Outgoing, type Send } from './send.ts'

type Handler = (request: Request) => Promise<Response> | Response

const get: Outgoing = { method: 'GET', target: '/pets', headers: [], body: undefined, isFresh: false }
const mebibyte = 1024 * 1024

const transports: Transport[] = []
after(() => {
  for (const transport of transports) transport.close()
})

function senderTo(baseUrl: string, fetch?: Handler, timeoutMs = 60_000): Send {
  const settings = readOptions({ baseUrl, key: 'k3y', timeoutMs, ...(fetch && { fetch }) })
  const transport = createTransport(settings)
  transports.push(transport)
  return createSender(settings, transport, (text) => text.replaceAll('k3y', '[key]'))
}

const inProcess = (fetch: Handler, timeoutMs?: number): Send =>
  senderTo('http://pets.test/v1', fetch, timeoutMs)
const returning = (body: BodyInit | null, init?: ResponseInit): Promise<ReceivedResponse> =>
  readResponse(inProcess(() => new Response(body, init))(get))

async function readResponse(sent: ReturnType<Send>): Promise<ReceivedResponse> {
  const { outcome } = await sent
  return outcome.kind === 'response' ? outcome.response : assert.fail(outcome.error)
}

async function readError(sent: ReturnType<Send>): Promise<string> {
  const { outcome } = await sent
  return outcome.kind === 'error' ? outcome.error : assert.fail('there is a response')
}

describe('a request of the suite', () => {
  it('has the name of the suite, and follows no redirect', async () => {
    let seen: Request | undefined
    const { status } = await readResponse(
      inProcess((request) => {
        seen = request
        return new Response('[]', { status: 302, headers: { location: '/elsewhere' } })
      })({ ...get, headers: [['authorization', 'Bearer k3y']] }),
    )
    assert.deepEqual([status, seen?.url, seen?.redirect], [302, 'http://pets.test/v1/pets', 'manual'])
    assert.equal(seen?.headers.get('authorization'), 'Bearer k3y')
    assert.equal(seen?.headers.get('accept-encoding'), 'identity')
    assert.match(seen?.headers.get('user-agent') ?? '', /^pet-adoption-conformance\//)
  })
})

describe('a response to the suite', () => {
  it('has its status, lower-case headers and text', async () => {
    const response = await returning('["é"]', { status: 404, headers: { 'X-RateLimit-Limit': '60' } })
    assert.deepEqual(
      [response.status, response.body, response.utf8, response.truncated],
      [404, '["é"]', true, false],
    )
    assert.deepEqual(response.headers.at(-1), ['x-ratelimit-limit', '60'])
    assert.equal((await returning('\ufeff[]')).body, '\ufeff[]')
    assert.equal((await returning(null, { status: 204 })).body, '')
    const { utf8, body } = await returning(Uint8Array.of(0x22, 0xff, 0x22))
    assert.deepEqual([utf8, body], [false, '[not stored: the body is not UTF-8]'])
  })

  it('is recorded without secrets, and not at all if its JSON would break', async () => {
    const echo = await returning('you are k3y', { headers: { 'x-k3y': 'k3y!' } })
    assert.ok(!JSON.stringify(echo).includes('k3y'))
    const failed = await readError(
      inProcess(() => {
        throw new TypeError('no k3y', { cause: new Error('k3y is bad') })
      })(get),
    )
    assert.equal(failed, 'no [key]: [key] is bad')
    const settings = readOptions({
      baseUrl: 'http://pets.test/v1',
      key: 'k3y',
      fetch: () => new Response('{"a":123456789012}'),
    })
    const send = createSender(settings, createTransport(settings), (text) =>
      text.replace('123456789012', '[key]'),
    )
    const { body, withheld } = await readResponse(send(get))
    assert.deepEqual([withheld, body.slice(0, 11)], [true, '[not stored'])
  })

  it('is read up to a body of 1 MiB, in a run up to 16 MiB', async () => {
    const blanks = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(size).fill(0x20)
    const { truncated, body } = await returning(blanks(mebibyte + 1))
    assert.deepEqual([truncated, body], [true, ''])
    const send = inProcess(() => new Response(blanks(mebibyte)))
    const lengths: number[] = []
    for (let n = 0; n < 18; n++) lengths.push((await readResponse(send(get))).body.length)
    assert.deepEqual(lengths, [...Array(16).fill(mebibyte), 0, 0])
  })

  it('is cancelled if its body is endless, and read from 1-byte chunks', async () => {
    let pulled = 0
    let isCancelled = false
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(1_000_000))
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const { truncated, status } = await returning(endless)
    assert.deepEqual([truncated, status, isCancelled], [true, 200, true])
    assert.ok(pulled < 10)
    let left = 5000
    const slow = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(Uint8Array.of(0x61)) : controller.close()),
    })
    assert.equal((await returning(slow)).body, 'a'.repeat(5000))
  })

  it('becomes an error if it is incomplete after the timeout', async () => {
    const stopped = new ReadableStream({ start: (controller) => controller.enqueue(Uint8Array.of(0x5b)) })
    const empty = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array()) })
    const signals: AbortSignal[] = []
    for (const fetch of [
      () => new Response(stopped),
      () => new Response(empty),
      () => new Promise<Response>(() => {}),
    ])
      assert.match(
        await readError(
          inProcess((request) => {
            signals.push(request.signal)
            return fetch()
          }, 20)(get),
        ),
        /no complete response within 20 ms/,
      )
    assert.ok(signals.every(({ aborted }) => aborted))
  })

  it('is an error with headers over 64 KiB; long messages are cut', async () => {
    const headers = { 'x-long': 'x'.repeat(64 * 1024) }
    const tooLarge = 'the headers are larger than 64 KiB'
    assert.equal(await readError(inProcess(() => new Response('[]', { headers }))(get)), tooLarge)
    const server = await serveHttp((_, response) => response.writeHead(200, headers).end())
    assert.equal(await readError(senderTo(server.baseUrl)(get)).finally(server.close), tooLarge)
    const long = inProcess(() => Promise.reject(new Error('x'.repeat(1_000_000))))
    assert.equal((await readError(long(get))).length, 400)
    assert.equal(await readError(inProcess(() => Promise.reject('nope'))(get)), 'nope')
  })
})
