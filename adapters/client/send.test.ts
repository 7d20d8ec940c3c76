import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { recordWarnings } from '../../core/testing/warnings.ts'
import { type DeprecationEvent, PetApiError } from './index.ts'
import {
  apiKey,
  baseUrl,
  cut,
  error,
  hangs,
  isError,
  json,
  newRex,
  rex,
  scripted,
  type Turn,
} from './testing/scripted.ts'
import { withTimeout } from './with-timeout.ts'

const away: readonly (readonly [what: string, status: number | undefined, turn: Turn])[] = [
  ['a 502', 502, error(502)],
  ['a 503', 503, error(503)],
  ['a 504 of a gateway', 504, () => new Response('<html>', { status: 504 })],
  ['a lost connection', undefined, cut],
  [
    'a body that breaks off',
    undefined,
    () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('terminated')) })),
  ],
]
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe('a retry', () => {
  for (const [what, status, turn] of away) {
    it(`after ${what} occurs four times, with backoff and onRetry`, async () => {
      const { list, time, times, waits } = scripted([turn])
      await assert.rejects(time.run(list()))
      assert.deepEqual(times(), [0, 500, 1_500, 3_500, 7_500])
      assert.deepEqual(
        waits.map(({ cause, ...told }) => ({ ...told, isError: cause instanceof Error })),
        [500, 1_000, 2_000, 4_000].map((waitMs, i) => ({ attempt: i + 1, waitMs, status, isError: true })),
      )
    })

    for (const [idempotency, options, key, sent] of [
      [true, {}, 'a random', uuid],
      [false, { idempotencyKey: 'mine' }, 'its', /^mine$/],
    ] as const)
      it(`after ${what} repeats a creation with ${key} idempotency key`, async () => {
        const { client, time, requests } = scripted([turn, turn, json(201, rex)], { idempotency })
        assert.equal((await time.run(client.create(newRex, options))).id, 1n)
        const keys = requests.map(({ request }) => request.headers.get('Idempotency-Key'))
        assert.deepEqual([keys.length, new Set(keys).size], [3, 1])
        assert.match(keys[0] ?? '', sent)
        assert.equal(new Set(await Promise.all(requests.map(({ request }) => request.text()))).size, 1)
      })

    it(`after ${what} repeats no creation with idempotency: false`, async () => {
      const { client, time, requests } = scripted([turn, json(201, rex)], { idempotency: false })
      await assert.rejects(time.run(client.create(newRex)))
      assert.deepEqual([requests.length, requests[0]?.request.headers.has('Idempotency-Key')], [1, false])
    })
  }

  it('after a 429 or a 503 with Retry-After repeats any creation', async () => {
    for (const status of [429, 503]) {
      const turns = [error(status, { 'Retry-After': '2' }), json(201, rex)]
      const { client, time, times } = scripted(turns, { idempotency: false })
      await time.run(client.create(newRex))
      assert.deepEqual(times(), [0, 2_100], 'Retry-After and a twentieth')
    }
  })

  it('does not follow another error, a redirect or an invalid success', async () => {
    const empty = (status: number) => () => new Response(null, { status })
    for (const [code, turn, ...statuses] of [
      ['rejected', error, 400, 401, 403, 404, 408, 410, 409, 422, 500],
      ['invalid_response', empty, 200, 202, 204, 302, 307],
    ] as const)
      for (const status of statuses) {
        const { client, requests, time } = scripted([turn(status)])
        await assert.rejects(time.run(client.create(newRex)), isError(code, status))
        assert.deepEqual(
          requests.map(({ request }) => request.redirect),
          ['manual'],
        )
      }
  })

  it('waits for an idempotency key in use, up to maxWaitMs', async () => {
    const inUse = error(409, { 'Retry-After': '1' }, 'idempotency_key_in_use')
    const { client, time, requests } = scripted([inUse], { maxWaitMs: 10_000, maxRetries: 0 })
    await assert.rejects(time.run(client.create(newRex)), isError('idempotency_key_in_use', 409))
    assert.equal(requests.length, 10)
    const short = scripted([inUse, inUse, json(201, rex)])
    assert.equal((await short.time.run(short.client.create(newRex))).id, 1n)
  })

  it('waits for the Retry-After of a 503, other calls do not', async () => {
    const { lists, time, times } = scripted([error(503, { 'Retry-After': '10' }), json(200, '[]')])
    await time.run(lists(2))
    assert.deepEqual(times(), [0, 0, 10_500])
  })

  it('has maxRetries and maxWaitMs for each page', async () => {
    const first = json(200, '[]', { Link: '<?page=2>; rel="next"' })
    const { client, time } = scripted([cut, first, cut, json(200, '[]')], { maxRetries: 1, maxWaitMs: 600 })
    const all = async () => {
      for await (const _ of client.list());
    }
    await time.run(all())
  })

  it('does not occur if the waits would be longer than maxWaitMs', async () => {
    const { list, time, times } = scripted([cut], { maxWaitMs: 1_500 })
    await assert.rejects(time.run(list()), /fetch failed/)
    assert.deepEqual(times(), [0, 500, 1_500])
  })
})

describe('a request', () => {
  it('accepts JSON', async () => {
    const { list, requests } = scripted([json(200, '[]')])
    await list()
    assert.equal(requests[0]?.request.headers.get('Accept'), 'application/json')
  })

  it('is retried after timeoutMs, and ends in a TimeoutError', async () => {
    const { client, time, requests } = scripted([hangs], { maxRetries: 2, timeoutMs: 5 })
    await assert.rejects(time.run(client.list().page()), { name: 'TimeoutError' })
    assert.equal(requests.length, 3)
    assert.ok(requests.every(({ request }) => request.signal.aborted))
  })

  it('shares its signal with many without a warning', async (t) => {
    const warnings = recordWarnings(t)
    const { client, time, requests } = scripted([json(200, '[]')])
    const { signal } = new AbortController()
    await time.run(Promise.all(Array.from({ length: 100 }, () => client.list({}, { signal }).page())))
    await new Promise(setImmediate)
    assert.deepEqual([requests.length, warnings], [100, []])
  })

  it('ends immediately with the reason of its signal', async () => {
    const reason = new Error('enough')
    const before = scripted([json(200, '[]')])
    await assert.rejects(before.client.list({}, { signal: AbortSignal.abort(reason) }).page(), reason)
    for (const turn of [hangs, error(429, { 'Retry-After': '60' }), error(503)]) {
      const controller = new AbortController()
      const { client, requests, waits } = scripted([turn])
      const pending = assert.rejects(client.list({}, { signal: controller.signal }).page(), reason)
      setImmediate(() => controller.abort(reason))
      await pending
      assert.equal(requests.length, 1)
      assert.equal(waits.length, turn === hangs ? 0 : 1, 'no wait begins after the end')
    }
  })
})

describe('an error of the platform', () => {
  /** Replaces a global for a test. */
  function replaceGlobal(t: TestContext, name: 'Request' | 'Blob', value: unknown): void {
    const property = Object.getOwnPropertyDescriptor(globalThis, name) ?? assert.fail()
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value })
    t.after(() => Object.defineProperty(globalThis, name, property))
  }

  it('is thrown immediately if the request cannot be created', async (t) => {
    const reason = new TypeError('Expected signal to be an instance of AbortSignal')
    const { client, time, requests, waits } = scripted([json(201, rex)])
    class Broken {
      constructor() {
        throw reason
      }
    }
    replaceGlobal(t, 'Request', Broken)
    await assert.rejects(time.run(client.create(newRex)), reason)
    assert.deepEqual([requests.length, waits.length], [0, 0])
  })

  it('is thrown immediately if it occurs after the response', async () => {
    const { client, time, requests } = scripted([() => ({ status: 201 }) as Response]) // not a real one
    await assert.rejects(time.run(client.create(newRex)), TypeError)
    assert.equal(requests.length, 1)
  })

  it('does not occur without Blob', async (t) => {
    replaceGlobal(t, 'Blob', class {})
    const { client, time, requests } = scripted([json(201, rex)])
    assert.equal((await time.run(client.create(newRex))).id, 1n)
    assert.equal(requests.length, 1)
  })
})

describe('an error', () => {
  it('has the members of the Error body, and the status of the response', async () => {
    const body = '{"code":"odd","message":"Odd.","status":418}'
    const { client } = scripted([json(400, body, { 'X-Request-Id': 'r1', 'Retry-After': '7' })])
    const expected = { name: 'PetApiError', code: 'odd', status: 400, message: 'Odd.' }
    await assert.rejects(client.create(newRex), { ...expected, retryAfterMs: 7_000, requestId: 'r1' })
  })

  it('is invalid_response with any other body', async () => {
    const bad = ['{"code":1,"message":"y","status":400}', '{"code":"x","message":"y","status":"400"}']
    for (const body of ['', '<html>', '{}', '[]', '{"code":"x","message":"y"}', ...bad]) {
      const { client } = scripted([json(400, body)])
      await assert.rejects(client.create(newRex), isError('invalid_response', 400), body)
    }
  })

  it('never shows the key, even if the server echoes it', async () => {
    const echo = `No ${apiKey}, ${apiKey}!`
    const turns = [
      json(401, JSON.stringify({ code: apiKey, message: echo, status: 401 }), { 'X-Request-Id': apiKey }),
      json(200, echo),
      json(502, echo),
    ]
    for (const turn of turns) {
      const { list, time } = scripted([turn])
      const thrown = await time.run(list()).catch((cause: unknown) => cause)
      assert.ok(thrown instanceof PetApiError)
      const { response, ...shown } = thrown
      assert.ok(response.bodyUsed)
      const texts = [String(thrown), thrown.stack, inspect(thrown.cause), inspect(shown)]
      assert.doesNotMatch(texts.join(), new RegExp(apiKey))
    }
  })
})

describe('a deprecation', () => {
  const headers = {
    Deprecation: '@1795132800',
    Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    Link: '</v1/pets>; rel="successor-version"',
  }

  it('is reported once for each operation, with its date and its link', async () => {
    for (const [sent, event] of [
      [headers, { removal: new Date('2030-12-05'), link: `${baseUrl}/pets` }],
      [{ Sunset: 'soon' }, { removal: undefined, link: undefined }],
    ] as const) {
      const events: DeprecationEvent[] = []
      const { client } = scripted([json(200, rex, sent)], { onDeprecation: (event) => events.push(event) })
      for (let i = 0; i < 3; i++) await client.get(1)
      await assert.rejects(client.create(newRex))
      assert.deepEqual(
        events,
        ['getPet', 'createPet'].map((operation) => ({ operation, ...event })),
      )
    }
  })

  it('is reported on the console once by default', async (t) => {
    const warn = t.mock.method(console, 'warn', () => {})
    const { client } = scripted([json(200, rex, headers)], { onDeprecation: undefined as never })
    for (let i = 0; i < 3; i++) await client.get(1)
    assert.equal(warn.mock.callCount(), 1)
  })

  it('ends in a 410 whose error names the date and the replacement', async () => {
    const { client } = scripted([error(410, {}, 'operation_removed')])
    await assert.rejects(client.get(1), /5 December 2030.*list\(\{ status \}\)/)
  })
})

it('a hook that throws or rejects changes nothing', async () => {
  for (const hook of [() => assert.fail('a hook'), async () => assert.fail('a hook')]) {
    const turns = [error(503), json(200, rex, { Deprecation: '@1' })]
    const { client, time } = scripted(turns, { onRetry: hook, onDeprecation: hook })
    assert.equal((await time.run(client.get(1))).id, 1n)
  }
})

it('a wait can be longer than the longest timer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const dayMs = 86_400_000
  const end = t.mock.fn()
  const waiting = withTimeout(60 * dayMs, undefined, () => new Promise(() => {})).catch(end)
  const countAfter = async (ms: number) => {
    t.mock.timers.tick(ms)
    await Promise.race([waiting, new Promise(setImmediate)])
    return end.mock.callCount()
  }
  for (let day = 1; day < 60; day++) assert.equal(await countAfter(dayMs), 0, `after ${day} days`)
  assert.equal(await countAfter(3 * dayMs), 1) // the mock begins each timer at the end of a tick
})
