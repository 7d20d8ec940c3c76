import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toPrintable, toPrintableJson, toPrintableLines } from './printable.ts'

const printableTexts: readonly (readonly [what: string, text: string, expected: string])[] = [
  ['a color sequence', 'a\u001b[31mb', 'a\\u001b[31mb'],
  ['an 8-bit control sequence introducer', '\u009b2J', '\\u009b2J'],
  ['a bell and a delete', '\u0007\u007f', '\\u0007\\u007f'],
  ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
  ['a right-to-left override', 'a\u202eb', 'a\\u202eb'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
  ['a noncharacter', 'a\uffffb', 'a\\uffffb'],
  ['an invisible tag beyond the basic plane', '\u{e0001}', '\\udb40\\udc01'],
  ['an Azure Pipelines command', '##[add-mask]x ##vso[task]y', '#\\u0023[add-mask]x #\\u0023vso[task]y'],
  ['a TeamCity command', '##teamcity[x]', '#\\u0023teamcity[x]'],
  ['a GitHub Actions command', '::add-mask::x', '\\u003a:add-mask::x'],
  ['a GitHub Actions command after a space', 'a \u00a0::x', 'a \u00a0\\u003a:x'],
  ['an IPv6 address', 'http://[::1]/v1', 'http://[::1]/v1'],
  ['letters and emoji', 'Żółw 犬 كلب 🐶', 'Żółw 犬 كلب 🐶'],
]

describe('toPrintable', () => {
  for (const [what, text, expected] of printableTexts) {
    it(`writes ${what} as ${expected}`, () => assert.equal(toPrintable(text), expected))
  }

  it('keeps line breaks in toPrintableLines', () => {
    assert.equal(toPrintableLines('a\r\nb\n\u001bc\rd'), 'a\nb\n\\u001bc\\rd')
  })
})

describe('toPrintableJson', () => {
  for (const [what, text] of printableTexts) {
    it(`escapes ${what} without changing the value`, () => {
      const printedJson = toPrintableJson({ [text]: [text] })
      assert.deepEqual(JSON.parse(printedJson), { [text]: [text] })
      assert.equal(toPrintable(printedJson.replaceAll('\n', '')), printedJson.replaceAll('\n', ''))
    })
  }
})
