import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { listSecrets } from '../run/secrets.ts'
import { createRedactor } from './redactor.ts'

const createTestRedactor = (key: string, throttleKey?: string) =>
  createRedactor(listSecrets({ apiKey: key, throttleKey, unknownKey: 'unknown-0123456789' }))
const redact = createTestRedactor('Secret/Key+9=', 'other-key-77')
const placeholder = '$PET_ADOPTION_API_KEY'

describe('a redactor', () => {
  it('replaces each secret by its own placeholder', () => {
    assert.equal(
      redact('Secret/Key+9= other-key-77 unknown-0123456789'),
      `${placeholder} $PET_ADOPTION_THROTTLE_KEY an-unknown-key`,
    )
  })

  it('does not change other text', () => {
    const bodyText = '[{"id":1,"name":"Secret"},{"name":"/Key%20+9"}] \\u0041 &amp; U2VjcmV0'
    assert.equal(redact(bodyText), bodyText)
    const secret = createTestRedactor('pet_live_7d0f3a9b2c4e6f8091a2b3c4d5e6f708')
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.uuid(), fc.bigInt().map(String), fc.base64String(), fc.lorem())),
        (words) => assert.equal(secret(JSON.stringify(words)), JSON.stringify(words)),
      ),
    )
  })

  it('finds a short key only as a whole word', () => {
    const redactShortKey = createTestRedactor('pet')
    for (const [text, clean] of [
      ['car', 'car'],
      ['pet', placeholder],
      ['Bearer pet', `Bearer ${placeholder}`],
      ['"pet" (pet) /pet\\', `"${placeholder}" (${placeholder}) /${placeholder}\\`],
      ['/v1/pets carpet petId', '/v1/pets carpet petId'],
    ] as const)
      assert.equal(redactShortKey(text), clean)
    assert.equal(createTestRedactor('a-a')('<a-a-a>'), `<${placeholder}-a>`)
  })

  it('finds keys that contain special characters', () => {
    for (const key of [
      '$&-secret-key',
      '(a|b)*[c]^.+?{9}',
      'back\\slash\\\\key',
      '%41-percent%25',
      '"quoted"/key',
    ])
      for (const write of Object.values(codings))
        assert.equal(createTestRedactor(key)(`<${write(key)}>`).includes(placeholder), true, write(key))
  })

  const encodeEachCharacter = (text: string, write: (code: number) => string): string =>
    [...Buffer.from(text)].map(write).join('')
  const hex = (code: number): string => code.toString(16).padStart(2, '0')
  const base64 = (text: string): string => Buffer.from(text).toString('base64')

  const codings: Readonly<Record<string, (text: string) => string>> = {
    plain: (text) => text,
    JSON: (text) => JSON.stringify(text),
    'JSON escapes': (text) => encodeEachCharacter(text, (code) => `\\u00${hex(code)}`),
    encodeURIComponent,
    'percent-encoding': (text) => encodeEachCharacter(text, (code) => `%${hex(code)}`),
    hexadecimal: (text) => encodeEachCharacter(text, hex),
    base64,
    base64url: (text) => Buffer.from(text).toString('base64url'),
  }

  const keys = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/='),
    minLength: 12,
    maxLength: 48,
  })

  for (const [coding, write] of Object.entries(codings)) {
    it(`finds a key in ${coding}`, () => {
      fc.assert(
        fc.property(
          keys,
          fc.string({ unit: 'binary-ascii', maxLength: 9 }),
          fc.string(),
          (key, before, after) => {
            const redactKey = createTestRedactor(key)
            const redactedText = redactKey(`<${write(before + key + after)}>`)
            assert.ok(redactedText.includes(placeholder), redactedText)
            for (const cased of [write(key).toUpperCase(), write(key).toLowerCase()])
              assert.ok(redactKey(`<${cased}>`).includes(placeholder), cased)
          },
        ),
        { numRuns: 50 },
      )
    })
  }

  it('keeps JSON valid', () => {
    const key = 'Secret-"Key"_0123456789'
    for (const body of [{ message: key }, { [key]: { nested: base64(key) } }]) {
      const redactedJson = createTestRedactor(key)(JSON.stringify(body))
      assert.doesNotThrow(() => JSON.parse(redactedJson), redactedJson)
      assert.ok(redactedJson.includes(placeholder))
    }
  })

  it('finds a key with 2000 characters', () => {
    const digits = Array.from({ length: 2_000 }, (_, n) => (n * 7919 + (n >> 3) * 31).toString(36).at(-1))
    const secret = digits.join('')
    assert.equal(createTestRedactor(secret)(`<${secret}>`), `<${placeholder}>`)
  })
})
