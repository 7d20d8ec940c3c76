import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRedactor } from './secrets.ts'

const redactorOf = (key: string, throttleKey?: string) =>
  createRedactor({ key, throttleKey, unknownKey: 'unknown-0123456789' })
const redact = redactorOf('Secret/Key+9=', 'other-key-77')

test('each secret has a placeholder of its own', () => {
  assert.equal(
    redact('Secret/Key+9= other-key-77 unknown-0123456789'),
    '$PET_ADOPTION_API_KEY $PET_ADOPTION_THROTTLE_KEY an-unknown-key',
  )
})

test('what holds no secret stays as it is', () => {
  const text = '[{"id":1,"name":"Secret"},{"name":"/Key%20+9"}] \\u0041 &amp; U2VjcmV0'
  assert.equal(redact(text), text)
})

test('a secret within base64 is found at every place, in both alphabets', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'binary-ascii' }), (before, after) => {
      for (const encoding of ['base64', 'base64url'] as const) {
        const clean = redact(Buffer.from(`${before}Secret/Key+9=${after}`).toString(encoding))
        assert.ok(clean.includes('$PET_ADOPTION_API_KEY'))
      }
    }),
  )
})

test('a short key is a secret where it stands alone, and letters where it does not', () => {
  const short = redactorOf('pet')
  assert.equal(short('Bearer pet'), 'Bearer $PET_ADOPTION_API_KEY')
  assert.equal(
    short('"pet" (pet) %20pet \\npet'),
    ['"k" (k) %20k \\nk'].join('').replaceAll(/\bk\b|(?<=%20|\\n)k/g, '$$PET_ADOPTION_API_KEY'),
  )
  assert.equal(short('/v1/pets carpet petId'), '/v1/pets carpet petId')
})

test('a placeholder is not taken for a replacement pattern', () => {
  assert.equal(redactorOf('$&-secret-key')('<$&-secret-key>'), '<$PET_ADOPTION_API_KEY>')
})
