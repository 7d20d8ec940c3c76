import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailable } from '../http/errors.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import type { ServiceOptions } from '../pipeline/options.ts'
import { serve } from '../testing/serve.ts'
import { codeOf, fail, type Received } from '../testing/service-request.ts'
import { membersLate } from '../testing/thenable.ts'
import { epoch, heldClock } from '../testing/traffic.ts'
import type { Caller } from './auth.ts'

const zoo: Caller = { id: 'zoo', plan: 'business', limits: { minute: 1_000, day: 100_000 } }
const attacker = '192.0.2.1'
const neighbour = '192.0.2.2'

const numbersOf = ({ headers }: Received) =>
  ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))

/** A service whose key store counts its lookups; tokens that start with `valid` are valid keys of one caller. */
function guarded({ isLate = false, ...options }: Partial<ServiceOptions> & { isLate?: boolean } = {}) {
  const time = heldClock()
  const { clock } = time
  const lookups: string[] = []
  const found = (token: string): Caller | undefined => (token.startsWith('valid') ? zoo : undefined)
  const keyStore = { found }
  const limiter = options.limiter ?? createMemoryLimiter({ clock })
  const find = (token: string) => {
    lookups.push(token)
    return keyStore.found(token)
  }
  const parts = { keys: { find }, limiter }
  const { ask } = serve({ ...options, clock, ...(isLate ? membersLate(parts) : parts) })
  const send = (token?: string, client = attacker): Promise<Received> =>
    ask({ client, headers: { authorization: token && `Bearer ${token}` } })
  return {
    ...time,
    keyStore,
    lookups,
    send,
    /** Spends the limit of the address of an anonymous client, and the first lookup after that. */
    async limit() {
      for (let i = 0; i < 61; i++) await send()
      await send('first-guess')
      lookups.length = 0
    },
  }
}

for (const isLate of [false, true]) {
  describe(`guessing from a limited address, with parts that return ${isLate ? 'promises' : 'at once'}`, () => {
    it('one token a second is looked up, a valid one is served from then on, and the others count towards a ban', async () => {
      const { send, limit, pass, lookups } = guarded({ isLate })
      await limit()
      const withheld = await send('valid')
      assert.deepEqual([withheld.status, ...numbersOf(withheld)], [429, '60', '0'])
      assert.ok(withheld.headers.has('retry-after'))
      pass(1_000)
      assert.equal((await send('guess')).status, 429)
      assert.equal((await send('valid')).status, 429)
      pass(1_000)
      const right = await send('valid')
      assert.deepEqual([right.status, ...numbersOf(right)], [200, '1000', '999'])
      for (let i = 0; i < 96; i++) assert.equal(codeOf(await send(`guess-${i}`)), 'rate_limit_exceeded')
      for (const token of ['guess', 'valid-2']) assert.equal(codeOf(await send(token)), 'api_key_banned')
      assert.equal((await send('valid')).status, 200)
      assert.deepEqual(lookups, ['guess', 'valid', 'guess-0', 'valid'])
    })

    it('a key that was seen within the hour is served', async () => {
      const { send, limit, pass } = guarded({ isLate })
      await send('valid-old')
      pass(1)
      await send('valid-recent')
      pass(3_599_999)
      await limit()
      assert.equal((await send('valid-old')).status, 429)
      assert.equal((await send('valid-recent')).status, 200)
    })

    it('a revoked key is treated as any other token', async () => {
      const { send, limit, lookups, keyStore } = guarded({ isLate })
      await send('valid')
      await limit()
      keyStore.found = () => undefined
      for (let i = 0; i < 3; i++) assert.equal((await send('valid')).status, 429)
      assert.deepEqual(lookups, ['valid'])
    })

    it('a token is withheld after a guess that is rejected, not after a caller, and looked up if the limiter admits the address', async () => {
      let allowed = false
      const decide = (key: string) => ({
        ...{ allowed, banned: false, limit: key.length, remaining: 0, reset: 0, waitMs: 60_000 },
      })
      for (const [token, status, charged] of [
        ['valid', 200, 'key:zoo'],
        ['guess', 401, `address:${attacker}`],
      ] as const) {
        allowed = false
        const { send, lookups } = guarded({ isLate, limiter: { consume: decide, peek: decide } })
        for (const each of [undefined, 'valid-1', 'valid-2', 'guess-1', token]) await send(each)
        allowed = true
        const reply = await send(token)
        assert.deepEqual([reply.status, numbersOf(reply)[0]], [status, `${charged.length}`])
        assert.deepEqual(lookups, ['valid-1', 'valid-2', 'guess-1', token])
      }
    })

    it('a valid key is served after the clock has stepped back', async () => {
      const { send, limit, pass } = guarded({ isLate })
      await limit()
      pass(-7 * 86_400_000)
      assert.equal((await send('valid')).status, 200)
      assert.equal((await send('guess')).status, 429)
      pass(60_000)
      assert.equal((await send('valid-new')).status, 200)
    })
  })
}

describe('unseen keys of one address that come together', () => {
  /** A service whose key store responds when the test says so. */
  function together(options: Partial<ServiceOptions> = {}) {
    const pending: { token: string; settle(found: Caller | undefined | Promise<never>): void }[] = []
    const { ask, pass } = serve({
      ...options,
      keys: { find: (token) => new Promise<Caller | undefined>((settle) => pending.push({ token, settle })) },
    })
    return {
      pass,
      lookedUp: () => pending.map(({ token }) => token),
      /** Sends requests at once, and returns their statuses. */
      send: (tokens: readonly string[], client = attacker) =>
        Promise.all(
          tokens.map((token) => ask({ client, headers: { authorization: `Bearer ${token}` } })),
        ).then((responses) => responses.map(({ status }) => status)),
      /** Settles the look-ups from an index on, until there are no others. */
      async settle(
        from = 0,
        result = (token: string): Caller | undefined | Promise<never> =>
          token.startsWith('valid') ? zoo : undefined,
      ) {
        for (await nextTurn(); pending.length > from; await nextTurn())
          for (const { token, settle } of pending.splice(from)) settle(result(token))
      },
    }
  }
  const tokens = (kind: string, length: number) => Array.from({ length }, (_, i) => `${kind}-${i}`)

  it('are looked up, a thousand at once, and others once the limit of the address admits them', async () => {
    const { send, settle, lookedUp } = together()
    const statuses = [send(tokens('valid', 1_000)), send(tokens('guess', 1_000))]
    assert.equal(lookedUp().length, 1_060)
    await settle(1_000)
    statuses.push(send(['valid']))
    assert.equal(lookedUp().length, 1_000, 'what its address was charged for frees no place')
    await settle()
    const all = (await Promise.all(statuses)).flat()
    const count = (status: number) => all.filter((one) => one === status).length
    assert.deepEqual([count(200), count(401), count(429)], [1_000, 60, 941])
  })

  it('are looked up one at a time where a guess was rejected within the minute', async () => {
    const { send, settle, lookedUp, pass } = together({ plans: { anonymous: { minute: 1, day: 1 } } })
    const guesses = send(tokens('guess', 2))
    await settle()
    await guesses
    for (const [ms, guessed] of [
      [1_000, ['guess-1']],
      [59_999, ['guess-1']],
      [60_000, ['guess-1', 'guess-2']],
    ] as const) {
      pass(ms)
      const requests = [send(['guess-1', 'guess-2']), send(['valid'], neighbour)]
      assert.deepEqual(lookedUp(), [...guessed, 'valid'])
      await settle()
      await Promise.all(requests)
    }
  })

  it('are each a 503 if the look-up fails, and the next one is looked up', async () => {
    const { send, settle } = together()
    const statuses = send(tokens('valid', 60))
    await settle(0, () => Promise.reject(new StoreUnavailable('away')))
    assert.deepEqual(new Set(await statuses), new Set([503]))
    const later = send(['valid'])
    await settle()
    assert.deepEqual(await later, [200])
  })
})

it('a key that was never seen is served at once, however many other addresses guess and are rejected', async () => {
  const { send, lookups } = guarded({
    limiter: createMemoryLimiter({ clock: () => epoch, maxAddresses: 100 }),
  })
  for (let i = 0; i < 20_000; i++) await send('guess', `198.18.${i >> 8}.${i & 255}`)
  lookups.length = 0
  for (let i = 0; i < 20; i++) assert.equal((await send(`valid-${i}`, `203.0.113.${i}`)).status, 200)
  assert.equal(lookups.length, 20)
})

it('the owner of a key that was valid gets 503 while keys cannot be looked up, never the 429 of the address', async () => {
  const { send, keyStore } = guarded()
  const statusesOf = async (token: string) => {
    const statuses = new Set<number>()
    for (let i = 0; i < 300; i++) statuses.add((await send(token)).status)
    return [...statuses]
  }
  assert.deepEqual(await statusesOf('valid'), [200])
  const { found } = keyStore
  keyStore.found = () => fail(new StoreUnavailable('away'))
  assert.deepEqual(await statusesOf('valid'), [503])
  assert.deepEqual(await statusesOf('another'), [503, 429])
  keyStore.found = found
  assert.deepEqual(await statusesOf('valid'), [200])
})
