import assert from 'node:assert/strict'
import { json, type Mount, type Received, type Runner, readCode, type Sent } from '../exchange.ts'
import { auth, creation, open } from './open.ts'

const rex = '{"name":"Rex","categoryId":9007199254740993,"status":"pending"}'
const respelled = '{ "status":"pending", "categoryId":9007199254740993,\n"name":"\\u0052ex","x":[] }'
const max = '{"name":"Max","categoryId":1}'

/** Returns a request with these values of Idempotency-Key, one in each header. */
const keyed = (body: string, ...values: readonly string[]): Sent =>
  creation(body, ...values.map((value) => ['Idempotency-Key', value] as const))

const isReplayed = ({ headers }: Received) => headers.get('idempotency-replayed')

/** The Idempotency-Key of createPet: a client that got no response sends its request again. */
export function idempotencySuite(mount: Mount, { describe, it }: Runner): void {
  describe('a creation with an Idempotency-Key', () => {
    it('creates one animal, and is a 422 with another body', async (t) => {
      const send = await open(t, mount)
      const first = await send(keyed(rex, 'k1'))
      assert.deepEqual([first.status, isReplayed(first)], [201, undefined])
      for (const again of [keyed(rex, 'k1'), keyed(rex, '"k1"'), keyed(respelled, 'k1')]) {
        const response = await send(again)
        assert.deepEqual([response.status, response.text, isReplayed(response)], [201, first.text, 'true'])
      }
      assert.equal(readCode(await send(keyed(max, 'k1'))), 'idempotency_key_reused')
      const other = await send(keyed(rex, 'k2'))
      assert.deepEqual([other.status, isReplayed(other)], [201, undefined])
      assert.equal(json<unknown[]>(await send({ headers: [auth.zoo] })).length, 2)
    })

    it('is a 400 if the idempotency key is malformed or repeated', async (t) => {
      const send = await open(t, mount)
      for (const values of [[''], ['a b'], ['"abc'], ['caf\u00e9'], ['a', 'b']])
        assert.equal(readCode(await send(keyed(rex, ...values))), 'invalid_idempotency_key', `${values}`)
      assert.equal((await send({ headers: [auth.zoo] })).text, '[]')
    })
  })

  it('an Idempotency-Key is ignored by other operations', async (t) => {
    const send = await open(t, mount)
    const headers = [auth.zoo, ['Idempotency-Key', 'no key']] as const
    assert.equal((await send({ headers })).status, 200)
    assert.equal((await send({ headers, target: '/v1/pets/1' })).status, 404)
  })
}
