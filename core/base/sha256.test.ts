import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { sha256 } from './sha256.ts'

describe('sha256', () => {
  it('returns the same hash as node:crypto', () => {
    for (let length = 1; length <= 300; length++) {
      const asciiText = String.fromCharCode(...Array.from({ length }, (_, i) => (37 * i + length) % 128))
      assert.equal(
        sha256(asciiText),
        createHash('sha256').update(asciiText).digest('hex'),
        `${length} characters`,
      )
    }
  })

  it('throws for an empty string, other types and non-ASCII text', () => {
    for (const text of [undefined, null, 5, ''])
      assert.throws(() => sha256(text as string), { name: 'TypeError', message: /requires text/ })
    assert.throws(() => sha256('schlüssel'), RangeError)
  })
})
