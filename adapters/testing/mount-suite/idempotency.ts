import assert from 'node:assert/strict'
import {
  type Mount,
  parseJsonText,
  readCode,
  type SentRequest,
  type TestResponse,
  type TestRunner,
} from '../exchange.ts'
import { authHeaders, openMount, toCreateRequest } from './open-mount.ts'

const rexJson = '{"name":"Rex","categoryId":9007199254740993,"status":"pending"}'
const reorderedRex = '{ "status":"pending", "categoryId":9007199254740993,\n"name":"\\u0052ex","x":[] }'
const maxJson = '{"name":"Max","categoryId":1}'

/** Creates a request with `Idempotency-Key` headers. */
const createWithKey = (body: string, ...values: readonly string[]): SentRequest =>
  toCreateRequest(body, ...values.map((value) => ['Idempotency-Key', value] as const))

const isReplayed = ({ headers }: TestResponse) => headers.get('idempotency-replayed')

/** Declares tests for idempotency keys. A client repeats a request that got no response. */
export function testIdempotency(mount: Mount, { describe, it }: TestRunner): void {
  describe('a creation with an Idempotency-Key', () => {
    it('creates one animal, and is rejected if it is repeated with another body', async (t) => {
      const sendRequest = await openMount(t, mount)
      const firstResponse = await sendRequest(createWithKey(rexJson, 'k1'))
      assert.deepEqual([firstResponse.status, isReplayed(firstResponse)], [201, undefined])
      for (const again of [
        createWithKey(rexJson, 'k1'),
        createWithKey(rexJson, '"k1"'),
        createWithKey(reorderedRex, 'k1'),
      ]) {
        const response = await sendRequest(again)
        assert.deepEqual(
          [response.status, response.text, isReplayed(response)],
          [201, firstResponse.text, 'true'],
        )
      }
      assert.equal(readCode(await sendRequest(createWithKey(maxJson, 'k1'))), 'idempotency_key_reused')
      const otherResponse = await sendRequest(createWithKey(rexJson, 'k2'))
      assert.deepEqual([otherResponse.status, isReplayed(otherResponse)], [201, undefined])
      assert.equal(parseJsonText<unknown[]>(await sendRequest({ headers: [authHeaders.zoo] })).length, 2)
    })

    it('is rejected if the Idempotency-Key header is malformed or repeated', async (t) => {
      const sendRequest = await openMount(t, mount)
      for (const values of [[''], ['a b'], ['"abc'], ['caf\u00e9'], ['a', 'b']])
        assert.equal(
          readCode(await sendRequest(createWithKey(rexJson, ...values))),
          'invalid_idempotency_key',
          `${values}`,
        )
      assert.equal((await sendRequest({ headers: [authHeaders.zoo] })).text, '[]')
    })
  })

  it('other operations ignore the Idempotency-Key header', async (t) => {
    const sendRequest = await openMount(t, mount)
    const headers = [authHeaders.zoo, ['Idempotency-Key', 'no key']] as const
    assert.equal((await sendRequest({ headers })).status, 200)
    assert.equal((await sendRequest({ headers, target: '/v1/pets/1' })).status, 404)
  })
}
