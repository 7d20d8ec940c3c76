import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fuzz } from './testing/fuzz.ts'

it('no request, however malformed, gets a 5xx, an answer that is no answer, or none', async () => {
  const tally = await fuzz({ seed: 1, requests: 3_000, connections: 200 })
  for (const status of [200, 201, 400, 401, 404, 405, 413, 415, 417]) {
    assert.ok(tally.has(status), `the requests are varied enough to be answered with ${status}`)
  }
})
