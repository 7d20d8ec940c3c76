import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ServiceOptions } from '../core/index.ts'
import { createFetchHandler, type FetchHandlerOptions } from './fetch.ts'
import { auth, testService } from './testing/mount-suite/open.ts'

function mounted<Info = unknown>(
  options: FetchHandlerOptions<Info> = {},
  service: Partial<ServiceOptions> = {},
) {
  return createFetchHandler<Info>(testService(service), options)
}

const get = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://pets.example${path}`, { headers })
const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'))

/** Returns a request that creates an animal. It declares a length only where one is given. */
function creation(body: string | ReadableStream, length?: number): Request {
  return new Request('http://pets.example/v1/pets', {
    method: 'POST',
    headers: {
      ...Object.fromEntries([auth.zoo]),
      ...(length !== undefined && { 'Content-Length': String(length) }),
    },
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    duplex: 'half',
  } as RequestInit) // `duplex` is missing from the declarations
}

/** Returns the size of all reachable objects and buffers, in bytes. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  collect() // what the first collection has found to be free
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
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
  const before = heapUsed()
  const response = mounted()(creation(stream))
  const end = await stalled
  const held = heapUsed() - before
  end()
  assert.equal((await response).status, 400)
  return held
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code
}

/**
 * A body that arrives in parts, each a few turns later, and whether it was cancelled. A body without parts never arrives.
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
  it('hands requests outside the base path to the fallback, with the info of the platform', async () => {
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

  it('rejects, and does not throw, where the fallback throws', async () => {
    const fallback = () => {
      throw new Error('no page')
    }
    const response = mounted({ fallback })(get('/'))
    await assert.rejects(response, /no page/)
  })

  it('responds to requests outside the base path itself where there is no fallback', async () => {
    assert.equal(await codeOf(await mounted()(get('/elsewhere'))), 'route_not_found')
  })

  it('ignores a fragment', async () => {
    const response = await mounted()(get('/v1/pets?limit=5#limit=0', Object.fromEntries([auth.zoo])))
    assert.equal(response.status, 200)
  })

  const platforms: readonly (readonly [name: string, info: (address: string) => unknown])[] = [
    ['Deno.serve', (hostname) => ({ remoteAddr: { transport: 'tcp', hostname, port: 5 } })],
    ['Bun.serve', (address) => ({ requestIP: () => ({ address, port: 5, family: 'IPv4' }) })],
  ]
  for (const [name, info] of platforms) {
    it(`identifies an anonymous client by the address that ${name} passes`, async () => {
      const handler = mounted()
      assert.equal(remaining(await handler(get('/v1/pets'), info('192.0.2.1'))), 59)
      assert.equal(remaining(await handler(get('/v1/pets'), info('192.0.2.2'))), 59)
      assert.equal(remaining(await handler(get('/v1/pets'), info('192.0.2.1'))), 58)
    })
  }

  it('identifies an anonymous client by the address that the option returns', async () => {
    const handler = mounted<{ ip: string }>({ client: (_request, info) => info?.ip })
    assert.equal(remaining(await handler(get('/v1/pets'), { ip: '192.0.2.1' })), 59)
    assert.equal(remaining(await handler(get('/v1/pets'), { ip: '192.0.2.2' })), 59)
    assert.equal(remaining(await handler(get('/v1/pets'), { ip: '192.0.2.1' })), 58)
  })

  it('reads the address of anonymous clients and of those whose key was not seen yet, and reports where that fails', async () => {
    const causes: unknown[] = []
    const client = () => {
      throw new Error('no address')
    }
    const handler = mounted({ client }, { onError: (cause) => causes.push(cause) })
    const withKey = () => handler(get('/v1/pets', Object.fromEntries([auth.zoo])))
    assert.equal((await withKey()).status, 200)
    causes.length = 0
    assert.equal((await withKey()).status, 200)
    assert.deepEqual(causes, [])
    const response = await handler(get('/v1/pets'))
    assert.deepEqual([response.status, await codeOf(response)], [401, 'missing_api_key'])
    assert.match(String(causes), /no address/)
  })

  for (const unknown of [null, undefined]) {
    it(`treats a client that is ${unknown} as unknown`, async () => {
      const handler = mounted({ client: () => unknown })
      assert.equal(remaining(await handler(get('/v1/pets'))), 59)
      assert.equal(remaining(await handler(get('/v1/pets'))), 58)
    })
  }

  it('identifies an anonymous client by counted hops where no peer is known', async () => {
    const handler = mounted({}, { trustProxy: 1 })
    const from = (address: string) => get('/v1/pets', { 'X-Forwarded-For': `6.6.6.6, ${address}` })
    assert.equal(remaining(await handler(from('192.0.2.1'))), 59)
    assert.equal(remaining(await handler(from('192.0.2.2'))), 59)
    assert.equal(remaining(await handler(from('192.0.2.1'))), 58)
  })

  it('counts anonymous clients together where no address is known', async () => {
    const handler = mounted()
    const infos = [undefined, null, 'info', {}, { remoteAddr: {} }, { requestIP: () => null }]
    for (const [i, info] of infos.entries())
      assert.equal(remaining(await handler(get('/v1/pets'), info)), 59 - i)
  })

  it('reads a body that arrives in several parts', async () => {
    const response = await mounted()(creation(arriving('{"name":"R', '', 'ex","categor', 'yId":1}').stream))
    assert.equal(await response.text(), '{"id":1,"name":"Rex","categoryId":1,"status":"available"}')
  })

  it('holds little more than the bytes of a body that arrives in many parts', async () => {
    const size = 60_000
    const held = await heldBy(size)
    // A list of the parts holds 24 MB; what the stream itself leaves for the next collection is up to 1.3 MB.
    assert.ok(held < 3_000_000, `${held} bytes are held for ${size}`)
  })

  it('rejects a body as soon as it is too long, states the bound, and cancels the rest', async () => {
    const { stream, state } = arriving(...new Array<string>(50).fill('x'.repeat(4_000)))
    const response = await mounted()(creation(stream))
    const error = (await response.json()) as { code: string; message: string }
    assert.deepEqual([response.status, error.code, state.cancelled], [413, 'body_too_large', true])
    assert.equal(error.message, 'The body must be at most 65536 bytes long.')
    assert.ok(state.taken < 20, `${state.taken} parts were read`)
  })

  for (const declared of [undefined, 100]) {
    const where = declared === undefined ? 'whose length is unknown' : 'whose length is declared'

    it(`reads a body ${where}`, async () => {
      const response = await mounted()(
        creation(arriving('{"name":"Rex",', '"categoryId":1}').stream, declared),
      )
      assert.equal(response.status, 201)
    })

    it(`stops waiting for a body ${where} after bodyTimeoutMs`, async () => {
      const response = await mounted({ bodyTimeoutMs: 5 })(creation(arriving().stream, declared))
      assert.deepEqual([response.status, await codeOf(response)], [408, 'request_timeout'])
    })

    it(`responds with a 400 to a body ${where} that breaks off`, async () => {
      const broken = arriving('{"na', new Error('connection lost')).stream
      const response = await mounted()(creation(broken, declared))
      assert.deepEqual([response.status, await codeOf(response)], [400, 'invalid_request'])
    })

    for (const [how, take] of [
      ['was read', (request: Request) => request.text()],
      ['is being read', async (request: Request) => void request.body?.getReader()],
    ] as const) {
      it(`responds with a 500 and reports it where a body ${where} ${how} before`, async () => {
        const causes: unknown[] = []
        const request = creation(arriving('{"name":"Rex","categoryId":1}').stream, declared)
        await take(request)
        const response = await mounted({}, { onError: (cause) => causes.push(cause) })(request)
        assert.equal(response.status, 500)
        assert.match(String(causes), /has been read already/)
      })
    }
  }

  it('treats a body that is declared as empty as missing', async () => {
    const response = await mounted()(creation('', 0))
    assert.deepEqual([response.status, await codeOf(response)], [400, 'invalid_json'])
  })

  it('cancels a body that does not arrive in time', async () => {
    const { stream, state } = arriving()
    const response = await mounted({ bodyTimeoutMs: 5 })(creation(stream))
    assert.deepEqual(
      [response.status, await codeOf(response), state.cancelled],
      [408, 'request_timeout', true],
    )
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
  const cases: readonly (readonly [what: string, options: object, message: RegExp])[] = [
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '30s'].map(
      (bodyTimeoutMs) => [`a bodyTimeoutMs of ${bodyTimeoutMs}`, { bodyTimeoutMs }, /bodyTimeoutMs/] as const,
    ),
    ['an unknown option', { bodyTimeout: 5 }, /bodyTimeoutMs/],
    ['a client that is no function', { client: '192.0.2.1' }, /options\.client/],
    ['a fallback that is no function', { fallback: '/' }, /options\.fallback/],
  ]
  for (const [what, options, message] of cases) {
    it(`throws a TypeError for ${what}`, () => {
      assert.throws(() => createFetchHandler(service, options), { name: 'TypeError', message })
    })
  }

  it('throws a TypeError where it gets no service', () => {
    const nothing = undefined as never // what an embedder without types may pass
    assert.throws(() => createFetchHandler(nothing), { name: 'TypeError', message: /createPetService/ })
  })
})
