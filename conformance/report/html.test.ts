import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { html } from './html.ts'
import { json } from './json.ts'
import { printable, printableLines } from './printable.ts'
import { sample, sampleHolding, sampleRule, sampleWith } from './testing/sample.ts'

const page = html(sample)

/** The page's text, without tags and styles. */
function textOf(markup: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return markup
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
}

/** Every string, number and member name that has a value of its own, however deep. */
function leaves(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(leaves)
}

describe('the html format', () => {
  for (const [what, report] of [
    ['the sample', sample],
    ['a report full of markup and control characters', sampleHolding('<b>&amp;"\'\u001b\u202e\n2nd')],
  ] as const) {
    it(`holds everything that the JSON of ${what} holds`, () => {
      const text = textOf(html(report))
      for (const leaf of leaves(JSON.parse(json(report)))) {
        const shown = leaf.replaceAll('`', '')
        assert.ok(text.includes(printable(shown)) || text.includes(printableLines(shown)), leaf)
      }
    })
  }

  it('loads nothing, runs nothing, and its policy allows its own style only', () => {
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'")
    assert.equal(
      policy,
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    )
    assert.doesNotMatch(page, /<script|\ssrc=|\sstyle=|\son\w+=|href="(?!#)|url\(|@import/)
  })

  it('follows the reader: light or dark, narrow or wide', () => {
    assert.match(page, /prefers-color-scheme: dark/)
    assert.match(page, /<meta name="viewport" content="width=device-width, initial-scale=1">/)
    assert.match(page, /@media \(max-width/)
  })

  it('has a language, a title, one main, headings in order, and heads for rows and columns', () => {
    assert.match(page, /<html lang="en">/)
    assert.match(page, /<title>Conformance of https:\/\/staging.example.org\/v1<\/title>/)
    assert.equal(page.match(/<main>/g)?.length, 1)
    assert.equal(page.match(/<h1>/g)?.length, 1)
    assert.match(page, /<th scope="row">LIST-10/)
    assert.match(page, /<th scope="col">Verdict/)
  })

  it('folds every exchange, and links lead to them', () => {
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
    assert.ok(targets.length > 0)
    for (const target of targets) assert.ok(page.includes(`<div id="${target}">`), target)
    assert.equal(page.match(/<details>/g)?.length, sample.exchanges.length)
  })

  it('folds the exchanges of a rule where they are many', () => {
    const rule = { ...sampleRule('VER-1'), exchanges: ['a', 'b', 'c', 'd', 'e', 'f'] }
    assert.match(html(sampleWith([rule])), /<summary>6 exchanges<\/summary>a, b, c, d, e, f<\/details>/)
  })

  it('names an exchange that the report does not have without a link', () => {
    const rule = { ...sampleRule('VER-1'), exchanges: ['gone'] }
    assert.match(html(sampleWith([rule])), /Evidence: gone</)
  })

  it('lets no text of a deployment become markup', () => {
    const held = html(sampleHolding('"><script>alert(1)</script><img src=x onerror=y>\u0000'))
    assert.doesNotMatch(held, /<script|<img/)
    assert.doesNotMatch(held.replaceAll('\n', ''), /\p{Cc}/u)
  })

  it('marks the counts that are zero and is calm where all is well', () => {
    const good = html(sampleWith([sampleRule('VER-1')]))
    assert.match(good, /<p class="outcome pass">Every requirement that was judged holds<\/p>/)
    assert.match(good, /<li class="fail zero">/)
    assert.match(html(sampleWith([sampleRule('LIST-1')])), /<p class="outcome warn">/)
  })
})
