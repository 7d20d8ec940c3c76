import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import type { ServiceOptions } from '../../core/index.ts'
import { memoryInUse } from '../../core/testing/memory-in-use.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { createFetchHandler, type FetchHandlerOptions, toResponse, toServiceRequest } from './index.ts'

function mounted<Info = unknown>(
  options: FetchHandlerOptions<Info> = {},
  service: Partial<ServiceOptions> = {},
) {
  return createFetchHandler<Info>(testService(service), options)
}

const get = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://pets.example${path}`, { headers })
const member = Object.fromEntries([auth.zoo])
const list = get('/v1/pets')
const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'))

/** Returns a request that creates an animal. It declares a length only if one is given. */
function creation(body: string | ReadableStream, length?: number): Request {
  return new Request('http://pets.example/v1/pets', {
    method: 'POST',
    headers: {
      ...member,
      ...(length !== undefined && { 'Content-Length': String(length) }),
    },
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    duplex: 'half',
  } as RequestInit) // `duplex` is missing from the declarations
}

/** Returns how many bytes are held for a body of `size` parts of one byte, when all of them have arrived. */
async function heldBy(size: number): Promise<number> {
  let sent = 0
  let stall = (_end: () => void) => {}
  const stalled = new Promise<() => void>((resolve) => {
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
  const before = memoryInUse()
  const response = mounted()(creation(stream))
  const end = await stalled
  const held = memoryInUse() - before
  end()
  assert.equal((await response).status, 400)
  return held
}

async function readCode(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code
}

/**
 * A body that arrives in parts, each a few turns later, and whether it was cancelled. A body without parts never
 * arrives.
 */
function arriving(...parts: readonly (string | Error)[]) {
  const encoder = new TextEncoder()
  const queue = [...parts]
  const state = { cancelled: false, taken: 0 }
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
      const part = queue.shift()
      state.taken++
      if (part instanceof Error) controller.error(part)
      else if (part !== undefined) controller.enqueue(encoder.encode(part))
      else if (parts.length > 0) controller.close()
      else await new Promise(() => {})
    },
    cancel() {
      state.cancelled = true
    },
  })
  return { stream, state }
}

describe('the Fetch mount', () => {
  it('hands requests outside the base path to the fallback', async () => {
    const info = { own: 'info' }
    const handler = mounted({
      fallback: (request, given) => new Response(`${request.url} ${given === info}`, { status: 203 }),
    })
    const response = await handler(get('/elsewhere?x=1'), info)
    assert.deepEqual(
      [response.status, await response.text()],
      [203, 'http://pets.example/elsewhere?x=1 true'],
    )
    assert.equal((await handler(get('/v1/nothing'), info)).status, 401)
    assert.equal((await mounted({ fallback: async () => new Response('late') })(get('/'))).status, 200)
  })

  it('rejects if the fallback throws', async () => {
    const fallback = () => {
      throw new Error('no page')
    }
    const response = mounted({ fallback })(get('/'))
    await assert.rejects(response, /no page/)
  })

  it('responds with 404 outside the base path without a fallback', async () => {
    assert.equal(await readCode(await mounted()(get('/elsewhere'))), 'route_not_found')
  })

  it('ignores a fragment', async () => {
    const response = await mounted()(get('/v1/pets?limit=5#limit=0', member))
    assert.equal(response.status, 200)
  })

  const relative: readonly (readonly [url: string, status: number])[] = [
    ['/v1/pets', 200],
    ['/v1/pets?limit=1&x=http://pets.example/#limit=0', 200],
    ['/x/v1/pets', 404],
    ['/v1', 404],
  ]
  for (const [url, status] of relative) {
    it(`responds with ${status} to a relative URL of Bun, ${url.slice(0, 20)}`, async () => {
      const request = Object.defineProperty(get('/', member), 'url', { value: url })
      assert.equal((await mounted()(request)).status, status)
    })
  }

  const sources: Readonly<
    Record<string, readonly [handler: () => ReturnType<typeof mounted>, info: (address: string) => unknown]>
  > = {
    'Deno.serve passes': [mounted, (hostname) => ({ remoteAddr: { transport: 'tcp', hostname, port: 5 } })],
    'Bun.serve passes': [mounted, (address) => ({ requestIP: () => ({ address, port: 5, family: 'IPv4' }) })],
    'std/http passes as a third argument': [
      () => {
        const handler = mounted()
        return (request, info) => handler(request, { pathname: {} }, info)
      },
      (hostname) => ({ remoteAddr: { transport: 'tcp', hostname, port: 5 } }),
    ],
    'the option returns': [() => mounted({ client: (_request, info) => String(info) }), (address) => address],
  }
  for (const [what, [create, info]] of Object.entries(sources)) {
    it(`reads the address that ${what}`, async () => {
      const handler = create()
      for (const [address, left] of [
        ['192.0.2.1', 59],
        ['192.0.2.2', 59],
        ['192.0.2.1', 58],
      ] as const)
        assert.equal(remaining(await handler(list, info(address))), left)
    })
  }

  it('reads the address only if it is needed, and reports a failure', async () => {
    const causes: unknown[] = []
    const client = () => {
      throw new Error('no address')
    }
    const handler = mounted({ client }, { onError: (cause) => causes.push(cause) })
    const withKey = () => handler(get('/v1/pets', member))
    assert.equal((await withKey()).status, 200)
    causes.length = 0
    assert.equal((await withKey()).status, 200)
    assert.deepEqual(causes, [])
    const response = await handler(list)
    assert.deepEqual([response.status, await readCode(response)], [401, 'missing_api_key'])
    assert.match(String(causes), /no address/)
  })

  it('counts the hops of X-Forwarded-For if no peer is known', async () => {
    const handler = mounted({}, { trustProxy: 1 })
    const from = (address: string) => get('/v1/pets', { 'X-Forwarded-For': `6.6.6.6, ${address}` })
    assert.equal(remaining(await handler(from('192.0.2.1'))), 59)
    assert.equal(remaining(await handler(from('192.0.2.2'))), 59)
    assert.equal(remaining(await handler(from('192.0.2.1'))), 58)
  })

  it('charges unknown clients together, and reports it once', async () => {
    const causes: unknown[] = []
    const handler = mounted({}, { onError: (cause) => causes.push(cause) })
    const infos = [undefined, null, 'info', {}, { remoteAddr: {} }, { requestIP: () => null }]
    for (const [i, info] of infos.entries()) assert.equal(remaining(await handler(list, info)), 59 - i)
    assert.match(String(causes), /^TypeError: No client address[^T]*$/)
    const nobody = mounted({ client: (_request, info) => (info ? null : undefined) })
    assert.deepEqual([remaining(await nobody(list, true)), remaining(await nobody(list))], [59, 58])
  })

  it('reads a body that arrives in several parts', async () => {
    const response = await mounted()(creation(arriving('{"name":"R', '', 'ex","categor', 'yId":1}').stream))
    assert.equal(await response.text(), '{"id":1,"name":"Rex","categoryId":1,"status":"available"}')
  })

  it('stores little more than the bytes of a body in many parts', async () => {
    const size = 60_000
    const held = await heldBy(size)
    // A list of the parts holds 24 MB; what the stream itself leaves for the next collection is some MB.
    assert.ok(held < 8_000_000, `${held} bytes are held for ${size}`)
  })

  it('reads the body before an early response to HTTP/2 on Deno', async () => {
    Object.assign(globalThis, { Deno: {} })
    try {
      for (const headers of [{ host: 'pets.example' }, undefined]) {
        const request = new Request('http://pets.example/v1/pets', {
          method: 'POST',
          body: '{}',
          ...(headers && { headers }),
        })
        assert.equal((await mounted()(request)).status, 401)
        assert.equal(request.bodyUsed, !headers)
      }
    } finally {
      Reflect.deleteProperty(globalThis, 'Deno')
    }
  })

  it('rejects a body as soon as it is too long', async () => {
    const { stream, state } = arriving(...new Array<string>(50).fill('x'.repeat(4_000)))
    const response = await mounted()(creation(stream))
    const error = (await response.json()) as { code: string; message: string }
    assert.deepEqual([response.status, error.code, state.cancelled], [413, 'body_too_large', true])
    assert.equal(error.message, 'The body must be at most 65536 bytes long.')
    assert.ok(state.taken < 20, `${state.taken} parts were read`)
  })

  for (const declared of [undefined, 100]) {
    const where = declared === undefined ? 'of unknown length' : 'of declared length'

    it(`reads a body ${where}`, async () => {
      const response = await mounted()(
        creation(arriving('{"name":"Rex",', '"categoryId":1}').stream, declared),
      )
      assert.equal(response.status, 201)
    })

    it(`stops waiting for a body ${where} after bodyTimeoutMs`, async () => {
      const { stream, state } = arriving()
      const response = await mounted({ bodyTimeoutMs: 5 })(creation(stream, declared))
      assert.deepEqual([response.status, await readCode(response)], [408, 'request_timeout'])
      if (declared === undefined) assert.ok(state.cancelled)
    })

    it(`responds with 400 to an incomplete body ${where}`, async () => {
      const broken = arriving('{"na', new Error('connection lost')).stream
      const response = await mounted()(creation(broken, declared))
      assert.deepEqual([response.status, await readCode(response)], [400, 'invalid_request'])
    })

    for (const [how, take] of [
      ['was read', (request: Request) => request.text()],
      ['is being read', async (request: Request) => void request.body?.getReader()],
    ] as const) {
      it(`reports that a body ${where} ${how} before`, async () => {
        const causes: unknown[] = []
        const request = creation(arriving('{"name":"Rex","categoryId":1}').stream, declared)
        await take(request)
        const response = await mounted({}, { onError: (cause) => causes.push(cause) })(request)
        assert.equal(response.status, 500)
        assert.match(String(causes), /has been read already/)
      })
    }
  }

  it('treats a body of length 0 as missing', async () => {
    const response = await mounted()(creation('', 0))
    assert.deepEqual([response.status, await readCode(response)], [400, 'invalid_json'])
  })

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const before = timers()
    await mounted()(creation('{"name":"Rex","categoryId":1}'))
    await mounted()(creation('{"name":"Rex","categoryId":1}', 29))
    await mounted()(creation(arriving('{"na', new Error('connection lost')).stream))
    assert.equal(timers(), before)
  })
})

describe('createFetchHandler', () => {
  const service = testService()
  const isTime = /options\.bodyTimeoutMs must be a number of milliseconds from 1 to 2147483647/
  const cases: readonly (readonly [options: object, message: RegExp])[] = [
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '30s'].map(
      (bodyTimeoutMs) => [{ bodyTimeoutMs }, isTime] as const,
    ),
    [{ bodyTimeout: 5 }, /expected one of fallback, client, bodyTimeoutMs/],
    [{ client: '192.0.2.1' }, /options\.client must be a function/],
    [{ fallback: '/' }, /options\.fallback must be a function/],
  ]
  for (const [options, message] of cases) {
    it(`rejects the options ${inspect(options)}`, () => {
      assert.throws(() => createFetchHandler(service, options), { name: 'TypeError', message })
      assert.throws(() => toServiceRequest(list, undefined, options), { name: 'TypeError', message })
    })
  }

  it('rejects a missing service', () => {
    const nothing = undefined as never // what an embedder without types may pass
    assert.throws(() => createFetchHandler(nothing), { name: 'TypeError', message: /createPetService/ })
  })
})

describe('a route of the embedder with Fetch', () => {
  it('keeps its body', async () => {
    const request = new Request('http://pets.example/v1/store/orders', {
      headers: member,
      method: 'POST',
      body: 'hello',
    })
    const access = await testService().authenticate(toServiceRequest(request))
    assert.ok(access.authenticated)
    assert.ok(!request.bodyUsed)
    const response = toResponse({ status: 201, rawHeaders: access.rawHeaders, body: await request.text() })
    assert.deepEqual([response.status, await response.text(), remaining(response)], [201, 'hello', 99_999])
  })

  it('charges the address that the platform passes', async () => {
    const service = testService()
    const info = { remoteAddr: { hostname: '192.0.2.7' } }
    const access = await service.authenticate(toServiceRequest(list, info))
    assert.ok(!access.authenticated)
    assert.equal(remaining(toResponse(access.response)), 59)
    const handler = createFetchHandler(service)
    assert.equal(remaining(await handler(list, info)), 58)
  })

  it('gets a 500 if the option throws', async () => {
    const causes: unknown[] = []
    const service = testService({ onError: (cause) => causes.push(cause) })
    const client = () => {
      throw 'no address'
    }
    const access = await service.authenticate(toServiceRequest(list, undefined, { client }))
    assert.ok(!access.authenticated)
    assert.equal(access.response.status, 500)
    assert.ok(causes.includes('no address'))
  })

  it('reports a missing await', async () => {
    const access = Promise.resolve({}) as unknown as { response: never }
    assert.throws(
      () => toResponse(access.response),
      /^TypeError: toResponse requires .*: await service\.authenticate$/,
    )
  })

  it('responds to a HEAD with the length of the body', async () => {
    const response = toResponse(
      { status: 200, rawHeaders: ['Content-Type', 'text/plain'], body: 'grün' },
      'HEAD',
    )
    assert.deepEqual([response.headers.get('content-length'), await response.text()], ['5', ''])
  })

  it('sends repeated headers', () => {
    const rawHeaders = ['Set-Cookie', 'a=1', 'Vary', 'Origin', 'Set-Cookie', 'b=2']
    const response = toResponse({ status: 200, rawHeaders, body: '' })
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2'])
    assert.equal(response.headers.get('vary'), 'Origin')
  })
})
