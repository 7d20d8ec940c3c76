import assert from 'node:assert/strict'
import type { Runner } from '../exchange.ts'
import { codeOf, json, type Mount, type Received, type Sent } from '../exchange.ts'
import { addition, auth, open } from './open.ts'

const rex = '{"name":"Rex","categoryId":9007199254740993,"status":"pending"}'
const max = '{"name":"Max","categoryId":1}'

/** Returns a request with these values of Idempotency-Key, one in each header. */
function keyed(body: string, ...values: readonly string[]): Sent {
  return addition(body, ...values.map((value) => ['Idempotency-Key', value] as const))
}

const isReplayed = ({ headers }: Received) => headers.get('idempotency-replayed')

const malformed: readonly (readonly [what: string, ...values: string[]])[] = [
  ['that is empty', ''],
  ['with a space', 'a b'],
  ['with a quote at its start only', '"abc'],
  ['with a backslash', '"a\\b"'],
  ['of 256 characters in quotes', `"${'a'.repeat(256)}"`],
  ['beyond ASCII', 'caf\u00e9'],
  ['with a parameter', '"a";p=1'],
  ['that is repeated', 'a', 'b'],
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
