import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { serveHttp } from '../network/testing/servers.ts'
import type { Transport } from '../network/transport.ts'
import type { ReceivedResponse } from '../transcript/transcript.ts'
import { realClock } from './clock.ts'
import { createTransport } from './default-transport.ts'
import { readOptions } from './options.ts'
import { createSender, type Outgoing, type Send } from './send.ts'

type Handler = (request: Request) => Promise<Response> | Response

const get: Outgoing = {
  method: 'GET',
  target: '/pets',
  headers: [['accept', 'application/json']],
  body: undefined,
  isFresh: false,
}
const post: Outgoing = { ...get, method: 'POST', headers: [['content-type', 'application/json']] }

const transports: Transport[] = []
after(() => {
  for (const transport of transports) transport.close()
})

function senderTo(baseUrl: string, fetch?: Handler, timeoutMs = 5000): Send {
  const settings = readOptions({ baseUrl, key: 'k3y', timeoutMs, clock: realClock, ...(fetch && { fetch }) })
  const sender = createTransport(settings).then((transport) => {
    transports.push(transport)
    return createSender(settings, transport, (text) => text.replaceAll('k3y', '[key]'))
  })
  return async (outgoing) => (await sender)(outgoing)
}

const inProcess = (fetch: Handler, timeoutMs?: number): Send =>
  senderTo('http://pets.test/v1', fetch, timeoutMs)

/** Runs against a server on a free port of this machine. */
async function served(
  handler: RequestListener,
  use: (send: Send, baseUrl: string) => Promise<void>,
): Promise<void> {
  const server = await serveHttp(handler)
  try {
    await use(senderTo(server.baseUrl), server.baseUrl)
  } finally {
    await server.close()
  }
}

async function responseOf(sent: ReturnType<Send>): Promise<ReceivedResponse> {
  const { outcome } = await sent
  assert.ok(outcome.kind === 'response')
  return outcome.response
}

async function errorOf(sent: ReturnType<Send>): Promise<string> {
  const { outcome } = await sent
  assert.ok(outcome.kind === 'error')
  return outcome.error
}

test('a request is sent as planned, with the name of the suite', async () => {
  let seen: Request | undefined
  await inProcess((request) => {
    seen = request
    return new Response('[]')
  })({ ...get, headers: [...get.headers, ['authorization', 'Bearer k3y']] })
  assert.equal(seen?.url, 'http://pets.test/v1/pets')
  assert.equal(seen?.redirect, 'manual')
  assert.equal(seen?.headers.get('authorization'), 'Bearer k3y')
  assert.match(seen?.headers.get('user-agent') ?? '', /^pet-adoption-conformance\//)
})

test('a POST carries the length of its body, 0 where it has none, and is never chunked', async () => {
  const lengths: (string | undefined)[] = []
  await served(
    (request, response) => {
      lengths.push(request.headers['content-length'], request.headers['transfer-encoding'])
      request.resume().on('end', () => response.end())
    },
    async (send) => {
      await send(post)
      await send({ ...post, body: '{"name":"é"}' })
    },
  )
  assert.deepEqual(lengths, ['0', undefined, '13', undefined])
})

test('a response is recorded with its headers in lower case, its text and its status', async () => {
  const response = await responseOf(
    inProcess(() => new Response('["é"]', { status: 404, headers: { 'X-RateLimit-Limit': '60' } }))(get),
  )
  assert.equal(response.status, 404)
  assert.equal(response.body, '["é"]')
  assert.ok(response.utf8 && !response.truncated)
  assert.deepEqual(response.headers.at(-1), ['x-ratelimit-limit', '60'])
})

test('a byte order mark is recorded', async () => {
  assert.equal((await responseOf(inProcess(() => new Response('\ufeff[]'))(get))).body, '\ufeff[]')
})

test('a response that is not UTF-8 is marked', async () => {
  const response = await responseOf(inProcess(() => new Response(Uint8Array.of(0x22, 0xff, 0x22)))(get))
  assert.equal(response.utf8, false)
  assert.equal(response.body, '[not stored: the body is not UTF-8]')
})

test('a response without a body is recorded with an empty one', async () => {
  assert.equal((await responseOf(inProcess(() => new Response(null, { status: 204 }))(get))).body, '')
})

test('secrets are removed from headers, bodies and messages', async () => {
  const echo = await responseOf(
    inProcess(() => new Response('you are k3y', { headers: { 'x-k3y': 'k3y!' } }))(get),
  )
  assert.ok(!JSON.stringify(echo).includes('k3y'))
  const failed = await errorOf(
    inProcess(() => {
      throw new TypeError('no k3y', { cause: new Error('k3y is bad') })
    })(get),
  )
  assert.equal(failed, 'no [key]: [key] is bad')
})

test('a redirect is recorded, and not followed', async () => {
  let requests = 0
  await served(
    (_, response) => {
      requests += 1
      response.writeHead(302, { location: '/elsewhere' }).end()
    },
    async (send) => {
      const { status, headers } = await responseOf(send(get))
      assert.equal(status, 302)
      assert.ok(headers.some(([name]) => name === 'location'))
    },
  )
  assert.equal(requests, 1)
})

test('an endless body is cut off and not recorded', async () => {
  const chunk = new Uint8Array(1_000_000)
  let pulled = 0
  let isCancelled = false
  const endless = new ReadableStream({
    pull: (controller) => {
      pulled += 1
      controller.enqueue(chunk)
    },
    cancel: () => {
      isCancelled = true
    },
  })
  const response = await responseOf(inProcess(() => new Response(endless))(get))
  assert.ok(response.truncated)
  assert.equal(response.body, '')
  assert.equal(response.status, 200)
  assert.ok(pulled < 10 && isCancelled)
})

test('an endless body from the network is cut off', async () => {
  await served(
    (_, response) => {
      const chunk = Buffer.alloc(100_000)
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', pour)
      }
      pour()
    },
    async (send) => assert.ok((await responseOf(send(get))).truncated),
  )
})

test('a body of 1 MiB is read, one of a byte more is not', async () => {
  const of = (size: number): Promise<ReceivedResponse> =>
    responseOf(inProcess(() => new Response(new Uint8Array(size).fill(0x20)))(get))
  assert.equal((await of(1024 * 1024)).body.length, 1024 * 1024)
  const { truncated, body } = await of(1024 * 1024 + 1)
  assert.deepEqual({ truncated, body }, { truncated: true, body: '' })
})

test('the bodies of a run are recorded up to 16 MiB in all', async () => {
  const send = inProcess(() => new Response(new Uint8Array(1024 * 1024).fill(0x20)))
  const truncated: boolean[] = []
  for (let n = 0; n < 18; n++) truncated.push((await responseOf(send(get))).truncated)
  assert.deepEqual(truncated, [...Array(16).fill(false), true, true])
})

test('a body in chunks of one byte is read whole', async () => {
  let left = 5000
  const body = new ReadableStream({
    pull: (controller) => (left-- > 0 ? controller.enqueue(Uint8Array.of(0x61)) : controller.close()),
  })
  assert.equal((await responseOf(inProcess(() => new Response(body))(get))).body, 'a'.repeat(5000))
})

test('a body that stops midway is an error at the deadline, however it is read', async () => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Uint8Array.of(0x5b, 0x5d)) })
  assert.match(await errorOf(inProcess(() => new Response(body), 20)(get)), /within 20 ms/)
})

test('headers of more than 64 KiB are an error that says so', async () => {
  const headers = { 'x-long': 'x'.repeat(64 * 1024) }
  const error = await errorOf(inProcess(() => new Response('[]', { headers }))(get))
  assert.equal(error, 'the headers are larger than 64 KiB')
})

test('a long error message is cut off', async () => {
  const error = await errorOf(inProcess(() => Promise.reject(new Error('x'.repeat(1_000_000))))(get))
  assert.equal(error.length, 400)
})

test('requests accept no compression', async () => {
  const asked: (string | undefined)[] = []
  await served(
    (request, response) => {
      asked.push(request.headers['accept-encoding'])
      response.end()
    },
    async (send) => void (await send(get)),
  )
  assert.deepEqual(asked, ['identity'])
})

test('a body that is small only while compressed is cut off', async () => {
  await served(
    (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)))
    },
    async (send) => assert.ok((await responseOf(send(get))).truncated),
  )
})

test('interim responses without end are an error at the deadline', async () => {
  await served(
    (_, response) => {
      const more = setInterval(() => response.writeEarlyHints({ link: '</x>; rel=preload' }), 1)
      response.once('close', () => clearInterval(more))
    },
    async (_, baseUrl) => assert.match(await errorOf(senderTo(baseUrl, undefined, 60)(get)), /within 60 ms/),
  )
})

test('JSON that a secret cannot be removed from is not recorded', async () => {
  const settings = readOptions({
    baseUrl: 'http://pets.test/v1',
    key: 'k3y',
    fetch: () => new Response('{"a":1}'),
  })
  const send = createSender(settings, await createTransport(settings), (text) => text.replace('1', '[key]'))
  const { body, withheld, truncated } = await responseOf(send(get))
  assert.deepEqual({ withheld, truncated }, { withheld: true, truncated: false })
  assert.match(body, /^\[not stored/)
})

test('a response that does not come in time is an error', async () => {
  const error = await errorOf(inProcess(() => new Promise(() => {}), 20)(get))
  assert.equal(error, 'no complete response within 20 ms')
})

test('an endless body of empty chunks is an error, although it lets no timer run', async () => {
  const empty = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array()) })
  assert.match(await errorOf(inProcess(() => new Response(empty), 20)(get)), /within 20 ms/)
})

test('a request without a response in time is aborted, one with a response is not', async () => {
  const signals: AbortSignal[] = []
  const keep = (response: () => Promise<Response>) => (request: Request) => {
    signals.push(request.signal)
    return response()
  }
  await inProcess(
    keep(() => new Promise(() => {})),
    20,
  )(get)
  await inProcess(keep(async () => new Response('[]')))(get)
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  )
})

test('a connection that ends in the middle of a body is an error with that message', async () => {
  await served(
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('[{"id":', () => response.destroy())
    },
    async (send) => assert.match(await errorOf(send(get)), /terminated|closed/),
  )
})

test('a refused connection is an error with its code', async () => {
  let address = ''
  await served(
    (_, response) => response.end(),
    async (_, baseUrl) => {
      address = baseUrl
    },
  )
  assert.match(await errorOf(senderTo(address)(get)), /ECONNREFUSED/)
})

test('any other thrown value is an error', async () => {
  const error = await errorOf(inProcess(() => Promise.reject('nope'))(get))
  assert.equal(error, 'nope')
})
