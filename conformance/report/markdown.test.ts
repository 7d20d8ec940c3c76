import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { markdown } from './markdown.ts'
import { sample, sampleHolding, sampleRule, sampleWith } from './testing/sample.ts'

const text = markdown(sample)

const part = (heading: string): string =>
  text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? 'none'

describe('markdown', () => {
  it('a Markdown report begins with the outcome, the deployment and the problems of the run', () => {
    assert.deepEqual(text.split('\n\n').slice(0, 5), [
      '# Pet adoption service: conformance report',
      '**1 cause behind 1 failure: LIST-10**',
      '`https://staging.example.org/v1`',
      '> **The run ended early:** ended by a 429; wait 30 s and run it again',
      '> **LIST-1 no longer fails:** remove LIST-1 from the known failures (its reason there: was down in April)',
    ])
  })

  it('a Markdown report has a table of counts', () => {
    assert.match(text, /\| 2 \| 1 \| 1 \| 2 \| 1 \| 2 \|/)
  })

  it('a Markdown report separates failures, warnings and known failures', () => {
    const cause = part('1. The parameter limit is ignored: limit=101 returns 101 animals')
    assert.match(cause, /### ✗ LIST-10: `limit=101` never[\s\S]*- \*\*got:\*\* 200 with 101 animals/)
    assert.match(cause, /- \*\*again:\*\* `curl -i -H "Authorization: Bearer \$PET_ADOPTION_API_KEY" '/)
    assert.match(part('Warnings'), /### ! AUTH-10/)
    assert.match(part('Known failures'), /### ✗ LIST-4[\s\S]*\*\*known:\*\* old rows, migrated in May/)
  })

  it('a Markdown report has every rule by section, the observations and the created animals', () => {
    for (const { id } of sample.rules) assert.match(part('Rules'), new RegExp(`\\| ${id} \\|`))
    assert.match(part('Rules'), /### 4\.1 List animals/)
    assert.match(
      part('What the interface leaves open'),
      /\| default status \| 2 \| Open: the `status` of an animal that was added without one\. \(interface\.md\\#s2-open-default-status\) \| available \|/,
    )
    assert.match(part('Animals created by this run'), /\| 9007199254740993 \| Rex of run kqzv \|/)
  })

  it('a Markdown report leaves out headings of empty sections', () => {
    const good = markdown(sampleWith([sampleRule('VER-1')], { observations: [], created: [] }))
    assert.deepEqual(good.match(/^## .*/gm), ['## Rules'])
  })

  it('no text of a deployment becomes a tag, a link, an image, emphasis, a cell or a line in Markdown', () => {
    const hostile =
      '<img src=x> [a](http://evil.example) ![b](c) **d** `e` | f\n# g www.evil.example @you &lt; $h$ \u202e'
    const held = markdown(sampleHolding(hostile))
    const outsideCode = held
      .replace(/^ *(`{3,})text\n[\s\S]*?\n *\1$/gm, 'CODE')
      .replace(/\[s[\w-]+\]\(interface\.md#s[\w-]+\)/g, 'LINK')
      .replace(/(`+) ?[^\n]*?[^`\n] ?\1(?!`)/g, 'CODE')
      .replace(/\\[!-/:-@[-`{-~]/g, 'ESCAPED')
    assert.doesNotMatch(outsideCode, /<img|\]\(|!\[|\*\*d|http:\/\/evil|www\.|@you|&lt;|\$h/)
    assert.doesNotMatch(held, /^# g/m)
    assert.doesNotMatch(held.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    for (const row of held.match(/^\| . (fail|pass)( \(known\))? .*$/gm) ?? []) {
      assert.equal(row.replaceAll('\\|', '').split('|').length, 8)
    }
  })

  it('a Markdown report shows the response in a block of code, with carets below what is wrong', () => {
    const block = [
      '- **response:** 200 OK, application/json; charset=utf-8',
      '- **body:**',
      '  ```text',
      '  …{"id":100},{"id":101}]',
      '              ^^^^^^^^^^',
      '  ```',
    ].join('\n')
    assert.ok(text.includes(block), text)
  })

  it('the fence of a block of code is longer than any run of backticks in it', () => {
    const rule = sampleRule('LIST-10')
    const evidence = { exchange: 'list', status: 200, body: { before: '', marked: '````', after: '\n```' } }
    assert.match(
      markdown(sampleWith([{ ...rule, evidence }])),
      /\n {2}`````text\n {2}````\\n```\n {2}\^\^\^\^\n {2}`````\n/,
    )
  })

  it('a Markdown report joins rules that fail alike', () => {
    const rule = sampleRule('AUTH-10')
    const joined = markdown(sampleWith([rule, { ...rule, id: 'AUTH-11', title: 'another rule' }]))
    assert.match(joined, /### ! AUTH-10, AUTH-11\n\n- AUTH-10: a 401 carries .*\n- AUTH-11: another rule\n/)
  })

  it('a Markdown report fences code that contains, begins or ends with backticks', () => {
    const failure = { ...sampleRule('LIST-10'), curl: '`a``b' }
    assert.match(markdown(sampleWith([failure])), /\*\*again:\*\* ``` `a``b ```/)
  })
})
