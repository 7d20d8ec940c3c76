import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import type { ServiceOptions } from '../../core/index.ts'
import { measureMemoryInUse } from '../../core/testing/memory-in-use.ts'
import { authHeaders, createTestService } from '../testing/mount-suite/open-mount.ts'
import { createFetchHandler, type FetchHandlerOptions, toResponse, toServiceRequest } from './index.ts'

function createHandler<Info = unknown>(
  options: FetchHandlerOptions<Info> = {},
  service: Partial<ServiceOptions> = {},
) {
  return createFetchHandler<Info>(createTestService(service), options)
}

const createGetRequest = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://pets.example${path}`, { headers })
const authHeader = Object.fromEntries([authHeaders.zoo])
const listRequest = createGetRequest('/v1/pets')
const readRemaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'))

/** Creates a request that creates an animal. The request declares a length only if `length` is passed. */
function toCreateRequest(body: string | ReadableStream, length?: number): Request {
  return new Request('http://pets.example/v1/pets', {
    method: 'POST',
    headers: {
      ...authHeader,
      ...(length !== undefined && { 'Content-Length': String(length) }),
    },
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    duplex: 'half',
  } as RequestInit) // the TypeScript types lack `duplex`
}

/** Returns how much memory the handler uses for a body with one-byte chunks. */
async function measureBufferedBytes(size: number): Promise<number> {
  let sent = 0
  let stall = (_end: () => void) => {}
  const stalledRequest = new Promise<() => void>((resolve) => {
    stall = resolve
  })
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent++ < size) controller.enqueue(Uint8Array.of(0x20))
        else stall(() => controller.close())
      },
    },
    { highWaterMark: 0 },
  )
  const usedBytesBefore = measureMemoryInUse()
  const response = createHandler()(toCreateRequest(stream))
  const endRequest = await stalledRequest
  const bufferedBytes = measureMemoryInUse() - usedBytesBefore
  endRequest()
  assert.equal((await response).status, 400)
  return bufferedBytes
}

async function readCode(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code
}

/** Creates a body whose chunks arrive in later event loop turns. Without chunks, it never ends. */
function createArrivingRequest(...parts: readonly (string | Error)[]) {
  const encoder = new TextEncoder()
  const queue = [...parts]
  const streamState = { cancelled: false, taken: 0 }
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
      const part = queue.shift()
      streamState.taken++
      if (part instanceof Error) controller.error(part)
      else if (part !== undefined) controller.enqueue(encoder.encode(part))
      else if (parts.length > 0) controller.close()
      else await new Promise(() => {})
    },
    cancel() {
      streamState.cancelled = true
    },
  })
  return { stream, state: streamState }
}

describe('createFetchHandler', () => {
  it('calls the fallback for a request outside the base path', async () => {
    const info = { own: 'info' }
    const handler = createHandler({
      fallback: (request, given) => new Response(`${request.url} ${given === info}`, { status: 203 }),
    })
    const response = await handler(createGetRequest('/elsewhere?x=1'), info)
    assert.deepEqual(
      [response.status, await response.text()],
      [203, 'http://pets.example/elsewhere?x=1 true'],
    )
    assert.equal((await handler(createGetRequest('/v1/nothing'), info)).status, 401)
    assert.equal(
      (await createHandler({ fallback: async () => new Response('late') })(createGetRequest('/'))).status,
      200,
    )
  })

  it('rejects if the fallback throws', async () => {
    const fallback = () => {
      throw new Error('no page')
    }
    const response = createHandler({ fallback })(createGetRequest('/'))
    await assert.rejects(response, /no page/)
  })

  it('responds with 404 outside the base path if there is no fallback', async () => {
    assert.equal(await readCode(await createHandler()(createGetRequest('/elsewhere'))), 'route_not_found')
  })

  it('ignores a URL fragment', async () => {
    const response = await createHandler()(createGetRequest('/v1/pets?limit=5#limit=0', authHeader))
    assert.equal(response.status, 200)
  })

  const relativeUrls: readonly (readonly [url: string, status: number])[] = [
    ['/v1/pets', 200],
    ['/v1/pets?limit=1&x=http://pets.example/#limit=0', 200],
    ['/x/v1/pets', 404],
    ['/v1', 404],
  ]
  for (const [url, status] of relativeUrls) {
    it(`responds with ${status} to the relative URL ${url.slice(0, 20)}`, async () => {
      const request = Object.defineProperty(createGetRequest('/', authHeader), 'url', { value: url })
      assert.equal((await createHandler()(request)).status, status)
    })
  }

  const sources: Readonly<
    Record<
      string,
      readonly [handler: () => ReturnType<typeof createHandler>, info: (address: string) => unknown]
    >
  > = {
    'Deno.serve passes': [
      createHandler,
      (hostname) => ({ remoteAddr: { transport: 'tcp', hostname, port: 5 } }),
    ],
    'Bun.serve passes': [
      createHandler,
      (address) => ({ requestIP: () => ({ address, port: 5, family: 'IPv4' }) }),
    ],
    'std/http passes as a third argument': [
      () => {
        const handler = createHandler()
        return (request, info) => handler(request, { pathname: {} }, info)
      },
      (hostname) => ({ remoteAddr: { transport: 'tcp', hostname, port: 5 } }),
    ],
    'the option returns': [
      () => createHandler({ clientAddress: (_request, info) => String(info) }),
      (address) => address,
    ],
  }
  for (const [what, [create, info]] of Object.entries(sources)) {
    it(`limits anonymous clients by the address that ${what}`, async () => {
      const handler = create()
      for (const [address, left] of [
        ['192.0.2.1', 59],
        ['192.0.2.2', 59],
        ['192.0.2.1', 58],
      ] as const)
        assert.equal(readRemaining(await handler(listRequest, info(address))), left)
    })
  }

  it('reports an error from clientAddress, and still serves the request', async () => {
    const reportedCauses: unknown[] = []
    const clientAddress = () => {
      throw new Error('no address')
    }
    const handler = createHandler({ clientAddress }, { onError: (cause) => reportedCauses.push(cause) })
    const withKey = () => handler(createGetRequest('/v1/pets', authHeader))
    assert.equal((await withKey()).status, 200)
    reportedCauses.length = 0
    assert.equal((await withKey()).status, 200)
    assert.deepEqual(reportedCauses, [])
    const response = await handler(listRequest)
    assert.deepEqual([response.status, await readCode(response)], [401, 'missing_api_key'])
    assert.match(String(reportedCauses), /no address/)
  })

  it('reads the client address from X-Forwarded-For behind a trusted proxy', async () => {
    const handler = createHandler({}, { trustProxy: 1 })
    const getFromAddress = (address: string) =>
      createGetRequest('/v1/pets', { 'X-Forwarded-For': `6.6.6.6, ${address}` })
    assert.equal(readRemaining(await handler(getFromAddress('192.0.2.1'))), 59)
    assert.equal(readRemaining(await handler(getFromAddress('192.0.2.2'))), 59)
    assert.equal(readRemaining(await handler(getFromAddress('192.0.2.1'))), 58)
  })

  it('applies one limit to all clients without an address, and reports it', async () => {
    const reportedCauses: unknown[] = []
    const handler = createHandler({}, { onError: (cause) => reportedCauses.push(cause) })
    const invalidInfos = [undefined, null, 'info', {}, { remoteAddr: {} }, { requestIP: () => null }]
    for (const [i, info] of invalidInfos.entries())
      assert.equal(readRemaining(await handler(listRequest, info)), 59 - i)
    assert.match(String(reportedCauses), /^TypeError: No client address[^T]*$/)
    const noAddress = createHandler({ clientAddress: (_request, info) => (info ? null : undefined) })
    assert.deepEqual(
      [readRemaining(await noAddress(listRequest, true)), readRemaining(await noAddress(listRequest))],
      [59, 58],
    )
  })

  it('joins body chunks', async () => {
    const response = await createHandler()(
      toCreateRequest(createArrivingRequest('{"name":"R', '', 'ex","categor', 'yId":1}').stream),
    )
    assert.equal(await response.text(), '{"id":1,"name":"Rex","categoryId":1,"status":"available"}')
  })

  it('needs little memory for a body with tiny chunks', async () => {
    const bodyBytes = 60_000
    const bufferedBytes = await measureBufferedBytes(bodyBytes)
    // An array with all chunks would take 24 MB. The stream itself leaves some MB.
    assert.ok(bufferedBytes < 8_000_000, `${bufferedBytes} bytes are buffered for ${bodyBytes}`)
  })

  it('reads the rest of a body in Deno, which might lose the response', async () => {
    Object.assign(globalThis, { Deno: {} })
    try {
      for (const headers of [{ host: 'pets.example' }, undefined]) {
        const request = new Request('http://pets.example/v1/pets', {
          method: 'POST',
          body: '{}',
          ...(headers && { headers }),
        })
        assert.equal((await createHandler()(request)).status, 401)
        assert.equal(request.bodyUsed, !headers)
      }
    } finally {
      Reflect.deleteProperty(globalThis, 'Deno')
    }
  })

  it('responds with 413 and stops reading if a body is too long', async () => {
    const { stream, state } = createArrivingRequest(...new Array<string>(50).fill('x'.repeat(4_000)))
    const response = await createHandler()(toCreateRequest(stream))
    const error = (await response.json()) as { code: string; message: string }
    assert.deepEqual([response.status, error.code, state.cancelled], [413, 'body_too_large', true])
    assert.equal(error.message, 'The body must be at most 65536 bytes long.')
    assert.ok(state.taken < 20, `${state.taken} chunks were read`)
  })

  for (const declared of [undefined, 100]) {
    const lengthCase = declared === undefined ? 'with unknown length' : 'with declared length'

    it(`reads a body ${lengthCase}`, async () => {
      const response = await createHandler()(
        toCreateRequest(createArrivingRequest('{"name":"Rex",', '"categoryId":1}').stream, declared),
      )
      assert.equal(response.status, 201)
    })

    it(`responds with 408 if a body ${lengthCase} stalls`, async () => {
      const { stream, state } = createArrivingRequest()
      const response = await createHandler({ bodyTimeoutMs: 5 })(toCreateRequest(stream, declared))
      assert.deepEqual([response.status, await readCode(response)], [408, 'request_timeout'])
      if (declared === undefined) assert.ok(state.cancelled)
    })

    it(`responds with 400 if the connection fails in a body ${lengthCase}`, async () => {
      const brokenStream = createArrivingRequest('{"na', new Error('connection lost')).stream
      const response = await createHandler()(toCreateRequest(brokenStream, declared))
      assert.deepEqual([response.status, await readCode(response)], [400, 'invalid_request'])
    })

    for (const [how, take] of [
      ['was read', (request: Request) => request.text()],
      ['is being read', async (request: Request) => void request.body?.getReader()],
    ] as const) {
      it(`reports that a body ${lengthCase} ${how}`, async () => {
        const reportedCauses: unknown[] = []
        const request = toCreateRequest(
          createArrivingRequest('{"name":"Rex","categoryId":1}').stream,
          declared,
        )
        await take(request)
        const response = await createHandler({}, { onError: (cause) => reportedCauses.push(cause) })(request)
        assert.equal(response.status, 500)
        assert.match(String(reportedCauses), /has been read already/)
      })
    }
  }

  it('responds with 400 to an empty body', async () => {
    const response = await createHandler()(toCreateRequest('', 0))
    assert.deepEqual([response.status, await readCode(response)], [400, 'invalid_json'])
  })

  it('leaves no timer running', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const timersBefore = timers()
    await createHandler()(toCreateRequest('{"name":"Rex","categoryId":1}'))
    await createHandler()(toCreateRequest('{"name":"Rex","categoryId":1}', 29))
    await createHandler()(toCreateRequest(createArrivingRequest('{"na', new Error('connection lost')).stream))
    assert.equal(timers(), timersBefore)
  })
})

describe('createFetchHandler and toServiceRequest', () => {
  const service = createTestService()
  const isTime = /options\.bodyTimeoutMs must be a number from 1 to 2147483647, in milliseconds/
  const cases: readonly (readonly [options: object, message: RegExp])[] = [
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '30s'].map(
      (bodyTimeoutMs) => [{ bodyTimeoutMs }, isTime] as const,
    ),
    [{ bodyTimeout: 5 }, /expected one of fallback, clientAddress, bodyTimeoutMs/],
    [{ clientAddress: '192.0.2.1' }, /options\.clientAddress must be a function/],
    [{ fallback: '/' }, /options\.fallback must be a function/],
  ]
  for (const [options, message] of cases) {
    it(`throw for the options ${inspect(options)}`, () => {
      assert.throws(() => createFetchHandler(service, options), { name: 'TypeError', message })
      assert.throws(() => toServiceRequest(listRequest, undefined, options), { name: 'TypeError', message })
    })
  }

  it('throw without a service', () => {
    const missingArgument = undefined as never // TypeScript would reject the value
    assert.throws(() => createFetchHandler(missingArgument), {
      name: 'TypeError',
      message: /createPetService/,
    })
  })
})

describe('toServiceRequest and toResponse', () => {
  it('add rate limit headers to your own route', async () => {
    const request = new Request('http://pets.example/v1/store/orders', {
      headers: authHeader,
      method: 'POST',
      body: 'hello',
    })
    const access = await createTestService().authenticate(toServiceRequest(request))
    assert.ok(access.authenticated)
    assert.ok(!request.bodyUsed)
    const response = toResponse({ status: 201, rawHeaders: access.rawHeaders, body: await request.text() })
    assert.deepEqual(
      [response.status, await response.text(), readRemaining(response)],
      [201, 'hello', 99_999],
    )
  })

  it('limit a client by the address that the server passes', async () => {
    const service = createTestService()
    const info = { remoteAddr: { hostname: '192.0.2.7' } }
    const access = await service.authenticate(toServiceRequest(listRequest, info))
    assert.ok(!access.authenticated)
    assert.equal(readRemaining(toResponse(access.response)), 59)
    const handler = createFetchHandler(service)
    assert.equal(readRemaining(await handler(listRequest, info)), 58)
  })

  it('report an error from clientAddress, and respond with 500', async () => {
    const reportedCauses: unknown[] = []
    const service = createTestService({ onError: (cause) => reportedCauses.push(cause) })
    const clientAddress = () => {
      throw 'no address'
    }
    const access = await service.authenticate(toServiceRequest(listRequest, undefined, { clientAddress }))
    assert.ok(!access.authenticated)
    assert.equal(access.response.status, 500)
    assert.ok(reportedCauses.includes('no address'))
  })

  it('throw if service.authenticate was not awaited', async () => {
    const access = Promise.resolve({}) as unknown as { response: never }
    assert.throws(
      () => toResponse(access.response),
      /^TypeError: toResponse\(\) requires .*; await service\.authenticate\(\) first$/,
    )
  })

  it('support a Response whose headers cannot be changed', (t) => {
    const Original = Response
    t.after(() => Object.assign(globalThis, { Response: Original }))
    class Copying extends Response {
      override get headers(): Headers {
        return new Headers(super.headers)
      }
    }
    Object.assign(globalThis, { Response: Copying })
    for (const method of ['GET', 'HEAD']) {
      const response = { status: 200, rawHeaders: ['Content-Type', 'application/json'], body: '[]' }
      assert.equal(toResponse(response, method).headers.get('Content-Type'), 'application/json')
    }
  })

  it('respond to HEAD with a Content-Length and no body', async () => {
    const response = toResponse(
      { status: 200, rawHeaders: ['Content-Type', 'text/plain'], body: 'grün' },
      'HEAD',
    )
    assert.deepEqual([response.headers.get('content-length'), await response.text()], ['5', ''])
  })

  it('keep repeated headers', () => {
    const rawHeaders = ['Set-Cookie', 'a=1', 'Vary', 'Origin', 'Set-Cookie', 'b=2']
    const response = toResponse({ status: 200, rawHeaders, body: '' })
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2'])
    assert.equal(response.headers.get('vary'), 'Origin')
  })
})
