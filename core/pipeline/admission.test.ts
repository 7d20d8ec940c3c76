import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sha256 } from '../base/sha256.ts'
import { StoreUnavailable } from '../http/errors.ts'
import type { Caller } from '../keys/auth.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import { serve } from '../testing/serve.ts'
import { fail, type Received, readCode, readRemaining } from '../testing/service-request.ts'
import { membersLate } from '../testing/thenable.ts'
import { epoch, heldClock } from '../testing/traffic.ts'
import type { ServiceOptions } from './options.ts'

const zoo: Caller = { id: 'zoo', plan: 'enterprise', limits: { minute: 5_000, day: 100_000 } }
const address = '192.0.2.1'
const minute = 60_000

/** A service whose key store records its lookups. Tokens that start with `valid` belong to one caller. */
function guarded({ isLate = false, ...options }: Partial<ServiceOptions> & { isLate?: boolean } = {}) {
  const time = heldClock()
  const lookups: string[] = []
  const keyStore = {
    find: (token: string): Caller | undefined => (token.startsWith('valid') ? zoo : undefined),
  }
  const find = (token: string) => {
    lookups.push(token)
    return keyStore.find(token)
  }
  const parts = { keys: { find }, limiter: createMemoryLimiter({ clock: time.clock }) }
  const { ask } = serve({ ...(isLate ? membersLate(parts) : parts), ...options, clock: time.clock })
  const send = (token?: string, client = address): Promise<Received> =>
    ask({ client, headers: { authorization: token && `Bearer ${token}` } })
  return {
    ...time,
    keyStore,
    lookups,
    send,
    /** Uses up the limit of the address of an anonymous client. */
    async limit() {
      for (let i = 0; i < 61; i++) await send()
    },
    /** Sends anonymous requests until the address is banned. */
    async ban() {
      for (let i = 0; i < 400; i++, time.pass(20)) if (readCode(await send()) === 'api_key_banned') return
      assert.fail('the address is not banned')
    },
  }
}

const readStatus = async (response: Promise<Received>) => (await response).status

describe('the key store', () => {
  it('receives the key and its SHA-256', async () => {
    const calls: unknown[] = []
    const find = (...call: unknown[]) => {
      calls.push(call)
      return zoo
    }
    await guarded({ keys: { find } }).send('valid')
    assert.deepEqual(calls, [['valid', sha256('valid')]])
  })
})

for (const isLate of [false, true]) {
  describe(`a known key (${isLate ? 'asynchronous' : 'synchronous'} parts)`, () => {
    it('is served while its address is rate-limited', async () => {
      const { send, limit, lookups } = guarded({ isLate })
      await send('valid')
      await limit()
      await send('guess')
      for (let i = 0; i < 3; i++) assert.equal((await send('valid')).status, 200)
      assert.deepEqual(
        lookups,
        ['valid', 'guess', 'valid', 'valid', 'valid'].filter((it) => it !== 'guess'),
      )
    })

    it('is served while its address is banned', async () => {
      const { send, ban } = guarded({ isLate })
      await send('valid')
      await ban()
      for (let i = 0; i < 3; i++) assert.equal((await send('valid')).status, 200)
    })

    it('is unknown again an hour after it was last valid', async () => {
      const { send, limit, pass } = guarded({ isLate })
      await send('valid-old')
      pass(1)
      await send('valid-recent')
      pass(3_599_999)
      await limit()
      assert.equal((await send('valid-old')).status, 429)
      assert.equal((await send('valid-recent')).status, 200)
    })

    it('is unknown once it is revoked', async () => {
      const { send, limit, lookups, keyStore } = guarded({ isLate })
      await send('valid')
      await limit()
      keyStore.find = () => undefined
      for (let i = 0; i < 3; i++) assert.equal((await send('valid')).status, 429)
      assert.deepEqual(lookups, ['valid', 'valid'])
    })

    it('gets 503 while lookups fail, and is served afterwards', async () => {
      const { send, keyStore } = guarded({ isLate })
      await send('valid')
      const { find } = keyStore
      keyStore.find = () => fail(new StoreUnavailable('away'))
      for (let i = 0; i < 300; i++) assert.equal((await send('valid')).status, 503)
      keyStore.find = find
      assert.equal((await send('valid')).status, 200)
    })
  })

  describe(`an unknown key (${isLate ? 'asynchronous' : 'synchronous'} parts)`, () => {
    it('is looked up once per second past the limit of its address', async () => {
      const { send, limit, pass, lookups } = guarded({ isLate })
      await limit()
      assert.equal((await send('guess-1')).status, 429)
      for (const [ms, token, status] of [
        [1_000, 'guess-2', 429],
        [999, 'guess-3', 429],
        [1, 'valid-1', 200],
        [0, 'valid-2', 429],
      ] as const) {
        pass(ms)
        assert.equal((await send(token)).status, status, token)
      }
      assert.deepEqual(lookups, ['guess-2', 'valid-1'])
    })

    it('is looked up each time once its address has tokens again', async () => {
      const { send, limit, pass, lookups } = guarded({ isLate })
      await limit()
      pass(minute)
      for (const token of ['guess-1', 'guess-2', 'guess-3']) assert.equal((await send(token)).status, 401)
      assert.equal(lookups.length, 3)
    })

    it('is served after the clock has stepped back', async () => {
      const { send, ban, pass } = guarded({ isLate })
      await ban()
      await send('guess')
      pass(-7 * 86_400_000)
      assert.equal((await send('valid')).status, 200)
    })
  })
}

describe('an unknown key', () => {
  it('is served although other addresses guess and are rejected', async () => {
    const limiter = createMemoryLimiter({ clock: () => epoch, maxAddresses: 100 })
    const { send, lookups } = guarded({ limiter })
    for (let i = 0; i < 20_000; i++) await send('guess', `198.18.${i >> 8}.${i & 255}`)
    lookups.length = 0
    for (let i = 0; i < 20; i++) assert.equal((await send(`valid-${i}`, `203.0.113.${i}`)).status, 200)
    assert.equal(lookups.length, 20)
  })

  it('is looked up once per second while its address is banned', async () => {
    const { send, ban, pass, lookups } = guarded()
    await ban()
    pass(1_000)
    assert.equal(readCode(await send('guess-1')), 'api_key_banned')
    await send('guess-2')
    pass(1_000)
    assert.equal((await send('valid')).status, 200)
    assert.deepEqual(lookups, ['guess-1', 'valid'])
  })

  it('is looked up a thousand at a time for each address', async () => {
    let resolveAll = () => {}
    const all = new Promise<void>((resolve) => {
      resolveAll = resolve
    })
    let count = 0
    const find = async () => {
      count++
      await all
      return zoo
    }
    const { send } = guarded({ keys: { find } })
    const responses = Array.from({ length: 1_001 }, (_, i) => readStatus(send(`valid-${i}`)))
    responses.push(readStatus(send('valid-elsewhere', '192.0.2.2')))
    await nextTurn()
    assert.equal(count, 1_001)
    resolveAll()
    const statuses = await Promise.all(responses)
    assert.equal(statuses.filter((status) => status === 200).length, 1_001)
    assert.equal(statuses[1_000], 429)
    assert.equal(await readStatus(send('valid-later')), 200)
  })
})

describe('a deferred key', () => {
  it('gets 429 with Retry-After: 2 and the numbers of its address', async () => {
    const { send, limit } = guarded()
    await limit()
    const { status, headers, text } = await send('valid')
    assert.deepEqual([status, readCode({ text })], [429, 'rate_limit_exceeded'])
    const names = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining']
    assert.deepEqual(
      names.map((name) => headers.get(name)),
      ['2', '60', '0'],
    )
  })

  it('is never banned, although its address is', async () => {
    const { send, ban } = guarded()
    await ban()
    await send('guess')
    for (let i = 0; i < 300; i++) {
      const response = await send(`valid-${i}`)
      assert.deepEqual(
        [readCode(response), response.headers.get('retry-after')],
        ['rate_limit_exceeded', '2'],
      )
    }
  })

  it('charges nobody', async () => {
    const { send, limit, pass } = guarded()
    await limit()
    for (let i = 0; i < 1_000; i++) await send(`valid-${i}`)
    pass(minute)
    assert.equal(readRemaining(await send()), '59')
    assert.equal(readRemaining(await send('valid')), '4999')
  })

  it('is served within a minute next to a neighbour who guesses', async () => {
    const { send, pass } = guarded()
    const waiting = new Map(Array.from({ length: 20 }, (_, i) => [`valid-${i}`, 0]))
    for (let i = 0; i < 200; i++, pass(333)) {
      await send(`guess-${i}`)
      if (i === 100) for (const token of waiting.keys()) waiting.set(token, i)
      for (const [token, due] of waiting) {
        if (i <= 100 || i < due) continue
        const response = await send(token)
        if (response.status === 200) waiting.delete(token)
        else {
          assert.equal(readCode(response), 'rate_limit_exceeded')
          waiting.set(token, i + 3 * Number(response.headers.get('retry-after')))
        }
      }
    }
    assert.deepEqual([...waiting.keys()], [])
  })
})

describe('a failed lookup', () => {
  it('charges nobody', async () => {
    const { send, keyStore, pass } = guarded()
    const { find } = keyStore
    keyStore.find = () => fail(new StoreUnavailable('away'))
    for (let i = 0; i < 1_080; i++, pass(5_000))
      for (let client = 0; client < 20; client++) assert.equal((await send(`valid-${client}`)).status, 503)
    keyStore.find = find
    for (let client = 0; client < 20; client++) assert.equal((await send(`valid-${client}`)).status, 200)
    assert.equal(readRemaining(await send()), '59')
  })

  it('leaves room for the next one', async () => {
    const { send, keyStore } = guarded({ isLate: true })
    const { find } = keyStore
    keyStore.find = () => fail(new StoreUnavailable('away'))
    for (let i = 0; i < 1_100; i++) assert.equal((await send('valid')).status, 503)
    keyStore.find = find
    assert.equal((await send('valid')).status, 200)
  })
})
