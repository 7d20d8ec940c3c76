import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { sha256 } from './sha256.ts'

describe('sha256', () => {
  it('agrees with the platform for every length around its blocks', () => {
    for (let length = 1; length <= 300; length++) {
      const text = String.fromCharCode(...Array.from({ length }, (_, i) => (37 * i + length) % 128))
      assert.equal(sha256(text), createHash('sha256').update(text).digest('hex'), `${length} characters`)
    }
  })

  it('accepts only a text of ASCII characters', () => {
    for (const text of [undefined, null, 5, ''])
      assert.throws(() => sha256(text as string), { name: 'TypeError', message: /requires text/ })
    assert.throws(() => sha256('schlüssel'), RangeError)
  })
})
