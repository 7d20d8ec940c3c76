import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { authHeaders, createTestService } from '../testing/mount-suite/open-mount.ts'
import { nextMethods, toNextHandlers } from './index.ts'

const Authorization = authHeaders.zoo[1]
const clientAddress = (request: Request) => request.headers.get('X-Real-IP')

/** Sets environment variables as Next.js does for its configuration. */
function setNextConfig(t: TestContext, variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, variables)
  t.after(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
  })
}

describe('toNextHandlers', () => {
  it('creates a handler for each method that Next.js supports', async () => {
    const handlers = toNextHandlers(createTestService(), { clientAddress })
    assert.deepEqual(Object.keys(handlers), nextMethods)
    for (const method of nextMethods) {
      const { status } = await handlers[method](
        new Request('http://pets.example/v1/pets/1', { method, headers: { Authorization } }),
      )
      assert.equal(status, ['GET', 'HEAD'].includes(method) ? 404 : 405, method)
    }
  })

  it('adds the basePath from next.config', async (t) => {
    setNextConfig(t, { __NEXT_ROUTER_BASEPATH: '/shop' })
    const { POST, GET } = toNextHandlers(createTestService({ basePath: '/shop/v1' }), { clientAddress })
    for (const name of ['Rex', 'Mia']) {
      const request = new Request('http://pets.example/v1/pets', {
        method: 'POST',
        headers: { Authorization, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, categoryId: 1 }),
      })
      assert.equal((await POST(request)).status, 201)
    }
    const page = await GET(new Request('http://pets.example/v1/pets?limit=1', { headers: { Authorization } }))
    assert.equal(page.headers.get('Link'), '</shop/v1/pets?limit=1&after=1>; rel="next"')
  })

  it('rejects a service without the basePath from next.config', (t) => {
    setNextConfig(t, { __NEXT_ROUTER_BASEPATH: '/shop' })
    assert.throws(() => toNextHandlers(createTestService(), { clientAddress }), {
      name: 'TypeError',
      message: 'next.config sets basePath to "/shop"; create the service with basePath: "/shop/v1"',
    })
  })

  it('rejects trailingSlash without skipTrailingSlashRedirect', (t) => {
    setNextConfig(t, { __NEXT_TRAILING_SLASH: 'true' })
    const create = () => toNextHandlers(createTestService(), { clientAddress })
    assert.throws(create, { name: 'TypeError', message: /set skipTrailingSlashRedirect: true/ })
    setNextConfig(t, { __NEXT_MANUAL_TRAILING_SLASH: 'true' })
    assert.doesNotThrow(create)
  })

  it('limits each client address separately', async () => {
    const { GET } = toNextHandlers(createTestService(), { clientAddress })
    const readRemaining = async (address: string) => {
      const request = new Request('http://pets.example/v1/pets', { headers: { 'X-Real-IP': address } })
      return (await GET(request)).headers.get('X-RateLimit-Remaining')
    }
    assert.deepEqual(
      [await readRemaining('192.0.2.1'), await readRemaining('192.0.2.1'), await readRemaining('192.0.2.2')],
      ['59', '58', '59'],
    )
  })

  it('requires the option clientAddress', () => {
    const options = {} as Parameters<typeof toNextHandlers>[1] // simulates an untyped caller
    assert.throws(() => toNextHandlers(createTestService(), options), {
      message: /clientAddress must be a function/,
    })
  })
})
