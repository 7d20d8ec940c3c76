import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFetchHandler, type FetchHandlerOptions, toResponse, toServiceRequest } from '../fetch.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'

const url = 'http://pets.example/v1/store/orders'
const keyed = { headers: Object.fromEntries([auth.zoo]) }
const remaining = ({ headers }: Response) => headers.get('x-ratelimit-remaining')

describe('a route of the embedder with Fetch', () => {
  it('keeps its body, and its headers are those of the authorization', async () => {
    const request = new Request(url, { ...keyed, method: 'POST', body: 'hello' })
    const access = await testService().authorize(toServiceRequest(request))
    assert.ok(access.authorized)
    assert.ok(!request.bodyUsed)
    const response = toResponse({ status: 201, headers: access.headers, body: await request.text() })
    assert.deepEqual([response.status, await response.text(), remaining(response)], [201, 'hello', '99999'])
  })

  it('charges the address that the platform passes, as the handler does', async () => {
    const service = testService()
    const info = { remoteAddr: { hostname: '192.0.2.7' } }
    const access = await service.authorize(toServiceRequest(new Request(url), info))
    assert.ok(!access.authorized)
    assert.equal(remaining(toResponse(access.response)), '59')
    const handler = createFetchHandler(service)
    assert.equal(remaining(await handler(new Request('http://pets.example/v1/pets'), info)), '58')
  })

  it('charges the address that the option returns', async () => {
    const service = testService()
    const of = async (address: string) => {
      const client = (_request: Request, info?: string) => info
      const access = await service.authorize(toServiceRequest(new Request(url), address, { client }))
      return access.authorized ? undefined : remaining(toResponse(access.response))
    }
    assert.deepEqual(
      [await of('192.0.2.1'), await of('192.0.2.1'), await of('192.0.2.2')],
      ['59', '58', '59'],
    )
  })

  it('is a 500 if the option throws, and onError receives the cause', async () => {
    const causes: unknown[] = []
    const service = testService({ onError: (cause) => causes.push(cause) })
    const client = () => {
      throw 'no address'
    }
    const access = await service.authorize(toServiceRequest(new Request(url), undefined, { client }))
    assert.ok(!access.authorized)
    assert.equal(access.response.status, 500)
    assert.ok(causes.includes('no address'))
  })

  for (const options of [{ clients: () => {} }, { client: 'x' }]) {
    it(`rejects the options ${Object.keys(options)}`, () => {
      const bad = options as FetchHandlerOptions<unknown> // what an embedder without types may give
      assert.throws(() => toServiceRequest(new Request(url), undefined, bad), TypeError)
    })
  }

  it('has the length of the body alone in response to a HEAD', async () => {
    const response = toResponse(
      { status: 200, headers: ['Content-Type', 'text/plain'], body: 'grün' },
      'HEAD',
    )
    assert.deepEqual([response.headers.get('content-length'), await response.text()], ['5', ''])
  })
})
