import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServiceOptions } from '../pipeline/options.ts'
import { addRex, keyed, serve } from '../testing/serve.ts'
import { readCode, serviceRequest } from '../testing/service-request.ts'
import { createCreationKey, readToken } from './idempotency.ts'
import { createMemoryStore } from './memory-store.ts'
import { wrapStore } from './store.ts'

const keys = { find: () => ({ id: 'zoo', plan: 'business' }) as const }
const max = '{"name":"Max","categoryId":1}'

/** Parts that make texts alike where an escape is ambiguous, and their pairs. */
const parts = ['', 'k', ' ', '\\', '233;', '\\233;', '92;', '\u00e9', '\ud800', '\ud801', '","', '1']
const texts = [...new Set(parts.flatMap((one) => parts.map((other) => one + other)))]

/** A service that creates animals, and the effects of the store methods that it called. */
function serving({ store = createMemoryStore(), ...options }: Partial<ServiceOptions> = {}) {
  const effects: string[] = []
  const recorded = wrapStore({ reads: store, writes: store }, (effect, method) => (...parameters) => {
    effects.push(effect)
    return method(...parameters)
  })
  const { ask, pass } = serve({ keys, store: recorded, ...options })
  async function add(key: string | undefined = 'k', body: string = addRex.body) {
    const response = await ask({ method: 'POST', headers: { ...keyed, 'idempotency-key': key }, body })
    return { ...response, isReplayed: response.headers.get('idempotency-replayed') === 'true' }
  }
  return { add, ask, effects, pass }
}

describe('an Idempotency-Key', () => {
  it('has a token for each caller and value', () => {
    const token = (caller: string, value: string) =>
      String(readToken(serviceRequest({ headers: { 'idempotency-key': value } }), caller))
    const tokens = texts.flatMap((caller) => ['k', '!'.repeat(255)].map((value) => token(caller, value)))
    assert.equal(new Set(tokens).size, 2 * texts.length)
    for (const one of tokens) assert.match(one, /^[0-9a-f]{64}$/)
    assert.equal(token('a', '"k"'), token('a', 'k'))
  })

  it('has a fingerprint for each animal', () => {
    const others = [{ categoryId: 1n }, { categoryId: -1n }, { categoryId: 1n, status: 'sold' }] as const
    const pets = texts.flatMap((name) => others.map((other) => ({ name, ...other })))
    const prints = pets.map((pet) => createCreationKey('token', pet, {}, 0).fingerprint)
    assert.equal(new Set(prints).size, pets.length)
  })

  for (const [keepMs, idempotency] of [
    [86_400_000, {}],
    [5, { keepMs: 5 }],
  ] as const)
    it(`can be used again after ${keepMs} ms, but not before`, async () => {
      const { add, pass } = serving({ idempotency })
      await add()
      pass(keepMs - 1)
      assert.equal((await add('k', max)).status, 422)
      pass(1)
      const anew = await add('k', max)
      assert.deepEqual([anew.status, anew.isReplayed, JSON.parse(anew.text).id], [201, false, 2])
    })
})

describe('a repeated creation', () => {
  it('returns the first response', async () => {
    const store = createMemoryStore()
    const { add, effects } = serving({ store })
    const first = await add()
    const text = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'
    assert.deepEqual([first.status, first.text, first.isReplayed], [201, text, false])
    for (const change of [() => {}, () => store.update(1n, { name: 'Max' }), () => store.remove(1n)]) {
      change()
      const again = await add('k', '{"status":"available","name":"Rex","categoryId":1.0}')
      assert.deepEqual([again.status, again.text, again.isReplayed], [201, text, true])
    }
    assert.deepEqual(effects, new Array(4).fill('writes'), 'each calls the store once')
    assert.equal((await add('k', '{"status":"sold","name":"Rex","categoryId":1}')).status, 422)
  })

  it('is not validated again', async () => {
    let problems: string[] = []
    const { add, effects } = serving({ validate: async () => problems })
    assert.equal((await add()).status, 201)
    assert.deepEqual(effects, ['reads', 'writes'])
    problems = ['the shelter is full']
    assert.deepEqual([(await add()).isReplayed, (await add('new')).status], [true, 400])
    assert.equal((await add('k', max)).status, 422)
    problems = []
    assert.equal((await add('new')).status, 201)
  })

  it('creates again without the option or createOnce', async () => {
    const { create, get, list } = createMemoryStore()
    for (const options of [{ idempotency: false as const }, { store: { create, get, list } }]) {
      const { add } = serving(options)
      for (const key of ['k', 'k', 'not a key']) {
        const { status, isReplayed } = await add(key)
        assert.deepEqual([status, isReplayed], [201, false])
      }
    }
  })

  it('is a 409 while the first one is in flight', async () => {
    const store = createMemoryStore()
    const { add, ask } = serving({
      store: { ...store, createOnce: async (pet, key) => store.createOnce(pet, key) },
    })
    const all = await Promise.all([add('a'), ask(addRex), ...Array.from({ length: 200 }, () => add())])
    const rejected = all.filter(({ status }) => status !== 201)
    assert.equal(rejected.length, 199)
    for (const one of rejected)
      assert.deepEqual([readCode(one), one.headers.get('retry-after')], ['idempotency_key_in_use', '1'])
    assert.equal(store.list({ limit: 101 }).length, 3)
    assert.equal((await add()).isReplayed, true)
  })

  it('creates after a first one that failed', async () => {
    const store = createMemoryStore()
    const { createOnce } = store
    const failures = [() => assert.fail('a defect'), () => Promise.reject(new Error('a defect'))]
    const { add } = serving({
      store: { ...store, createOnce: (pet, key) => failures.shift()?.() ?? createOnce(pet, key) },
    })
    for (const status of [500, 500, 201]) assert.equal((await add()).status, status)
  })
})
