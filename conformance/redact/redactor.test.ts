import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { secretsOf } from '../run/secrets.ts'
import { createRedactor } from './redactor.ts'

const redactorOf = (key: string, throttleKey?: string) =>
  createRedactor(secretsOf({ key, throttleKey, unknownKey: 'unknown-0123456789' }))
const redact = redactorOf('Secret/Key+9=', 'other-key-77')

test('each secret has its own placeholder', () => {
  assert.equal(
    redact('Secret/Key+9= other-key-77 unknown-0123456789'),
    '$PET_ADOPTION_API_KEY $PET_ADOPTION_THROTTLE_KEY an-unknown-key',
  )
})

test('a text without a secret is unchanged', () => {
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

test('a short key is redacted as a whole word only', () => {
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

/** How a server may write bytes; what comes out stands in a body. */
const codings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'other case': (text) => text.toUpperCase(),
  'JSON of a Buffer': (text) => JSON.stringify(Buffer.from(text)),
  'JSON of a Uint8Array': (text) => JSON.stringify(new Uint8Array(Buffer.from(text))),
  'a Buffer as it is inspected': (text) =>
    `<Buffer ${Buffer.from(text)
      .toString('hex')
      .replace(/..(?!$)/g, '$& ')}>`,
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in upper case with colons': (text) =>
    Buffer.from(text)
      .toString('hex')
      .toUpperCase()
      .replace(/..(?!$)/g, '$&:'),
  'hex with prefixes': (text) => [...Buffer.from(text)].map((byte) => `0x${byte.toString(16)}`).join(', '),
  'hex of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 in lines': (text) => Buffer.from(text).toString('base64').replace(/.{9}/g, '$&\r\n'),
  'base64 in lines within JSON': (text) =>
    JSON.stringify(Buffer.from(text).toString('base64').replace(/.{9}/g, '$&\n')),
  'base64 in lower case': (text) => Buffer.from(text).toString('base64').toLowerCase(),
  'base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'decimal codes': (text) => [...Buffer.from(text)].join(' '),
  'decimal escapes': (text) => [...Buffer.from(text)].map((byte) => `\\${byte}`).join(''),
  'octal escapes': (text) => [...Buffer.from(text)].map((byte) => `\\${byte.toString(8)}`).join(''),
  'JSON escapes': (text) =>
    [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'escapes with braces': (text) => [...text].map((c) => `\\u{${c.charCodeAt(0).toString(16)}}`).join(''),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)),
  'references of HTML': (text) => [...text].map((c) => `&#${c.charCodeAt(0)};`).join(''),
  'hexadecimal references of HTML, escaped': (text) =>
    [...text].map((c) => `&amp;#x${c.charCodeAt(0).toString(16)};`).join(''),
  'percent-encoding': (text) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''),
  'percent-encoding twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'UTF-16 taken for UTF-8': (text) => Buffer.from(text, 'utf16le').toString('utf8'),
  'letters apart': (text) => [...text].join(' '),
  'a list of letters': (text) => JSON.stringify([...text]),
  'lines of seven': (text) => text.replace(/.{7}/g, '$&\n'),
  'lines of seven within JSON': (text) => JSON.stringify(text.replace(/.{7}/g, '$&\n')),
}

/** The text of each coding, written apart from the redactor: every text that a decoder might make of another. */
function decoded(text: string): readonly string[] {
  const unescaped = text
    .replace(/(%)(?:25)+/g, '$1')
    .replace(/%([\da-f]{2})|\\+u\{?([\da-f]{2,4})\}?/gi, (_, a, b) =>
      String.fromCharCode(Number.parseInt(a ?? b, 16)),
    )
    .replace(/&(?:amp;)?#(?:(\d+)|x([\da-f]+));/gi, (_, a, b) =>
      String.fromCharCode(a ? Number(a) : Number.parseInt(b, 16)),
    )
    .replace(/\\+[nr]/g, '\n')
    .replace(/\\+(.)/g, '$1')
  const numbers = (radix: number): readonly number[] =>
    (text.match(/\d+/g) ?? []).map((digits) => Number.parseInt(digits, radix))
  const letters = (codes: readonly number[]): string =>
    codes.map((code) => String.fromCharCode(code % 65536)).join('')
  const hex = text.replace(/0x|[^\da-f]/gi, '')
  const packed = unescaped.replace(/[^\w+/-]/g, '')
  const binary = [0, 1, 2, 3].flatMap((at) => Buffer.from(packed.slice(at), 'base64').toString('latin1'))
  return [
    unescaped,
    ...binary,
    ...[0, 1].map((at) => Buffer.from(hex.slice(at), 'hex').toString('latin1')),
    ...[10, 8].flatMap((radix) => [
      letters(numbers(radix)),
      ...[0, 1].map((odd) => letters(numbers(radix).filter((_, n) => n % 2 === odd))),
    ]),
  ].flatMap((said) => [said.replace(/[^!-~]/g, ''), said.replace(/[^a-z0-9]/gi, '')])
}

/** The first twelve characters of a key in a row that can be got out of a text; of its letters and digits too. */
function leak(text: string, key: string): string | undefined {
  const texts = decoded(text).map((said) => said.toLowerCase())
  return [key, key.replace(/[^a-z0-9]/gi, '')]
    .flatMap((form) =>
      Array.from({ length: Math.max(0, form.length - 11) }, (_, at) => form.slice(at, at + 12)),
    )
    .find((part) => texts.some((said) => said.includes(part.toLowerCase())))
}

const keys = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'),
  minLength: 20,
  maxLength: 48,
})

for (const [coding, write] of Object.entries(codings)) {
  test(`a key within other text is redacted completely in ${coding}`, () => {
    const isCased = coding !== 'base64 in lower case'
    fc.assert(
      fc.property(
        keys,
        fc.constantFrom('', 'Bearer ', 'x', 'zz: '),
        fc.constantFrom('', '.', '"]', ' end'),
        (key, before, after) => {
          const text = `{"message":"${write(before + key + after)} 12 ab"}`
          const clean = redactorOf(key)(text)
          if (isCased) assert.notEqual(leak(text, key), undefined, 'the search finds what is there')
          assert.equal(leak(clean, key), undefined, clean)
          assert.notEqual(clean, text)
        },
      ),
      { numRuns: 60 },
    )
  })
}

test('a key with any one character missing is redacted too', () => {
  fc.assert(
    fc.property(keys, fc.nat(), fc.constantFrom('', '~', '~~'), (key, n, instead) => {
      const place = n % key.length
      const part = key.slice(0, place) + instead.slice(0, 1) + key.slice(place + 1)
      const clean = redactorOf(key)(`<${part}>`)
      assert.equal(leak(clean, key), undefined)
      const longest = clean
        .split('$PET_ADOPTION_API_KEY')
        .reduce((most, text) => Math.max(most, text.length), 0)
      assert.ok(longest <= 6, clean)
    }),
  )
})

test('what is redacted in JSON stays JSON', () => {
  const key = 'Secret-Key_0123456789'
  for (const body of [
    { message: key },
    { data: Buffer.from(key) },
    { data: [...Buffer.from(key)], more: [1, 2] },
    { data: new Uint8Array(Buffer.from(key)) },
    { data: [...key] },
    { [key]: { nested: Buffer.from(key).toString('base64') } },
  ]) {
    const clean = redactorOf(key)(JSON.stringify(body))
    assert.doesNotThrow(() => JSON.parse(clean), clean)
    assert.ok(clean.includes('$PET_ADOPTION_API_KEY'))
  }
})

test('a text with many parts of a key is dropped', () => {
  assert.equal(redact('Secret/Key+9= '.repeat(100)), '[not stored: it repeats keys too often]')
})

test('numbers, digests and words that are not a key are unchanged', () => {
  const secret = redactorOf('pet_live_7d0f3a9b2c4e6f8091a2b3c4d5e6f708')
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.uuid(), fc.bigInt().map(String), fc.base64String(), fc.lorem())),
      (words) => {
        const text = JSON.stringify(words)
        assert.equal(secret(text), text)
      },
    ),
  )
  for (const text of [
    '0'.repeat(200),
    'A'.repeat(200),
    '00000000-0000-0000-0000-000000000000',
    '0,0,0,0,0,0,0,0,0,0,0,0,0',
  ]) {
    assert.equal(secret(text), text)
  }
})

test('a secret of many thousand characters is found', () => {
  const secret = Array.from({ length: 20_000 }, (_, n) =>
    (n * 7919 + (n >> 3) * 31).toString(36).at(-1),
  ).join('')
  assert.equal(redactorOf(secret)(`<${secret}>`), '<$PET_ADOPTION_API_KEY>')
  assert.equal(redactorOf(secret)('\0'.repeat(100)), '\0'.repeat(100))
})

for (const [coding, write] of Object.entries(codings)) {
  test(`no part of one text counts in the next, in ${coding}`, () => {
    const key = 'Secret-Key_0123456789'
    const used = redactorOf(key, 'pet-key')
    const text = `<${write(`${key} pet-key`)}>`
    for (let at = 0; at <= text.length; at++) {
      for (const part of [text.slice(0, at), text.slice(at)]) {
        assert.equal(used(part), redactorOf(key, 'pet-key')(part))
      }
    }
  })
}

test('a short key at the start of a text is redacted, whatever the text before it ends with', () => {
  const short = redactorOf('pet')
  assert.equal(short('car'), 'car')
  assert.equal(short('pet'), '$PET_ADOPTION_API_KEY')
})

test('a key with any one letter wrong is redacted too', () => {
  const key = 'Secret-Key_0123456789'
  for (let at = 0; at < key.length; at++) {
    const clean = redactorOf(key)(`<${key.slice(0, at)}z${key.slice(at + 1)}>`)
    assert.ok(clean.replace('$PET_ADOPTION_API_KEY', '').length <= 6, clean)
  }
})

test('a short key is redacted completely where it overlaps itself', () => {
  assert.equal(redactorOf('a-a')('<a-a-a>'), '<$PET_ADOPTION_API_KEY>')
})

test('two keys in one text are both redacted, in every coding', () => {
  const [first, second] = ['first-Key_0123456789', 'other-Key_abcdefghijk']
  const both = redactorOf(first, second)
  for (const write of Object.values(codings)) {
    const clean = both(`<${write(first)}> <${write(second)}>`)
    assert.equal(leak(clean, first) ?? leak(clean, second), undefined, clean)
  }
  assert.equal(both(`<${first}> <${second}>`), '<$PET_ADOPTION_API_KEY> <$PET_ADOPTION_THROTTLE_KEY>')
})
