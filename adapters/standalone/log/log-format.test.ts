import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formats, type LoggedResponse } from './log-format.ts'

const time = '2027-01-01T00:00:00.000Z'

test('lines of responses in JSON have the members that have a value, whatever the values before them were', () => {
  const text = fc.option(fc.constantFrom('GET', 'a "quoted" id', 'one\nother', '\ud83d', ''), {
    nil: undefined,
  })
  const response = fc.record({
    method: text,
    operation: text,
    status: fc.constantFrom(200, 503),
    code: text as fc.Arbitrary<LoggedResponse['code']>, // the texts stand for codes
    durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    caller: text,
    client: fc.constantFrom('192.0.2.1', 'unknown'),
    requestId: text,
  })
  const law = fc.property(fc.array(fc.tuple(response, fc.boolean()), { maxLength: 9 }), (responses) => {
    for (const [{ caller: keyId, client, durationMs, requestId, ...given }, withAddress] of responses) {
      const { method, operation, status, code } = given
      const duration = Math.round(durationMs * 1000) / 1000
      const address = withAddress ? client : undefined
      const head = { time, level: 'info', event: 'request', method, operation, status, code }
      assert.equal(
        formats.json.response(time, { ...given, caller: keyId, client, durationMs, requestId }, withAddress),
        JSON.stringify({ ...head, durationMs: duration, keyId, address, requestId }),
      )
    }
  })
  fc.assert(law, { seed: 1 })
})
