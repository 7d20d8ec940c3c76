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
        const shown = leaf === String(report.durationMs) ? 'Took0.8 s' : leaf.replaceAll('`', '')
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
    assert.match(
      page,
      /<p id="s4-1-limit-maximum"><code>limit=100<\/code> is valid, and returns at most 100 animals\. No value/,
    )
    assert.match(page, /href="#s4-1-limit-maximum"/)
  })

  it('an HTML report of a run that exits with 3 is not coloured as a success', () => {
    const open = { ...sampleRule('VER-1'), verdict: 'inconclusive' as const }
    assert.match(
      html(sampleWith([open])),
      /<div class="outcome warn"><p>Nothing broken, but 1 requirement could/,
    )
  })

  it('every link within an HTML report leads to a part of it', () => {
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g))
      assert.ok(page.includes(`id="${target}"`), target)
  })

  it('an HTML report begins with the causes, and has the rules of each below it', () => {
    assert.match(
      page,
      /<div class="outcome fail"><p>1 cause behind 1 failure<\/p><ol class="causes"><li><a href="#cause-1">/,
    )
    const cause = page.split('id="cause-1"')[1]?.split('</section>')[0] ?? ''
    assert.match(cause, /1 failed: LIST-10<\/li><li>1 inconclusive: LIST-12/)
    assert.match(cause, /<details class="card fail" data-verdict="fail" open><summary><h3>[\s\S]*LIST-10/)
  })

  it('an HTML report marks the part of the response that breaks a rule', () => {
    assert.match(
      page,
      /200 OK, application\/json; charset=utf-8\n\n…{&quot;id&quot;:100},<mark>{&quot;id&quot;:101}<\/mark>]<\/pre>/,
    )
    assert.match(page, /401 Unauthorized, no content type\nwww-authenticate: <mark>Basic<\/mark>/)
  })

  it('the script of an HTML report contains no text of the report, and no end tag', () => {
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html(sampleHolding('x</script>y'))) ?? []
    assert.ok(page.includes(`<script>${script}</script>`))
    assert.doesNotMatch(script, /innerHTML|eval|Function\(|document\.write|fetch|XMLHttp|import/)
  })

  it('an HTML report folds every exchange and links to it', () => {
    const targets = [...page.matchAll(/href="#(exchange-[^"]+)"/g)].map(([, target]) => target)
    assert.ok(targets.length > 0)
    for (const target of targets) assert.ok(page.includes(`<div id="${target}">`), target)
    assert.equal(page.match(/<details>/g)?.length, sample.exchanges.length)
  })

  it('an HTML report folds the list of exchanges of a rule with many', () => {
    const rule = { ...sampleRule('VER-1'), exchanges: ['a', 'b', 'c', 'd', 'e', 'f'] }
    assert.match(html(sampleWith([rule])), /<summary>6 exchanges<\/summary>a, b, c, d, e, f<\/details>/)
  })

  it('no text of a deployment becomes HTML markup', () => {
    const held = html(sampleHolding('"><script>alert(1)</script><img src=x onerror=y>\u0000'))
    assert.doesNotMatch(held, /<script>alert|<img/)
    assert.equal(held.match(/<script/g)?.length, 1)
  })

  it('an HTML report marks counts of zero and colours the outcome by the verdicts', () => {
    const good = html(sampleWith([sampleRule('VER-1')]))
    assert.match(good, /<div class="outcome pass"><p>Every requirement that was judged holds<\/p>/)
    assert.match(good, /<li class="fail zero">/)
    assert.match(html(sampleWith([sampleRule('LIST-1')])), /<div class="outcome warn">/)
  })
})
