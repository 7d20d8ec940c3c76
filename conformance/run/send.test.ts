import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Transport } from '../network/transport.ts'
import { serveHttp } from '../testing/servers.ts'
import type { ReceivedResponse } from '../transcript/transcript.ts'
import { readOptions } from './options.ts'
import { createTransport } from './record.ts'
import { createSender, type OutgoingRequest, type Send } from './send.ts'

type Handler = (request: Request) => Promise<Response> | Response

const getRequest: OutgoingRequest = {
  method: 'GET',
  target: '/pets',
  headers: [],
  body: undefined,
  opensConnection: false,
}
const mebibyte = 1024 * 1024

const transports: Transport[] = []
after(() => {
  for (const transport of transports) transport.close()
})

function senderTo(baseUrl: string, fetch?: Handler, timeoutMs = 60_000): Send {
  const settings = readOptions({ baseUrl, apiKey: 'k3y', timeoutMs, ...(fetch && { fetch }) })
  const transport = createTransport(settings)
  transports.push(transport)
  return createSender(settings, transport, (text) => text.replaceAll('k3y', '[key]'))
}

const createInProcessSender = (fetch: Handler, timeoutMs?: number): Send =>
  senderTo('http://pets.test/v1', fetch, timeoutMs)
const createEchoSender = (body: BodyInit | null, init?: ResponseInit): Promise<ReceivedResponse> =>
  readResponse(createInProcessSender(() => new Response(body, init))(getRequest))

async function readResponse(sent: ReturnType<Send>): Promise<ReceivedResponse> {
  const { outcome } = await sent
  return outcome.response ?? assert.fail(outcome.error)
}

async function readError(sent: ReturnType<Send>): Promise<string> {
  const { outcome } = await sent
  return outcome.error ?? assert.fail('there is a response')
}

describe('a request', () => {
  it('is sent with its headers, and redirects are not followed', async () => {
    let seen: Request | undefined
    const { status } = await readResponse(
      createInProcessSender((request) => {
        seen = request
        return new Response('[]', { status: 302, headers: { location: '/elsewhere' } })
      })({ ...getRequest, headers: [['authorization', 'Bearer k3y']] }),
    )
    assert.deepEqual([status, seen?.url, seen?.redirect], [302, 'http://pets.test/v1/pets', 'manual'])
    assert.equal(seen?.headers.get('authorization'), 'Bearer k3y')
    assert.equal(seen?.headers.get('accept-encoding'), 'identity')
    assert.match(seen?.headers.get('user-agent') ?? '', /^pet-adoption-conformance\//)
  })
})

describe('a response', () => {
  it('is recorded as it was received', async () => {
    const response = await createEchoSender('["é"]', { status: 404, headers: { 'X-RateLimit-Limit': '60' } })
    assert.deepEqual(
      [response.status, response.body, response.utf8, response.truncated],
      [404, '["é"]', true, false],
    )
    assert.deepEqual(response.headers.at(-1), ['x-ratelimit-limit', '60'])
    assert.equal((await createEchoSender('\ufeff[]')).body, '\ufeff[]')
    assert.equal((await createEchoSender(null, { status: 204 })).body, '')
    const { utf8, body } = await createEchoSender(Uint8Array.of(0x22, 0xff, 0x22))
    assert.deepEqual([utf8, body], [false, '[not stored: the body is not UTF-8]'])
  })

  it('is recorded without keys', async () => {
    const echoResult = await createEchoSender('you are k3y', { headers: { 'x-echo': 'k3y!' } })
    assert.ok(!JSON.stringify(echoResult).includes('k3y'))
    const failedResult = await readError(
      createInProcessSender(() => {
        throw new TypeError('no k3y', { cause: new Error('k3y is bad') })
      })(getRequest),
    )
    assert.equal(failedResult, 'no [key]: [key] is bad')
    const settings = readOptions({
      baseUrl: 'http://pets.test/v1',
      apiKey: 'k3y',
      fetch: () => new Response('{"a":123456789012}'),
    })
    const send = createSender(settings, createTransport(settings), (text) =>
      text.replace('123456789012', '[key]'),
    )
    const { body, withheld } = await readResponse(send(getRequest))
    assert.deepEqual([withheld, body.slice(0, 11)], [true, '[not stored'])
  })

  it('is truncated after 1 MiB, and after 16 MiB per run', async () => {
    const createBlanks = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(size).fill(0x20)
    const { truncated, body } = await createEchoSender(createBlanks(mebibyte + 1))
    assert.deepEqual([truncated, body], [true, ''])
    const send = createInProcessSender(() => new Response(createBlanks(mebibyte)))
    const bodyLengths: number[] = []
    for (let n = 0; n < 18; n++) bodyLengths.push((await readResponse(send(getRequest))).body.length)
    assert.deepEqual(bodyLengths, [...Array(16).fill(mebibyte), 0, 0])
  })

  it('is read only until it is too large', async () => {
    let pulled = 0
    let isCancelled = false
    const endlessBody = new ReadableStream({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(1_000_000))
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const { truncated, status } = await createEchoSender(endlessBody)
    assert.deepEqual([truncated, status, isCancelled], [true, 200, true])
    assert.ok(pulled < 10)
    let left = 5000
    const slowBody = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(Uint8Array.of(0x61)) : controller.close()),
    })
    assert.equal((await createEchoSender(slowBody)).body, 'a'.repeat(5000))
  })

  it('is an error if it takes longer than the timeout', async () => {
    const stoppedBody = new ReadableStream({ start: (controller) => controller.enqueue(Uint8Array.of(0x5b)) })
    const emptyChunkBody = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array()) })
    const signals: AbortSignal[] = []
    for (const fetch of [
      () => new Response(stoppedBody),
      () => new Response(emptyChunkBody),
      () => new Promise<Response>(() => {}),
    ])
      assert.match(
        await readError(
          createInProcessSender((request) => {
            signals.push(request.signal)
            return fetch()
          }, 20)(getRequest),
        ),
        /no complete response within 20 ms/,
      )
    assert.ok(signals.every(({ aborted }) => aborted))
  })

  it('is reported if its headers are too large', async () => {
    const longHeaders = { 'x-long': 'x'.repeat(64 * 1024) }
    const tooLarge = 'the headers exceed 64 KiB'
    assert.equal(
      await readError(createInProcessSender(() => new Response('[]', { headers: longHeaders }))(getRequest)),
      tooLarge,
    )
    const server = await serveHttp((_, response) => response.writeHead(200, longHeaders).end())
    assert.equal(await readError(senderTo(server.baseUrl)(getRequest)).finally(server.close), tooLarge)
    const sendWithLongError = createInProcessSender(() => Promise.reject(new Error('x'.repeat(1_000_000))))
    assert.equal((await readError(sendWithLongError(getRequest))).length, 400)
    assert.equal(await readError(createInProcessSender(() => Promise.reject('nope'))(getRequest)), 'nope')
  })
})
