import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { sha256 } from './sha256.ts'

it('SHA-256 is that of the platform for every length around its blocks, of any ASCII', () => {
  for (let length = 1; length <= 300; length++) {
    const text = String.fromCharCode(...Array.from({ length }, (_, i) => (37 * i + length) % 128))
    assert.equal(sha256(text), createHash('sha256').update(text).digest('hex'), `${length} characters`)
  }
})

it('SHA-256 throws for no text, an empty one, and one that is not ASCII', () => {
  for (const text of [undefined, null, 5, ''])
    assert.throws(() => sha256(text as string), { name: 'TypeError', message: /requires text/ })
  assert.throws(() => sha256('schlüssel'), RangeError)
})
