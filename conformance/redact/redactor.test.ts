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

test('a short key is redacted as a whole word only, also where it overlaps itself', () => {
  const short = redactorOf('pet')
  const key = '$PET_ADOPTION_API_KEY'
  for (const [text, clean] of [
    ['car', 'car'],
    ['pet', key],
    ['Bearer pet', `Bearer ${key}`],
    ['"pet" (pet) %20pet \\npet', `"${key}" (${key}) %20${key} \\n${key}`],
    ['/v1/pets carpet petId', '/v1/pets carpet petId'],
  ] as const)
    assert.equal(short(text), clean)
  assert.equal(redactorOf('a-a')('<a-a-a>'), `<${key}>`)
})

test('a placeholder is not taken for a replacement pattern', () => {
  assert.equal(redactorOf('$&-secret-key')('<$&-secret-key>'), '<$PET_ADOPTION_API_KEY>')
})

const bytesOf = (text: string): Buffer => Buffer.from(text)
const eachCode = (text: string, write: (code: number) => string, between = ''): string =>
  [...bytesOf(text)].map(write).join(between)
const hex = (code: number): string => code.toString(16).padStart(2, '0')
const octal = (code: number): string => `\\${code.toString(8).padStart(3, '0')}`

/** RFC 4648, section 6, written apart from the redactor. */
function base32(text: string): string {
  const bits = eachCode(text, (code) => code.toString(2).padStart(8, '0'))
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

const base64 = (text: string): string => bytesOf(text).toString('base64')

/** How a server may write bytes, also one of these within another. */
const nested: Readonly<Record<string, (text: string) => string>> = {
  base64,
  base64url: (text) => bytesOf(text).toString('base64url'),
  base32,
  hex: (text) => eachCode(text, hex),
  'hex in upper case': (text) => eachCode(text, hex).toUpperCase(),
}

/** How a server may write bytes; what comes out stands in a body. */
const codings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'other case': (text) => text.toUpperCase(),
  'JSON of a Buffer': (text) => JSON.stringify(bytesOf(text)),
  'JSON of a Uint8Array': (text) => JSON.stringify(new Uint8Array(bytesOf(text))),
  'a Buffer as it is inspected': (text) => `<Buffer ${eachCode(text, hex, ' ')}>`,
  'hex in upper case with colons': (text) => eachCode(text, hex, ':').toUpperCase(),
  'hex with prefixes': (text) => eachCode(text, (code) => `0x${code.toString(16)}`, ', '),
  'hex of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  ...nested,
  'base32 in lower case': (text) => base32(text).toLowerCase(),
  'full-width letters': (text) => eachCode(text, (code) => String.fromCharCode(code + 0xfee0)),
  'octal escapes of three digits': (text) => eachCode(text, octal),
  'octal escapes of some characters': (text) =>
    eachCode(text, (code) => (code % 3 ? String.fromCharCode(code) : octal(code))),
  'percent-encoded JSON escapes': (text) =>
    eachCode(text, (code) => encodeURIComponent(`\\u00${code.toString(16)}`)),
  'base64 of percent-encoding': (text) => base64(eachCode(text, (code) => `%${code.toString(16)}`)),
  'base64 of upper case': (text) => base64(text.toUpperCase()),
  'base64 in lines': (text) => base64(text).replace(/.{9}/g, '$&\r\n'),
  'base64 in lines within JSON': (text) => JSON.stringify(base64(text).replace(/.{9}/g, '$&\n')),
  'base64 in lower case': (text) => base64(text).toLowerCase(),
  'base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'decimal codes': (text) => eachCode(text, String, ' '),
  'decimal escapes': (text) => eachCode(text, (code) => `\\${code}`),
  'octal escapes': (text) => eachCode(text, (code) => `\\${code.toString(8)}`),
  'JSON escapes': (text) => eachCode(text, (code) => `\\u00${hex(code)}`),
  'escapes with braces': (text) => eachCode(text, (code) => `\\u{${code.toString(16)}}`),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)),
  'references of HTML': (text) => eachCode(text, (code) => `&#${code};`),
  'hexadecimal references of HTML, escaped': (text) => eachCode(text, (code) => `&amp;#x${hex(code)};`),
  'percent-encoding': (text) => eachCode(text, (code) => `%${hex(code)}`),
  'percent-encoding twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'UTF-16 taken for UTF-8': (text) => Buffer.from(text, 'utf16le').toString('utf8'),
  'letters apart': (text) => [...text].join(' '),
  'a list of letters': (text) => JSON.stringify([...text]),
  'lines of seven': (text) => text.replace(/.{7}/g, '$&\n'),
  'lines of seven within JSON': (text) => JSON.stringify(text.replace(/.{7}/g, '$&\n')),
}

/** The texts that decoders make of another text, from each of its first places. Written apart from the redactor. */
function decodedOnce(text: string): readonly string[] {
  const escapes = (octal: RegExp): string =>
    text
      .replace(octal, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)))
      .replace(/(%)(?:25)+/g, '$1')
      .replace(/%([\da-f]{2})|\\+u\{?([\da-f]{2,4})\}?/gi, (_, a, b) =>
        String.fromCharCode(Number.parseInt(a ?? b, 16)),
      )
      .replace(/&(?:amp;)?#(?:(\d+)|x([\da-f]+));/gi, (_, a, b) =>
        String.fromCharCode(a ? Number(a) : Number.parseInt(b, 16)),
      )
      .replace(/\\+[nr]/g, '\n')
      .replace(/\\+(.)/g, '$1')
      .normalize('NFKC')
  const numbers = (radix: number, digits: RegExp): readonly number[] =>
    (text.match(digits) ?? []).map((found) => Number.parseInt(found, radix) % 65536)
  const lists = [numbers(10, /\d+/g), numbers(8, /[0-7]+/g)]
  const places = [0, 1, 2, 3, 4, 5, 6, 7]
  const unescaped = escapes(/(?!)/g)
  const letters = unescaped.replace(/[^\w+/-]/g, '')
  const hex = text.replace(/0x|[^\da-f]/gi, '')
  return [
    unescaped,
    escapes(/\\+([0-3][0-7]{2})/g),
    ...places.slice(0, 4).map((at) => Buffer.from(letters.slice(at), 'base64').toString('latin1')),
    ...places.slice(0, 2).map((at) => Buffer.from(hex.slice(at), 'hex').toString('latin1')),
    ...places.map((at) => fromBase32(letters.slice(at))),
    ...lists.flatMap((list) =>
      [list, list.filter((_, n) => n % 2 === 0), list.filter((_, n) => n % 2 === 1)].map((codes) =>
        String.fromCharCode(...codes),
      ),
    ),
  ]
}

function fromBase32(text: string): string {
  const bits = [...text.toUpperCase()]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter) & 31)
    .map((five) => five.toString(2).padStart(5, '0'))
  return (bits.join('').match(/.{8}/g) ?? [])
    .map((byte) => String.fromCharCode(Number.parseInt(byte, 2)))
    .join('')
}

/** The first twelve letters and digits of a key in a row that can be got out of a text by decoding it so many times. */
function leak(text: string, key: string, times = 1): string | undefined {
  let texts: readonly string[] = [text]
  for (let n = 0; n < times; n++) texts = [...texts, ...texts.flatMap(decodedOnce)]
  const plain = texts.map((said) => said.replace(/[^a-z0-9]/gi, '').toLowerCase())
  const form = key.replace(/[^a-z0-9]/gi, '').toLowerCase()
  const parts = Array.from({ length: Math.max(0, form.length - 11) }, (_, at) => form.slice(at, at + 12))
  return parts.find((part) => plain.some((said) => said.includes(part)))
}

const keys = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'),
  minLength: 20,
  maxLength: 48,
})

/** One coding within another; each is looked for from two decodings, as is what stands in one coding. */
const twice = Object.entries(nested).flatMap(([outer, write]) =>
  Object.entries(nested).map(
    ([inner, writeInner]) => [`${outer} of ${inner}`, (text: string) => write(writeInner(text))] as const,
  ),
)
/** What `leak` cannot read: what base64 of letters in one case stands for depends on the key. */
const unreadable = ['base64 in lower case']

const everyCoding = [
  ...Object.entries(codings).map(([coding, write]) => ({
    coding,
    write,
    times: coding.includes(' of perc') ? 2 : 1,
  })),
  ...twice.map(([coding, write]) => ({ coding, write, times: 2 })),
]

for (const { coding, write, times } of everyCoding) {
  test(`a key within other text is redacted completely in ${coding}`, () => {
    fc.assert(
      fc.property(
        keys,
        fc.constantFrom('', 'Bearer ', 'x', 'zz: '),
        fc.constantFrom('', '.', '"]', ' end'),
        (key, before, after) => {
          const text = `{"message":"${write(before + key + after)} 12 ab"}`
          const clean = redactorOf(key)(text)
          const isRead = unreadable.includes(coding) || leak(text, key, times) !== undefined
          assert.ok(isRead, 'the search finds what is there')
          assert.equal(leak(clean, key, times), undefined, clean)
          assert.notEqual(clean, text)
        },
      ),
      { numRuns: times === 1 ? 20 : 4 },
    )
  })

  test(`the credentials of Basic that hold a key are redacted in ${coding}`, () => {
    const key = 'Secret-Key_0123456789'
    const basic = btoa(`${key}:`)
    const clean = redactorOf(key)(`{"header":"${write(`Basic ${basic}`)} ."}`)
    assert.equal(leak(clean, basic, times), undefined, clean)
  })
}

test('a key with any one character missing or wrong is redacted but for seven', () => {
  const longKeys = keys.filter((key) => key.replace(/[^a-z0-9]/gi, '').length >= 20)
  fc.assert(
    fc.property(longKeys, fc.nat(), fc.constantFrom('', '~', 'z'), (key, n, instead) => {
      const place = n % key.length
      const clean = redactorOf(key)(`<${key.slice(0, place)}${instead}${key.slice(place + 1)}>`)
      assert.ok(clean.includes('$PET_ADOPTION_API_KEY'))
      const rest = clean.split('$PET_ADOPTION_API_KEY').map((text) => text.replace(/[^a-z0-9]/gi, ''))
      assert.ok(rest.join('').length <= 8, clean)
    }),
  )
})

test('what is redacted in strings of JSON stays JSON', () => {
  const key = 'Secret-Key_0123456789'
  for (const body of [
    { message: key },
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

test('a secret of thousands of characters is found', () => {
  const secret = Array.from({ length: 2_000 }, (_, n) => (n * 7919 + (n >> 3) * 31).toString(36).at(-1)).join(
    '',
  )
  const redact = redactorOf(secret)
  assert.equal(redact(`<${secret}>`), '<$PET_ADOPTION_API_KEY>')
  assert.equal(redact('\0'.repeat(100)), '\0'.repeat(100))
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
