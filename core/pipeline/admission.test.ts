import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sha256 } from '../base/sha256.ts'
import { StoreUnavailableError } from '../http/errors.ts'
import type { Caller } from '../keys/auth.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import { makeThenable } from '../testing/make-thenable.ts'
import { serve } from '../testing/serve.ts'
import { readCode, readRemaining, type TestResponse, throwError } from '../testing/service-request.ts'
import { createTestClock, testStartMs } from '../testing/test-clock.ts'
import type { ServiceOptions } from './options.ts'

const zooCaller: Caller = { id: 'zoo', plan: 'enterprise', limits: { minute: 5_000, day: 100_000 } }
const address = '192.0.2.1'
const minuteMs = 60_000

/** Serves with a key store that finds every key that begins with `valid`, and records its lookups. */
function createTestService({
  isLate = false,
  ...options
}: Partial<ServiceOptions> & { isLate?: boolean } = {}) {
  const time = createTestClock()
  const lookups: string[] = []
  const keyStore = {
    find: (token: string): Caller | undefined => (token.startsWith('valid') ? zooCaller : undefined),
  }
  const findCaller = (token: string) => {
    lookups.push(token)
    return keyStore.find(token)
  }
  const serviceParts = { keys: { find: findCaller }, limiter: createMemoryLimiter({ clock: time.clock }) }
  const { send } = serve({
    ...(isLate ? makeThenable(serviceParts) : serviceParts),
    ...options,
    clock: time.clock,
  })
  const sendToken = (token?: string, clientAddress = address): Promise<TestResponse> =>
    send({ clientAddress, headers: { authorization: token && `Bearer ${token}` } })
  return {
    ...time,
    keyStore,
    lookups,
    sendToken,
    /** Uses up the rate limit of the client address. */
    async exhaustLimit() {
      for (let i = 0; i < 61; i++) await sendToken()
    },
    async banAddress() {
      for (let i = 0; i < 400; i++, time.advance(20))
        if (readCode(await sendToken()) === 'api_key_banned') return
      assert.fail('the address is not banned')
    },
  }
}

const readStatus = async (response: Promise<TestResponse>) => (await response).status

describe('keys.find', () => {
  it('receives the key and its hash', async () => {
    const calls: unknown[] = []
    const recordCall = (...call: unknown[]) => {
      calls.push(call)
      return zooCaller
    }
    await createTestService({ keys: { find: recordCall } }).sendToken('valid')
    assert.deepEqual(calls, [['valid', sha256('valid')]])
  })
})

for (const isLate of [false, true]) {
  describe(`a known key with ${isLate ? 'asynchronous' : 'synchronous'} parts`, () => {
    it('is accepted when its client address has no requests left', async () => {
      const { sendToken, exhaustLimit, lookups } = createTestService({ isLate })
      await sendToken('valid')
      await exhaustLimit()
      await sendToken('guess')
      for (let i = 0; i < 3; i++) assert.equal((await sendToken('valid')).status, 200)
      assert.deepEqual(
        lookups,
        ['valid', 'guess', 'valid', 'valid', 'valid'].filter((it) => it !== 'guess'),
      )
    })

    it('is accepted while its client address is banned', async () => {
      const { sendToken, banAddress } = createTestService({ isLate })
      await sendToken('valid')
      await banAddress()
      for (let i = 0; i < 3; i++) assert.equal((await sendToken('valid')).status, 200)
    })

    it('is unknown again an hour after its last use', async () => {
      const { sendToken, exhaustLimit, advance } = createTestService({ isLate })
      await sendToken('valid-old')
      advance(1)
      await sendToken('valid-recent')
      advance(3_599_999)
      await exhaustLimit()
      assert.equal((await sendToken('valid-old')).status, 429)
      assert.equal((await sendToken('valid-recent')).status, 200)
    })

    it('becomes unknown when a lookup does not find it', async () => {
      const { sendToken, exhaustLimit, lookups, keyStore } = createTestService({ isLate })
      await sendToken('valid')
      await exhaustLimit()
      keyStore.find = () => undefined
      for (let i = 0; i < 3; i++) assert.equal((await sendToken('valid')).status, 429)
      assert.deepEqual(lookups, ['valid', 'valid'])
    })

    it('stays known while the key store is unavailable', async () => {
      const { sendToken, keyStore } = createTestService({ isLate })
      await sendToken('valid')
      const { find } = keyStore
      keyStore.find = () => throwError(new StoreUnavailableError('away'))
      for (let i = 0; i < 300; i++) assert.equal((await sendToken('valid')).status, 503)
      keyStore.find = find
      assert.equal((await sendToken('valid')).status, 200)
    })
  })

  describe(`an unknown key with ${isLate ? 'asynchronous' : 'synchronous'} parts`, () => {
    it('is looked up once per second while its address is rate-limited', async () => {
      const { sendToken, exhaustLimit, advance, lookups } = createTestService({ isLate })
      await exhaustLimit()
      assert.equal((await sendToken('guess-1')).status, 429)
      for (const [ms, token, status] of [
        [1_000, 'guess-2', 429],
        [999, 'guess-3', 429],
        [1, 'valid-1', 200],
        [0, 'valid-2', 429],
      ] as const) {
        advance(ms)
        assert.equal((await sendToken(token)).status, status, token)
      }
      assert.deepEqual(lookups, ['guess-2', 'valid-1'])
    })

    it('is looked up without delay once its address may send requests', async () => {
      const { sendToken, exhaustLimit, advance, lookups } = createTestService({ isLate })
      await exhaustLimit()
      advance(minuteMs)
      for (const token of ['guess-1', 'guess-2', 'guess-3'])
        assert.equal((await sendToken(token)).status, 401)
      assert.equal(lookups.length, 3)
    })

    it('is looked up after the clock was set back', async () => {
      const { sendToken, banAddress, advance } = createTestService({ isLate })
      await banAddress()
      await sendToken('guess')
      advance(-7 * 86_400_000)
      assert.equal((await sendToken('valid')).status, 200)
    })
  })
}

describe('lookups for unknown keys', () => {
  it('are not delayed by guesses from other addresses', async () => {
    const limiter = createMemoryLimiter({ clock: () => testStartMs, maxAddresses: 100 })
    const { sendToken, lookups } = createTestService({ limiter })
    for (let i = 0; i < 20_000; i++) await sendToken('guess', `198.18.${i >> 8}.${i & 255}`)
    lookups.length = 0
    for (let i = 0; i < 20; i++) assert.equal((await sendToken(`valid-${i}`, `203.0.113.${i}`)).status, 200)
    assert.equal(lookups.length, 20)
  })

  it('continue once per second while the address is banned', async () => {
    const { sendToken, banAddress, advance, lookups } = createTestService()
    await banAddress()
    advance(1_000)
    assert.equal(readCode(await sendToken('guess-1')), 'api_key_banned')
    await sendToken('guess-2')
    advance(1_000)
    assert.equal((await sendToken('valid')).status, 200)
    assert.deepEqual(lookups, ['guess-1', 'valid'])
  })

  it('are limited to 1,000 at a time per address', async () => {
    let resolveAll = () => {}
    const allLookups = new Promise<void>((resolve) => {
      resolveAll = resolve
    })
    let count = 0
    const findWhenReleased = async () => {
      count++
      await allLookups
      return zooCaller
    }
    const { sendToken } = createTestService({ keys: { find: findWhenReleased } })
    const responses = Array.from({ length: 1_001 }, (_, i) => readStatus(sendToken(`valid-${i}`)))
    responses.push(readStatus(sendToken('valid-elsewhere', '192.0.2.2')))
    await nextTurn()
    assert.equal(count, 1_001)
    resolveAll()
    const statuses = await Promise.all(responses)
    assert.equal(statuses.filter((status) => status === 200).length, 1_001)
    assert.equal(statuses[1_000], 429)
    assert.equal(await readStatus(sendToken('valid-later')), 200)
  })
})

describe('a deferred key lookup', () => {
  it('results in a 429 with Retry-After 2', async () => {
    const { sendToken, exhaustLimit } = createTestService()
    await exhaustLimit()
    const { status, headers, text } = await sendToken('valid')
    assert.deepEqual([status, readCode({ text })], [429, 'rate_limit_exceeded'])
    const names = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining']
    assert.deepEqual(
      names.map((name) => headers.get(name)),
      ['2', '60', '0'],
    )
  })

  it('is not reported as a ban', async () => {
    const { sendToken, banAddress } = createTestService()
    await banAddress()
    await sendToken('guess')
    for (let i = 0; i < 300; i++) {
      const response = await sendToken(`valid-${i}`)
      assert.deepEqual(
        [readCode(response), response.headers.get('retry-after')],
        ['rate_limit_exceeded', '2'],
      )
    }
  })

  it('is not charged to any rate limit', async () => {
    const { sendToken, exhaustLimit, advance } = createTestService()
    await exhaustLimit()
    for (let i = 0; i < 1_000; i++) await sendToken(`valid-${i}`)
    advance(minuteMs)
    assert.equal(readRemaining(await sendToken()), '59')
    assert.equal(readRemaining(await sendToken('valid')), '4999')
  })

  it('succeeds after Retry-After despite guesses from its address', async () => {
    const { sendToken, advance } = createTestService()
    const waitingTokens = new Map(Array.from({ length: 20 }, (_, i) => [`valid-${i}`, 0]))
    for (let i = 0; i < 200; i++, advance(333)) {
      await sendToken(`guess-${i}`)
      if (i === 100) for (const token of waitingTokens.keys()) waitingTokens.set(token, i)
      for (const [token, due] of waitingTokens) {
        if (i <= 100 || i < due) continue
        const response = await sendToken(token)
        if (response.status === 200) waitingTokens.delete(token)
        else {
          assert.equal(readCode(response), 'rate_limit_exceeded')
          waitingTokens.set(token, i + 3 * Number(response.headers.get('retry-after')))
        }
      }
    }
    assert.deepEqual([...waitingTokens.keys()], [])
  })
})

describe('an unavailable key store', () => {
  it('leaves rate limits and lookups unchanged', async () => {
    const { sendToken, keyStore, advance } = createTestService()
    const { find } = keyStore
    keyStore.find = () => throwError(new StoreUnavailableError('away'))
    for (let i = 0; i < 1_080; i++, advance(5_000))
      for (let client = 0; client < 20; client++)
        assert.equal((await sendToken(`valid-${client}`)).status, 503)
    keyStore.find = find
    for (let client = 0; client < 20; client++) assert.equal((await sendToken(`valid-${client}`)).status, 200)
    assert.equal(readRemaining(await sendToken()), '59')
  })

  it("does not use up an address's lookups", async () => {
    const { sendToken, keyStore } = createTestService({ isLate: true })
    const { find } = keyStore
    keyStore.find = () => throwError(new StoreUnavailableError('away'))
    for (let i = 0; i < 1_100; i++) assert.equal((await sendToken('valid')).status, 503)
    keyStore.find = find
    assert.equal((await sendToken('valid')).status, 200)
  })
})
