import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { pretty, prettySummary } from './pretty.ts'
import { sample, sampleHolding, sampleRule, sampleWith } from './testing/sample.ts'

const plain = { color: false }
const text = pretty(sample, plain)

describe('pretty', () => {
  it('a terminal report lists failures first, then warnings, then known failures, then every rule', () => {
    const places = [/✗ LIST-10 {2}/, /! AUTH-10 {2}/, /✗ LIST-4 {2}/, /^4\.1 List/m, /✓ VER-1/].map((part) =>
      text.search(part),
    )
    assert.ok(places.every((place) => place > 0))
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    )
  })

  it('a failure in a terminal report has its section, what was expected, what was received, and the command', () => {
    const block = text.split('\n\n').find((part) => part.includes('✗ LIST-10  '))
    assert.equal(
      block,
      [
        '  ✗ LIST-10   `limit=101` never yields more than 100 animals',
        '    MUST · section 4.1 of the interface',
        '    expected  at most 100 animals, or a 4xx',
        '    got       200 with 101 animals',
        '    at        $[100] in the body',
        '    response  200 OK, application/json; charset=utf-8',
        '    body      …{"id":100},{"id":101}]',
        '                          ^^^^^^^^^^',
        '    statement `limit=100` is valid, and returns at most 100 animals. No value of `limit` returns more. (interface.md#s4-1-limit-maximum)',
        '    exchanges limit-101, list',
        '    again     curl -i -H "Authorization: Bearer $PET_ADOPTION_API_KEY" \'https://staging.example.org/v1/pets?limit=101\'',
      ].join('\n'),
    )
  })

  it('a terminal report begins with the causes, what to do, and the rules that each explains', () => {
    assert.deepEqual(text.split('\n\n').slice(1, 3), [
      '1 cause behind 1 failure',
      [
        '1. The parameter limit is ignored: limit=101 returns 101 animals',
        '    advice    return at most so many animals as limit asks for',
        '    explains  1 failed: LIST-10; 1 inconclusive: LIST-12',
        '    shown by  limit-101, available',
      ].join('\n'),
    ])
    assert.match(text, /\n\nWithout a common cause\n\n {2}! AUTH-10/)
  })

  it('the rules of a cause have all facts once, and what was expected and received each', () => {
    const second = { ...sampleRule('LIST-10'), id: 'LIST-12', got: 'another thing' }
    const report = pretty(sampleWith([sampleRule('LIST-10'), second]), plain)
    const block = report.split('\n\n').find((part) => part.startsWith('  ✗ LIST-12')) ?? 'none'
    assert.deepEqual(
      block.split('\n').map((line) => line.trim().split(/ {2,}/)[0]),
      ['✗ LIST-12', 'MUST · section 4.1 of the interface', 'expected', 'got', 'again'].map((start) => start),
    )
  })

  it('a terminal report has the reason under an undecided rule, and one line for all rules left out for one reason', () => {
    assert.match(text, /\? LIST-12 .*\n {14}the list is empty/)
    assert.match(text, /· CREATE-1, CREATE-2: not run, profile create was not selected/)
  })

  it('a terminal report lists observations and created animals', () => {
    assert.match(text, /default status \(interface\.md#s2-open-default-status\): available/)
    assert.match(text, /9007199254740993 {2}Rex of run kqzv/)
  })

  it('a terminal report ends with the problems of the run, the counts and the outcome', () => {
    assert.deepEqual(text.split('\n').slice(-7), [
      '1. The parameter limit is ignored: limit=101 returns 101 animals',
      'The run ended early: ended by a 429; wait 30 s and run it again',
      'LIST-1 no longer fails: remove LIST-1 from the known failures (its reason there: was down in April)',
      '2 failed · 1 warned · 1 inconclusive · 2 passed · 1 not applicable · 2 not run (1 known)',
      '4 requests in 0.8 s, 1 animal created',
      '1 cause behind 1 failure: LIST-10',
      '',
    ])
    assert.ok(text.endsWith(prettySummary(sample, plain)))
  })

  it('a terminal report leaves out empty parts', () => {
    const good = pretty(sampleWith([sampleRule('VER-1')], { observations: [], created: [] }), plain)
    assert.doesNotMatch(good, /leaves open|created by this run|known|failed/)
    assert.match(good, /1 passed\n/)
  })

  it('a terminal report fits the columns of the terminal, except for commands, and loses no word but of excerpts', () => {
    const narrow = pretty(sample, { color: false, columns: 50 })
    const lines = narrow.split('\n').filter((line) => /^ +(?!again)\S/.test(line))
    assert.ok(lines.some((line) => line.length > 40))
    for (const line of lines) assert.ok(line.length <= 50, line)
    assert.ok(narrow.includes('\n              100 animals\n'))
    const words = (report: string): string =>
      report.replace(/^ +(?:header|body) .*\n +\^+$/gm, '').replace(/\s+/g, ' ')
    assert.equal(words(narrow), words(text))
  })

  it('a terminal report has colour only on request', () => {
    const styled = pretty(sample, { color: true })
    assert.equal(stripVTControlCharacters(text), text)
    assert.ok(styled.includes('\u001b[31m✗\u001b[39m'))
    assert.equal(stripVTControlCharacters(styled), text)
  })

  it('a terminal report contains no control sequence, line or command of a deployment', () => {
    const held = pretty(sampleHolding('\u001b]0;x\u0007\u009b2J\r\n::error::x ##[add-mask]y'), plain)
    assert.doesNotMatch(held.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    assert.doesNotMatch(held, /^\s*::|##\[/m)
  })
})
