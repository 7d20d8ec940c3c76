import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { sha256 } from './sha256.ts'

const expected = (text: string) => createHash('sha256').update(text).digest('hex')
const unit = fc.nat(0x7f).map((code) => String.fromCharCode(code))
const ascii = fc.string({ unit, minLength: 1, maxLength: 300 })

describe('SHA-256', () => {
  it('is that of the platform for every length around its blocks', () => {
    for (let length = 1; length <= 200; length++) {
      const text = 'k'.repeat(length)
      assert.equal(sha256(text), expected(text), `${length} characters`)
    }
  })

  it('is that of the platform for any text of ASCII', () => {
    holds(fc.property(ascii, (text) => assert.equal(sha256(text), expected(text))))
  })

  it('throws for no text, an empty one, and one that is not ASCII', () => {
    for (const text of [undefined, null, 5, ''])
      assert.throws(() => sha256(text as string), { name: 'TypeError', message: /requires text/ })
    assert.throws(() => sha256('schlüssel'), RangeError)
  })
})
