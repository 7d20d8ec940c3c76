import assert from 'node:assert/strict'
import { createMemoryStore, type PetStore, StoreUnavailable } from '../../../core/index.ts'
import { codeOf, json, type Mount, type Received, type Sent } from '../exchange.ts'
import { addition, auth, open } from './open.ts'
import type { Runner } from './runner.ts'

const rex = '{"name":"Rex","categoryId":9007199254740993,"status":"pending"}'
const max = '{"name":"Max","categoryId":1}'

/** Returns a request with these values of Idempotency-Key, one in each header. */
function keyed(body: string, ...values: readonly string[]): Sent {
  return addition(body, ...values.map((value) => ['Idempotency-Key', value] as const))
}

const isReplayed = ({ headers }: Received) => headers.get('idempotency-replayed')

const malformed: readonly (readonly [what: string, ...values: string[]])[] = [
  ['that is empty', ''],
  ['of empty quotes', '""'],
  ['with a space', 'a b'],
  ['with a quote at its start only', '"abc'],
  ['with a quote in it', 'a"b'],
  ['with a backslash', '"a\\b"'],
  ['of 256 characters', 'a'.repeat(256)],
  ['of 256 characters in quotes', `"${'a'.repeat(256)}"`],
  ['beyond ASCII', 'caf\u00e9'],
  ['that is a list', '"a","b"'],
  ['with a parameter', '"a";p=1'],
  ['that is repeated', 'a', 'b'],
  ['that is repeated with the same value', '"a"', '"a"'],
]

const wellFormed: readonly string[] = [
  'a',
  '"a"',
  'a'.repeat(255),
  `"${'a'.repeat(255)}"`,
  "!#'(),/:;<=>?@[]{|}~",
]

/** The Idempotency-Key of createPet: a client that got no response sends its request again. */
export function idempotencySuite(mount: Mount, { describe, it }: Runner): void {
  describe('an addition with an Idempotency-Key', () => {
    it('adds one animal however often it is sent, and returns the first response again', async (t) => {
      const send = await open(t, mount)
      const first = await send(keyed(rex, 'k1'))
      assert.deepEqual([first.status, isReplayed(first)], [201, undefined])
      const spellings = [
        rex,
        '{ "status":"pending", "categoryId":9007199254740993,\n"name":"\\u0052ex","x":[] }',
      ]
      for (const body of spellings)
        for (const key of ['k1', '"k1"']) {
          const again = await send(keyed(body, key))
          assert.deepEqual([again.status, again.text, isReplayed(again)], [201, first.text, 'true'])
        }
      assert.equal(json<unknown[]>(await send({ headers: [auth.zoo] })).length, 1)
      const other = await send(keyed(rex, 'k2'))
      assert.deepEqual([other.status, isReplayed(other)], [201, undefined])
      assert.notEqual(other.text, first.text)
    })

    it('is a 422 if its key came with another body, and adds nothing', async (t) => {
      const send = await open(t, mount)
      const first = await send(keyed(rex, 'k'))
      const reused = await send(keyed(max, 'k'))
      assert.deepEqual([reused.status, codeOf(reused)], [422, 'idempotency_key_reused'])
      assert.equal((await send(keyed(rex, 'k'))).text, first.text)
      assert.equal(json<unknown[]>(await send({ headers: [auth.zoo] })).length, 1)
    })

    it('has the key of its caller, not of another one', async (t) => {
      const send = await open(t, mount)
      const first = await send(keyed(rex, 'k'))
      const other = await send({ ...keyed(rex), headers: [auth.free, ['Idempotency-Key', 'k']] })
      assert.deepEqual([other.status, isReplayed(other)], [201, undefined])
      assert.notEqual(other.text, first.text)
    })

    for (const [what, ...values] of malformed) {
      it(`is a 400 for a key ${what}`, async (t) => {
        const send = await open(t, mount)
        const response = await send(keyed(rex, ...values))
        assert.deepEqual([response.status, codeOf(response)], [400, 'invalid_idempotency_key'])
        assert.equal(json<unknown[]>(await send({ headers: [auth.zoo] })).length, 0)
      })
    }

    it('accepts every other visible character, with quotes or without them', async (t) => {
      const send = await open(t, mount)
      for (const value of wellFormed) assert.equal((await send(keyed(rex, value))).status, 201, value)
    })

    it('is a 409 with Retry-After while the first is in progress, and then its response', async (t) => {
      const store = createMemoryStore()
      const { promise: held, resolve: release } = resolvable()
      const { promise: reached, resolve: reach } = resolvable()
      const send = await open(t, mount, {
        store: {
          ...store,
          async createOnce(pet, key) {
            reach()
            await held
            return store.createOnce(pet, key)
          },
        },
      })
      const first = send(keyed(rex, 'k'))
      await reached
      const early = await send(keyed(rex, 'k'))
      assert.deepEqual([early.status, codeOf(early)], [409, 'idempotency_key_in_use'])
      assert.equal(early.headers.get('retry-after'), '1')
      release()
      assert.equal((await first).status, 201)
      const late = await send(keyed(rex, 'k'))
      assert.deepEqual([late.status, late.text, isReplayed(late)], [201, (await first).text, 'true'])
      assert.equal((await send(keyed(rex, 'other'))).status, 201)
    })

    it('has a key that is free again after a 400 and a 503', async (t) => {
      const store = createMemoryStore()
      const failures = [new StoreUnavailable('down'), new StoreUnavailable('still down')]
      const failing: PetStore = {
        ...store,
        createOnce(pet, key) {
          const failure = failures.pop()
          if (failure) return Promise.reject(failure)
          return store.createOnce(pet, key)
        },
      }
      const send = await open(t, mount, { store: failing })
      assert.equal((await send(keyed('{"name":5}', 'k'))).status, 400)
      for (const status of [503, 503, 201]) assert.equal((await send(keyed(rex, 'k'))).status, status)
      assert.equal(isReplayed(await send(keyed(rex, 'k'))), 'true')
    })

    it('is one without a key where the service has turned keys off', async (t) => {
      const send = await open(t, mount, { idempotency: false })
      for (const value of ['k', 'k', 'no key', '']) {
        const response = await send(keyed(rex, value))
        assert.deepEqual([response.status, isReplayed(response)], [201, undefined])
      }
      assert.equal(json<unknown[]>(await send({ headers: [auth.zoo] })).length, 4)
    })
  })

  describe('an Idempotency-Key', () => {
    it('is ignored by the other operations, whatever it is', async (t) => {
      const send = await open(t, mount)
      const headers = [auth.zoo, ['Idempotency-Key', 'no key']] as const
      assert.equal((await send({ headers })).status, 200)
      assert.equal((await send({ headers, target: '/v1/pets/1' })).status, 404)
    })
  })
}

function resolvable(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
