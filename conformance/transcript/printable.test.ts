import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { printable, printableJson, printableLines } from './printable.ts'

const shown: readonly (readonly [what: string, text: string, expected: string])[] = [
  ['a colour sequence', 'a\u001b[31mb', 'a\\u001b[31mb'],
  ['an 8-bit control sequence introducer', '\u009b2J', '\\u009b2J'],
  ['a bell and a delete', '\u0007\u007f', '\\u0007\\u007f'],
  ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
  ['a right-to-left override', 'a\u202eb', 'a\\u202eb'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
  ['a noncharacter', 'a\uffffb', 'a\\uffffb'],
  ['an invisible tag beyond the basic plane', '\u{e0001}', '\\udb40\\udc01'],
  ['a command to a build server', '##[add-mask]x ##vso[task]y', '#\\u0023[add-mask]x #\\u0023vso[task]y'],
  ['a command to TeamCity', '##teamcity[x]', '#\\u0023teamcity[x]'],
  ['a command to GitHub Actions', '::add-mask::x', '\\u003a:add-mask::x'],
  ['a command to GitHub Actions after white space', 'a \u00a0::x', 'a \u00a0\\u003a:x'],
  ['an address of IPv6', 'http://[::1]/v1', 'http://[::1]/v1'],
  ['letters of every script and emoji', 'Żółw 犬 كلب 🐶', 'Żółw 犬 كلب 🐶'],
]

describe('printable', () => {
  for (const [what, text, expected] of shown) {
    it(`writes ${what} as ${expected}`, () => assert.equal(printable(text), expected))
  }

  it('leaves only line feeds of all control characters in printableLines', () => {
    assert.equal(printableLines('a\r\nb\n\u001bc\rd'), 'a\nb\n\\u001bc\\rd')
  })
})

describe('printableJson', () => {
  for (const [what, text] of shown) {
    it(`preserves the value of ${what}`, () => {
      const written = printableJson({ [text]: [text] })
      assert.deepEqual(JSON.parse(written), { [text]: [text] })
      assert.equal(printable(written.replaceAll('\n', '')), written.replaceAll('\n', ''))
    })
  }
})
