import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Characters } from './characters.ts'

/** The characters of a text, each with the part of the text that it stands for. */
function charactersOf(text: string): readonly (readonly [character: string, part: string])[] {
  const characters = new Characters()
  characters.begin(text)
  const read: [string, string][] = []
  while (characters.next()) {
    read.push([String.fromCharCode(characters.code), text.slice(characters.start, characters.end)])
  }
  return read
}

const escapes: readonly (readonly [escape: string, character: string])[] = [
  ['\\u0070', 'p'],
  ['\\\\\\\\U0070', 'p'],
  ['\\u{70}', 'p'],
  ['\\u{00000000000070}', 'p'],
  ['\\u{000}', '\0'],
  ['\\x70', 'p'],
  ['\\n', ' '],
  ['\\\\', '\\'],
  ['\\/', '/'],
  ['\\u', 'u'],
  ['%70', 'p'],
  ['%25252570', 'p'],
  ['%25', '%'],
  ['%2525', '%'],
  ['&#112;', 'p'],
  ['&#0000000000112', 'p'],
  ['&#X70;', 'p'],
  ['&amp;AMP;#x70', 'p'],
  ['&LT;', '<'],
  ['&amp;quot;', '"'],
  ['&amp;amp;', '&'],
  ['&#x1f600;', '\0'],
  ['\\u{10FFFF}', '\0'],
  ['&#1114111;', '\0'],
  ['é', '\0'],
]

for (const [text, character] of escapes) {
  test(`${text} stands for ${JSON.stringify(character)}`, () => {
    assert.deepEqual(charactersOf(text), [[character, text]])
  })
}

for (const text of ['\\u{70', '\\u{1234567}', '\\u007', '\\xg0']) {
  test(`${text} is an escaped letter and what follows it`, () => {
    assert.deepEqual(charactersOf(text)[0], [text[1], text.slice(0, 2)])
    assert.equal(charactersOf(text).length, text.length - 1)
  })
}

test('a reference of eight digits ends with the seventh', () => {
  assert.deepEqual(
    charactersOf('&#00000011222').map(([, part]) => part),
    ['&#00000011222'],
  )
  assert.deepEqual(
    charactersOf('&#11222333').map(([, part]) => part),
    ['&#1122233', '3'],
  )
})

for (const text of ['%7', '%g0', '&', '&#;', '&#x;', '&lt', '&nbsp;', '&call;']) {
  test(`${text} is no escape`, () => {
    assert.deepEqual(
      charactersOf(text),
      [...text].map((character) => [character, character]),
    )
  })
}

/** The form of every escape, as a regular expression. */
const form =
  /\\+(?:u\{0*[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2}|[^\\])?|%(?:25)*[\da-f]{2}|&(?:amp;)*(?:#0*\d{1,7};?|#x0*[\da-f]{1,6};?|(?:amp|lt|gt|quot|apos);)|[\s\S]/gi

test('escapes are taken from a text as their form says', () => {
  const parts = ['\\', 'u', '{', '}', 'x', '0', '25', '7', 'F', 'g', '%', '&', 'amp;', 'AMP', ';', '#', 'lt;']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 24 }), (chosen) => {
      const text = chosen.join('')
      assert.deepEqual(
        charactersOf(text).map(([, part]) => part),
        text.match(form) ?? [],
      )
    }),
    { numRuns: 3000 },
  )
})
