import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { recordWarnings } from '../../core/testing/warnings.ts'
import { type DeprecationEvent, PetApiError } from './index.ts'
import {
  apiKey,
  baseUrl,
  createScriptedClient,
  failToFetch,
  isApiError,
  neverRespond,
  newRex,
  type Responder,
  rex,
  sendError,
  sendJson,
} from './testing/scripted-client.ts'

const respondUnavailable: readonly (readonly [what: string, status: number | undefined, turn: Responder])[] =
  [
    ['a 502', 502, sendError(502)],
    ['a 503', 503, sendError(503)],
    ['a 504 from a gateway', 504, () => new Response('<html>', { status: 504 })],
    ['a lost connection', undefined, failToFetch],
    [
      'an incomplete body',
      undefined,
      () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('terminated')) })),
    ],
  ]
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe("a client's failed request", () => {
  for (const [what, status, turn] of respondUnavailable) {
    it(`is retried with backoff after ${what}`, async () => {
      const { listPets, time, getRequestTimes, waits } = createScriptedClient([turn])
      await assert.rejects(time.run(listPets()))
      assert.deepEqual(getRequestTimes(), [0, 500, 1_500, 3_500, 7_500])
      assert.deepEqual(
        waits.map(({ cause, ...told }) => ({ ...told, isError: cause instanceof Error })),
        [500, 1_000, 2_000, 4_000].map((waitMs, i) => ({ attempt: i + 1, waitMs, status, isError: true })),
      )
    })

    for (const [idempotency, options, key, sent] of [
      [true, {}, 'a random', uuid],
      [false, { idempotencyKey: 'mine' }, 'its', /^mine$/],
    ] as const)
      it(`is repeated after ${what} with ${key} idempotency key`, async () => {
        const { client, time, requests } = createScriptedClient([turn, turn, sendJson(201, rex)], {
          idempotency,
        })
        assert.equal((await time.run(client.create(newRex, options))).id, 1n)
        const keys = requests.map(({ request }) => request.headers.get('Idempotency-Key'))
        assert.deepEqual([keys.length, new Set(keys).size], [3, 1])
        assert.match(keys[0] ?? '', sent)
        assert.equal(new Set(await Promise.all(requests.map(({ request }) => request.text()))).size, 1)
      })

    it(`is not repeated after ${what} without an idempotency key`, async () => {
      const { client, time, requests } = createScriptedClient([turn, sendJson(201, rex)], {
        idempotency: false,
      })
      await assert.rejects(time.run(client.create(newRex)))
      assert.deepEqual([requests.length, requests[0]?.request.headers.has('Idempotency-Key')], [1, false])
    })
  }

  it('is repeated after a 429 or 503 with Retry-After', async () => {
    for (const status of [429, 503]) {
      const responders = [sendError(status, { 'Retry-After': '2' }), sendJson(201, rex)]
      const { client, time, getRequestTimes } = createScriptedClient(responders, { idempotency: false })
      await time.run(client.create(newRex))
      assert.deepEqual(getRequestTimes(), [0, 2_100], 'Retry-After plus 5 %')
    }
  })

  it('is not retried after statuses such as 404, 500 or 302', async () => {
    const respondWithoutBody = (status: number) => () => new Response(null, { status })
    for (const [code, turn, ...statuses] of [
      ['rejected', sendError, 400, 401, 403, 404, 408, 410, 409, 422, 500],
      ['invalid_response', respondWithoutBody, 200, 202, 204, 302, 307],
    ] as const)
      for (const status of statuses) {
        const { client, requests, time } = createScriptedClient([turn(status)])
        await assert.rejects(time.run(client.create(newRex)), isApiError(code, status))
        assert.deepEqual(
          requests.map(({ request }) => request.redirect),
          ['manual'],
        )
      }
  })

  it('is not retried after a redirect in a browser', async () => {
    const { listPets, requests, time } = createScriptedClient([Response.error])
    await assert.rejects(time.run(listPets()), isApiError('invalid_response', 0))
    assert.equal(requests.length, 1)
  })

  it('is retried if fetch throws an error with a status', async () => {
    const { listPets, requests, time } = createScriptedClient([
      () => Promise.reject(Object.assign(new Error(), { status: 429 })),
    ])
    await assert.rejects(time.run(listPets()))
    assert.equal(requests.length, 5)
  })

  it('is repeated while its idempotency key is in use', async () => {
    const respondKeyInUse = sendError(409, { 'Retry-After': '1' }, 'idempotency_key_in_use')
    const { client, time, requests } = createScriptedClient([respondKeyInUse], {
      maxWaitMs: 10_000,
      maxRetries: 0,
    })
    await assert.rejects(time.run(client.create(newRex)), isApiError('idempotency_key_in_use', 409))
    assert.equal(requests.length, 10)
    const conflictingClient = createScriptedClient([respondKeyInUse, respondKeyInUse, sendJson(201, rex)])
    assert.equal((await conflictingClient.time.run(conflictingClient.client.create(newRex))).id, 1n)
  })

  it('does not make other calls wait for its Retry-After', async () => {
    const { listConcurrently, time, getRequestTimes } = createScriptedClient([
      sendError(503, { 'Retry-After': '10' }),
      sendJson(200, '[]'),
    ])
    await time.run(listConcurrently(2))
    assert.deepEqual(getRequestTimes(), [0, 0, 10_500])
  })

  it('does not reduce the retries or the wait allowed for other pages', async () => {
    const firstPageResponse = sendJson(200, '[]', { Link: '<?page=2>; rel="next"' })
    const { client, time } = createScriptedClient(
      [failToFetch, firstPageResponse, failToFetch, sendJson(200, '[]')],
      {
        maxRetries: 1,
        maxWaitMs: 600,
      },
    )
    const listAll = async () => {
      for await (const _ of client.list());
    }
    await time.run(listAll())
  })

  it('is not retried if the wait would exceed the maximum', async () => {
    const { listPets, time, getRequestTimes } = createScriptedClient([failToFetch], { maxWaitMs: 1_500 })
    await assert.rejects(time.run(listPets()), /fetch failed/)
    assert.deepEqual(getRequestTimes(), [0, 500, 1_500])
  })
})

describe("a client's request", () => {
  it('calls fetch with a URL and a plain object', async () => {
    const sentOptions: unknown[] = []
    const fetch = async (...args: readonly unknown[]) => {
      sentOptions.push(...args)
      return new Response('[]')
    }
    await createScriptedClient([], { fetch }).listPets()
    assert.deepEqual(
      [sentOptions[0], Object.getPrototypeOf(sentOptions[1])],
      [`${baseUrl}/pets`, Object.prototype],
    )
  })

  it('asks for JSON in its Accept header', async () => {
    const { listPets, requests } = createScriptedClient([sendJson(200, '[]')])
    await listPets()
    assert.equal(requests[0]?.request.headers.get('Accept'), 'application/json')
  })

  it('is aborted when it times out, and retried', async () => {
    const { client, time, requests } = createScriptedClient([neverRespond], { maxRetries: 2, timeoutMs: 5 })
    await assert.rejects(time.run(client.list().page()), { name: 'TimeoutError' })
    assert.equal(requests.length, 3)
    assert.ok(requests.every(({ request }) => request.signal.aborted))
  })

  it('may have a timeout longer than setTimeout supports', async () => {
    const respondSlowly: Responder = () =>
      new Promise((resolve) => setTimeout(() => resolve(new Response('[]')), 20))
    const { listPets, requests } = createScriptedClient([respondSlowly], {
      timeoutMs: Number.MAX_SAFE_INTEGER,
    })
    await listPets()
    assert.equal(requests.length, 1)
  })

  it('adds one abort listener per signal, and removes it', async () => {
    const { signal } = new AbortController()
    const listeners: number[] = []
    const recordListenerCount = () => listeners.push(getEventListeners(signal, 'abort').length)
    const countListeners: Responder = (request, time) => {
      recordListenerCount()
      return sendError(503)(request, time)
    }
    const { client, time } = createScriptedClient([countListeners], {
      onRetry: recordListenerCount,
      maxRetries: 1,
    })
    const listPage = () => client.list({}, { signal }).page()
    await time.run(Promise.allSettled([listPage(), listPage()]))
    recordListenerCount()
    assert.deepEqual([Math.max(...listeners), listeners.at(-1)], [1, 0])
  })

  it('causes no warning when 100 calls share a signal', async (t) => {
    const processWarnings = recordWarnings(t)
    const { client, time, requests } = createScriptedClient([sendJson(200, '[]')])
    const { signal } = new AbortController()
    await time.run(Promise.all(Array.from({ length: 100 }, () => client.list({}, { signal }).page())))
    await new Promise(setImmediate)
    assert.deepEqual([requests.length, processWarnings], [100, []])
  })

  it('rejects immediately with the reason from its signal', async () => {
    const reason = new Error('enough')
    const unusedClient = createScriptedClient([sendJson(200, '[]')])
    await assert.rejects(unusedClient.client.list({}, { signal: AbortSignal.abort(reason) }).page(), reason)
    for (const turn of [neverRespond, sendError(429, { 'Retry-After': '60' }), sendError(503)]) {
      const controller = new AbortController()
      const { client, requests, waits } = createScriptedClient([turn])
      const abortedPage = assert.rejects(client.list({}, { signal: controller.signal }).page(), reason)
      setImmediate(() => controller.abort(reason))
      await abortedPage
      assert.equal(requests.length, 1)
      assert.equal(waits.length, turn === neverRespond ? 0 : 1, 'no wait starts after the call is aborted')
    }
  })
})

describe('a client in an unusual environment', () => {
  /** Replaces a global for one test. */
  function replaceGlobal(t: TestContext, name: 'Request' | 'Blob', value: unknown): void {
    const globalProperty = Object.getOwnPropertyDescriptor(globalThis, name) ?? assert.fail()
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value })
    t.after(() => Object.defineProperty(globalThis, name, globalProperty))
  }

  it('throws an error from Request without retries', async (t) => {
    const reason = new TypeError('Expected signal to be an instance of AbortSignal')
    const { client, time, requests, waits } = createScriptedClient([sendJson(201, rex)])
    class Broken {
      constructor() {
        throw reason
      }
    }
    replaceGlobal(t, 'Request', Broken)
    await assert.rejects(time.run(client.create(newRex)), reason)
    assert.deepEqual([requests.length, waits.length], [0, 0])
  })

  it('throws a TypeError if fetch returns an incomplete response', async () => {
    const { client, time, requests } = createScriptedClient([() => ({ status: 201 }) as Response]) // a response without body and headers
    await assert.rejects(time.run(client.create(newRex)), TypeError)
    assert.equal(requests.length, 1)
  })

  it('creates animals without a Blob class', async (t) => {
    replaceGlobal(t, 'Blob', class {})
    const { client, time, requests } = createScriptedClient([sendJson(201, rex)])
    assert.equal((await time.run(client.create(newRex))).id, 1n)
    assert.equal(requests.length, 1)
  })
})

describe('a PetApiError', () => {
  it('has the code and message from the response body', async () => {
    const body = '{"code":"odd","message":"Odd.","status":418}'
    const { client } = createScriptedClient([
      sendJson(400, body, { 'X-Request-Id': 'r1', 'Retry-After': '7' }),
    ])
    const expectedError = { name: 'PetApiError', code: 'odd', status: 400, message: 'Odd.' }
    await assert.rejects(client.create(newRex), { ...expectedError, retryAfterMs: 7_000, requestId: 'r1' })
  })

  it('is an invalid_response if the response body is not an Error', async () => {
    const invalidValues = [
      '{"code":1,"message":"y","status":400}',
      '{"code":"x","message":"y","status":"400"}',
    ]
    for (const body of ['', '<html>', '{}', '[]', '{"code":"x","message":"y"}', ...invalidValues]) {
      const { client } = createScriptedClient([sendJson(400, body)])
      await assert.rejects(client.create(newRex), isApiError('invalid_response', 400), body)
    }
  })

  it('does not contain the API key', async () => {
    const echoKey = `No ${apiKey}, ${apiKey}!`
    const responders = [
      sendJson(401, JSON.stringify({ code: 'rejected', message: echoKey, status: 401 })),
      sendJson(200, echoKey),
      sendJson(502, echoKey),
    ]
    for (const turn of responders) {
      const { listPets, time } = createScriptedClient([turn])
      const thrownError = await time.run(listPets()).catch((cause: unknown) => cause)
      assert.ok(thrownError instanceof PetApiError)
      const { response, ...shown } = thrownError
      assert.ok(response.bodyUsed)
      const errorTexts = [String(thrownError), thrownError.stack, inspect(thrownError.cause), inspect(shown)]
      assert.doesNotMatch(errorTexts.join(), new RegExp(apiKey))
    }
  })

  it('keeps codes that contain the API key', async () => {
    const responders = [
      sendError(409, {}, 'idempotency_key_in_use'),
      sendError(404, { 'X-Request-Id': 'key-1' }, 'no_key'),
    ]
    const { client, time, requests } = createScriptedClient(responders, { apiKey: 'key' })
    await assert.rejects(time.run(client.create(newRex)), { code: 'no_key', requestId: 'key-1' })
    assert.equal(requests.length, 2)
  })
})

describe('a deprecated operation', () => {
  const headers = {
    Deprecation: '@1795132800',
    Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    Link: '</v1/pets>; rel="successor-version"',
  }

  it('is reported once, with its removal date and replacement', async () => {
    for (const [sent, event] of [
      [headers, { removal: new Date('2030-12-05'), link: `${baseUrl}/pets` }],
      [{ Sunset: 'soon' }, { removal: undefined, link: undefined }],
    ] as const) {
      const events: DeprecationEvent[] = []
      const { client } = createScriptedClient([sendJson(200, rex, sent)], {
        onDeprecation: (event) => events.push(event),
      })
      for (let i = 0; i < 3; i++) await client.get(1)
      await assert.rejects(client.create(newRex))
      assert.deepEqual(
        events,
        ['getPet', 'createPet'].map((operation) => ({ operation, ...event })),
      )
    }
  })

  it('causes one warning on the console by default', async (t) => {
    const consoleWarn = t.mock.method(console, 'warn', () => {})
    const { client } = createScriptedClient([sendJson(200, rex, headers)], {
      onDeprecation: undefined as never,
    })
    for (let i = 0; i < 3; i++) await client.get(1)
    assert.equal(consoleWarn.mock.callCount(), 1)
  })
})

it('a client ignores errors in its hooks', async () => {
  for (const hook of [() => assert.fail('a hook'), async () => assert.fail('a hook')]) {
    const responders = [sendError(503), sendJson(200, rex, { Deprecation: '@1' })]
    const { client, time } = createScriptedClient(responders, { onRetry: hook, onDeprecation: hook })
    assert.equal((await time.run(client.get(1))).id, 1n)
  }
})
