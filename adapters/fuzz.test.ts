import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fuzz } from './testing/fuzz.ts'

it('every request, however malformed, gets a well-formed response that is no 5xx', async () => {
  const tally = await fuzz({ seed: 1, requests: 3_000, connections: 200 })
  for (const status of [200, 201, 400, 401, 404, 405, 413, 415, 417]) {
    assert.ok(tally.has(status), `no request is a ${status}: they are not varied enough`)
  }
})
