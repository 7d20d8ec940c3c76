import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSimilarKey } from './unknown-key.ts'

const random = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, n) => n * 37)

describe('createSimilarKey', () => {
  const keysWithForm: readonly (readonly [key: string, form: RegExp])[] = [
    ['sk_live_51HabcXYZ9q', /^sk_live_\d{2}[A-Z][a-z]{3}[A-Z]{3}\d[a-z]$/],
    ['pets_4f8a1c9e7b2d', /^pets_\d[a-f]\d[a-f]\d[a-f]\d[a-f]\d[a-f]\d[a-f]$/],
    ['12345678', /^\d{8}$/],
    ['my-main-key', /^[a-z]{2}-[a-z]{4}-[a-z]{3}$/],
  ]
  for (const [key, form] of keysWithForm) {
    it(`keeps the form of ${key}`, () => {
      const similarKey = createSimilarKey(key, random) ?? assert.fail()
      assert.match(similarKey, form)
      assert.ok([...similarKey.slice(-8)].some((character, n) => character !== key.slice(-8)[n]))
    })
  }

  it('requires 8 letters and digits', () => {
    assert.equal(createSimilarKey('1234567', random), undefined)
    assert.equal(createSimilarKey('', random), undefined)
  })
})
