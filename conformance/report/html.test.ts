import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { sample, sampleHolding, sampleRule, sampleWith } from '../testing/sample.ts'
import { printable, printableLines } from '../transcript/printable.ts'
import { json } from './formats.ts'
import { html } from './html.ts'

const page = html(sample)

/** The text of a page, without tags, styles and the script. */
function textOf(markup: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return markup
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
}

/** Every string, number and other primitive value, however deep. */
function leaves(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(leaves)
}

describe('html', () => {
  for (const [what, report] of [
    ['the sample', sample],
    ['a report full of markup and control characters', sampleHolding('<b>&amp;"\'\u001b\u202e\n2nd')],
  ] as const) {
    it(`an HTML report shows everything that the JSON of ${what} contains`, () => {
      const text = textOf(html(report))
      for (const leaf of leaves(JSON.parse(json(report)))) {
        const shown = leaf === String(report.durationMs) ? 'Took0.7 s' : leaf.replaceAll('`', '')
        assert.ok(text.includes(printable(shown)) || text.includes(printableLines(shown)), leaf)
      }
    })
  }

  it('an HTML report loads no resource, and its policy allows only its own style and its own script', () => {
    const [style, script] = ['style', 'script'].map((tag) => {
      const content = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? ''
      return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
    })
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'")
    assert.equal(
      policy,
      `default-src 'none'; style-src ${style}; script-src ${script}; base-uri 'none'; form-action 'none'`,
    )
    assert.equal(page.match(/<script/g)?.length, 1)
    assert.doesNotMatch(page, /\ssrc=|\sstyle=|\son\w+=|href="(?!#|interface\.md#)|url\(|@import/)
  })

  it('an HTML report has the sentence of each statement that it links to', () => {
    assert.match(page, /href="#s4-1-list"/)
    assert.match(page, /<p id="s4-1-list">With a valid key, /)
  })

  it('every link within an HTML report leads to a part of it', () => {
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g))
      assert.ok(page.includes(`id="${target}"`), target)
  })

  it('an HTML report begins with links to the causes and to the broken rules that have none', () => {
    const [head = '', rest = ''] = page.split('</header>')
    assert.match(head, /<div class="outcome fail"><p>1 cause behind 1 failure<\/p>/)
    for (const target of ['cause-1', 'rules-AUTH-10', 'rules-LIST-4'])
      assert.ok(head.includes(`href="#${target}"`))
    assert.match(
      rest,
      /id="cause-1">[\s\S]*?1 failed: <a href="#rules-RATE-6">.*1 inconclusive: <a href="#rules-LIST-14">/,
    )
  })

  it('an HTML report has every rule once, and folds those that are not broken', () => {
    const cards = [...page.matchAll(/data-verdict="([\w-]+)"( open)?>[\s\S]*?<div id="rules-([^"]+)">/g)]
    assert.deepEqual(
      cards.map(([, verdict, open, id]) => [id, verdict, open !== undefined]).sort(),
      sample.rules.map(({ id, verdict }) => [id, verdict, /fail|warn/.test(verdict)]).sort(),
    )
  })

  it('an HTML report marks the part of the response that breaks a rule', () => {
    assert.match(page, /200 OK, application\/json\nx-ratelimit-reset: <mark>60<\/mark>\n\n\[{&quot;id/)
    assert.match(
      page,
      /200 OK, application\/json\n\n…[^<]*&quot;categoryId&quot;:<mark>null<\/mark>,&quot;status/,
    )
  })

  it('the script of an HTML report contains no text of the report, and no end tag', () => {
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html(sampleHolding('x</script>y'))) ?? []
    assert.ok(page.includes(`<script>${script}</script>`))
    assert.doesNotMatch(script, /innerHTML|eval|Function\(|document\.write|fetch|XMLHttp|import/)
  })

  it('no text of a deployment becomes HTML markup', () => {
    const held = html(sampleHolding('"><script>alert(1)</script><img src=x onerror=y>\u0000'))
    assert.doesNotMatch(held, /<script>alert|<img/)
    assert.equal(held.match(/<script/g)?.length, 1)
  })

  it('an HTML report marks counts of zero, and colours the outcome by the exit code', () => {
    assert.match(html(sampleWith([sampleRule('VER-1')])), /<li class="fail zero">/)
    for (const [id, tone] of [
      ['VER-1', 'pass'],
      ['LIST-14', 'warn'],
      ['LIST-1', 'fail'],
    ] as const)
      assert.ok(html(sampleWith([sampleRule(id)])).includes(`<div class="outcome ${tone}">`), id)
  })
})
