import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServiceOptions } from '../pipeline/options.ts'
import { addRex, keyHeaders, serve } from '../testing/serve.ts'
import { createServiceRequest, readCode } from '../testing/service-request.ts'
import { createCreationKey, readToken } from './idempotency.ts'
import { createMemoryStore } from './memory-store.ts'
import { wrapStore } from './store.ts'

const keys = { find: () => ({ id: 'zoo', plan: 'business' }) as const }
const maxJson = '{"name":"Max","categoryId":1}'

/** Strings that collide if they are joined or escaped carelessly. */
const stringParts = ['', 'k', ' ', '\\', '233;', '\\233;', '92;', '\u00e9', '\ud800', '\ud801', '","', '1']
const trickyStrings = [...new Set(stringParts.flatMap((one) => stringParts.map((other) => one + other)))]

/** Serves with a store that records whether its methods read or write. */
function serveRecorded({ store = createMemoryStore(), ...options }: Partial<ServiceOptions> = {}) {
  const effects: string[] = []
  const recordingStore = wrapStore({ reads: store, writes: store }, (effect, method) => (...parameters) => {
    effects.push(effect)
    return method(...parameters)
  })
  const { send, advance } = serve({ keys, store: recordingStore, ...options })
  async function add(key: string | undefined = 'k', body: string = addRex.body) {
    const response = await send({ method: 'POST', headers: { ...keyHeaders, 'idempotency-key': key }, body })
    return { ...response, isReplayed: response.headers.get('idempotency-replayed') === 'true' }
  }
  return { add, send, effects, advance }
}

describe('an idempotency key', () => {
  it('has a different token for each caller and value', () => {
    const token = (caller: string, value: string) =>
      String(readToken(createServiceRequest({ headers: { 'idempotency-key': value } }), caller))
    const tokens = trickyStrings.flatMap((caller) =>
      ['k', '!'.repeat(255)].map((value) => token(caller, value)),
    )
    assert.equal(new Set(tokens).size, 2 * trickyStrings.length)
    for (const one of tokens) assert.match(one, /^[0-9a-f]{64}$/)
    assert.equal(token('a', '"k"'), token('a', 'k'))
  })

  it('has a different fingerprint for each animal', () => {
    const otherPets = [{ categoryId: 1n }, { categoryId: -1n }, { categoryId: 1n, status: 'sold' }] as const
    const pets = trickyStrings.flatMap((name) => otherPets.map((other) => ({ name, ...other })))
    const petFingerprints = pets.map((pet) => createCreationKey('token', pet, {}, 0).fingerprint)
    assert.equal(new Set(petFingerprints).size, pets.length)
  })

  for (const [ttlMs, idempotency] of [
    [86_400_000, {}],
    [5, { ttlMs: 5 }],
  ] as const)
    it(`expires after ${ttlMs} ms`, async () => {
      const { add, advance } = serveRecorded({ idempotency })
      await add()
      advance(ttlMs - 1)
      assert.equal((await add('k', maxJson)).status, 422)
      advance(1)
      const secondResponse = await add('k', maxJson)
      assert.deepEqual(
        [secondResponse.status, secondResponse.isReplayed, JSON.parse(secondResponse.text).id],
        [201, false, 2],
      )
    })
})

describe('a repeated Idempotency-Key', () => {
  it('replays the first 201, also after the animal was changed or removed', async () => {
    const store = createMemoryStore()
    const { add, effects } = serveRecorded({ store })
    const firstResponse = await add()
    const petJson = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'
    assert.deepEqual(
      [firstResponse.status, firstResponse.text, firstResponse.isReplayed],
      [201, petJson, false],
    )
    for (const change of [() => {}, () => store.update(1n, { name: 'Max' }), () => store.remove(1n)]) {
      change()
      const repeatedResponse = await add('k', '{"status":"available","name":"Rex","categoryId":1.0}')
      assert.deepEqual(
        [repeatedResponse.status, repeatedResponse.text, repeatedResponse.isReplayed],
        [201, petJson, true],
      )
    }
    assert.deepEqual(effects, new Array(4).fill('writes'), 'each calls the store once')
    assert.equal((await add('k', '{"status":"sold","name":"Rex","categoryId":1}')).status, 422)
  })

  it('is not validated again', async () => {
    let problems: string[] = []
    const { add, effects } = serveRecorded({ validate: async () => problems })
    assert.equal((await add()).status, 201)
    assert.deepEqual(effects, ['reads', 'writes'])
    problems = ['the shelter is full']
    assert.deepEqual([(await add()).isReplayed, (await add('new')).status], [true, 400])
    assert.equal((await add('k', maxJson)).status, 422)
    problems = []
    assert.equal((await add('new')).status, 201)
  })

  it('is ignored if the service or its store does not support it', async () => {
    const { create, get, list } = createMemoryStore()
    for (const options of [{ idempotency: false as const }, { store: { create, get, list } }]) {
      const { add } = serveRecorded(options)
      for (const key of ['k', 'k', 'not a key']) {
        const { status, isReplayed } = await add(key)
        assert.deepEqual([status, isReplayed], [201, false])
      }
    }
  })

  it('gets a 409 while the first request is in flight', async () => {
    const store = createMemoryStore()
    const { add, send } = serveRecorded({
      store: { ...store, createOnce: async (pet, key) => store.createOnce(pet, key) },
    })
    const allResponses = await Promise.all([
      add('a'),
      send(addRex),
      ...Array.from({ length: 200 }, () => add()),
    ])
    const rejections = allResponses.filter(({ status }) => status !== 201)
    assert.equal(rejections.length, 199)
    for (const one of rejections)
      assert.deepEqual([readCode(one), one.headers.get('retry-after')], ['idempotency_key_in_use', '1'])
    assert.equal(store.list({ limit: 101 }).length, 3)
    assert.equal((await add()).isReplayed, true)
  })

  it('adds the animal if the first request failed', async () => {
    const store = createMemoryStore()
    const { createOnce } = store
    const createFailures = [() => assert.fail('a defect'), () => Promise.reject(new Error('a defect'))]
    const { add } = serveRecorded({
      store: { ...store, createOnce: (pet, key) => createFailures.shift()?.() ?? createOnce(pet, key) },
    })
    for (const status of [500, 500, 201]) assert.equal((await add()).status, status)
  })
})
