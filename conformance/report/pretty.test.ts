import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { pretty } from './pretty.ts'
import { prettySummary } from './pretty-summary.ts'
import { sample, sampleHolding, sampleRule, sampleWith } from './testing/sample.ts'

const plain = { color: false }
const text = pretty(sample, plain)

describe('the pretty format', () => {
  it('has failures first, then warnings, then known failures, then every rule', () => {
    const places = [/✗ LIST-10 {2}/, /! AUTH-10 {2}/, /✗ LIST-4 {2}/, /^4\.1 List/m, /✓ VER-1/].map((part) =>
      text.search(part),
    )
    assert.ok(places.every((place) => place > 0))
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    )
  })

  it('shows of a failure its place in the spec, what was expected, what came, and the command', () => {
    const block = text.split('\n\n').find((part) => part.includes('✗ LIST-10  '))
    assert.equal(
      block,
      [
        '  ✗ LIST-10   `limit=101` never yields more than 100 animals',
        '    MUST · section 4.1 of the interface',
        '    expected  at most 100 animals, or a 4xx',
        '    got       200 with 101 animals',
        '    statement interface.md#s4-1-limit-maximum',
        '    exchanges limit-101, list',
        '    again     curl -i -H "Authorization: Bearer $PET_ADOPTION_API_KEY" \'https://staging.example.org/v1/pets?limit=101\'',
      ].join('\n'),
    )
  })

  it('gives the reason under what could not be judged, and one line to rules left out for one reason', () => {
    assert.match(text, /\? LIST-12 .*\n {14}the list is empty, so it shows no filter/)
    assert.match(text, /· CREATE-1, CREATE-2: not run, profile create was not asked for/)
  })

  it('lists observations and created animals', () => {
    assert.match(text, /default status \(interface\.md#s2-open-default-status\): available/)
    assert.match(text, /9007199254740993 {2}Rex of run kqzv/)
  })

  it('ends with the problems of the run, the counts and the outcome', () => {
    assert.deepEqual(text.split('\n').slice(-6), [
      'The run ended early: a 429 came, so nothing more was sent; wait 30 s and run it again',
      'LIST-1 no longer fails: remove LIST-1 from the known failures (its reason there: was down in April)',
      '2 failed · 1 warned · 1 inconclusive · 2 passed · 1 not applicable · 2 not run (1 known)',
      '4 requests in 0.8 s, 1 animal created',
      '1 requirement of the interface broken: LIST-10',
      '',
    ])
    assert.ok(text.endsWith(prettySummary(sample, plain)))
  })

  it('leaves out what there is nothing to say of', () => {
    const good = pretty(sampleWith([sampleRule('VER-1')], { observations: [], created: [] }), plain)
    assert.doesNotMatch(good, /leaves open|created by this run|known|failed/)
    assert.match(good, /1 passed\n/)
  })

  it('wraps within the columns of a terminal, but for commands, and loses no word', () => {
    const narrow = pretty(sample, { color: false, columns: 50 })
    const lines = narrow.split('\n').filter((line) => /^ +(?!again)\S/.test(line))
    assert.ok(lines.some((line) => line.length > 40))
    for (const line of lines) assert.ok(line.length <= 50, line)
    assert.ok(narrow.includes('\n              100 animals\n'))
    assert.equal(narrow.replace(/\s+/g, ' '), text.replace(/\s+/g, ' '))
  })

  it('has colour only where it is asked for', () => {
    const styled = pretty(sample, { color: true })
    assert.equal(stripVTControlCharacters(text), text)
    assert.ok(styled.includes('\u001b[31m✗\u001b[39m'))
    assert.equal(stripVTControlCharacters(styled), text)
  })

  it('lets no control sequence, line or command of a deployment through', () => {
    const held = pretty(sampleHolding('\u001b]0;x\u0007\u009b2J\r\n::error::x ##[add-mask]y'), plain)
    assert.doesNotMatch(held.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    assert.doesNotMatch(held, /^\s*::|##\[/m)
  })
})
