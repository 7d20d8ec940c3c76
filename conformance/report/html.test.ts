import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import { each, headers, json as jsonBody, keyedIds, recorded } from '../testing/recorded.ts'
import { sample, sampleHolding, sampleRule, sampleWith } from '../testing/sample.ts'
import { printable, printableLines } from '../transcript/printable.ts'
import { json } from './formats.ts'
import { html } from './html.ts'

const page = html(sample)

/** The text of a page, without tags, styles and the script. */
function readText(markup: string): string {
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

/** Replaces everything that is folded by one element. */
function fold(markup: string): string {
  const folded = markup.replace(/<details(?:(?!<details)[\s\S])*?<\/details>/g, '<folded>')
  return folded === markup ? markup : fold(folded)
}

describe('html', () => {
  for (const [what, report] of [
    ['the sample', sample],
    ['a report full of markup and control characters', sampleHolding('<b>&amp;"\'\u001b\u202e\n2nd')],
  ] as const) {
    it(`shows everything in the JSON of ${what}`, () => {
      const text = readText(html(report))
      for (const leaf of leaves(JSON.parse(json(report)))) {
        const shown =
          leaf === String(report.durationMs)
            ? `Took${(report.durationMs / 1000).toFixed(1)} s`
            : leaf.replaceAll('`', '')
        assert.ok(text.includes(printable(shown)) || text.includes(printableLines(shown)), leaf)
      }
    })
  }

  it('loads nothing, by a policy for its own style and script', () => {
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

  it('has the sentence of each statement that it links to', () => {
    assert.match(page, /href="#s4-1-list"/)
    assert.match(page, /<p id="s4-1-list">With a valid key, /)
  })

  it('has no link that leads nowhere', () => {
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g))
      assert.ok(page.includes(`id="${target}"`), target)
  })

  it('begins with links to the causes and to the broken rules', () => {
    const [head = '', rest = ''] = page.split('</header>')
    assert.match(head, /<div class="outcome fail"><p>1 cause behind 1 failure<\/p>/)
    for (const target of ['cause-1', 'rules-AUTH-10', 'rules-LIST-4'])
      assert.ok(head.includes(`href="#${target}"`))
    assert.match(
      rest,
      /id="cause-1">[\s\S]*?1 failed: <a href="#rules-RATE-6">.*1 inconclusive: <a href="#rules-LIST-14">/,
    )
  })

  it('has every rule once, folded', () => {
    const cards = [...page.matchAll(/data-verdict="([\w-]+)">[\s\S]*?<div id="rules-([^"]+)">/g)]
    assert.deepEqual(
      cards.map(([, verdict, id]) => [id, verdict]).sort(),
      sample.rules.map(({ id, verdict }) => [id, verdict]).sort(),
    )
  })

  it('marks the part of the response that breaks a rule', () => {
    assert.match(page, /200 OK, application\/json\nx-ratelimit-reset: <mark>60<\/mark>\n\n\[{&quot;id/)
    assert.match(
      page,
      /200 OK, application\/json\n\n…[^<]*&quot;categoryId&quot;:<mark>null<\/mark>,&quot;status/,
    )
  })

  it('has a script without text of the report', () => {
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html(sampleHolding('x</script>y'))) ?? []
    assert.ok(page.includes(`<script>${script}</script>`))
    assert.doesNotMatch(script, /innerHTML|eval|Function\(|document\.write|fetch|XMLHttp|import/)
  })

  it('turns no text of a deployment into markup', () => {
    const held = html(sampleHolding('"><script>alert(1)</script><img src=x onerror=y>\u0000'))
    assert.doesNotMatch(held, /<script>alert|<img/)
    assert.equal(held.match(/<script/g)?.length, 1)
  })

  it('marks counts of zero and colours the outcome', () => {
    assert.match(html(sampleWith([sampleRule('VER-1')])), /<li class="fail zero">/)
    for (const [id, tone] of [
      ['VER-1', 'pass'],
      ['LIST-14', 'warn'],
      ['LIST-1', 'fail'],
    ] as const)
      assert.ok(html(sampleWith([sampleRule(id)])).includes(`<div class="outcome ${tone}">`), id)
  })
})

it('lists causes, failures and warnings with the actual responses', () => {
  const failing = judge(
    recorded('read', {
      'no-key-list': jsonBody(200, []),
      'unknown-key-list': { headers: headers({ 'www-authenticate': 'Basic' }), status: 401 },
    }),
  )
  const page = html(failing)
  const [head = ''] = page.split('<main')
  assert.match(
    head,
    /<h2 class="list">Failures<\/h2>\n<ul class="causes"><li><a href="#rules-AUTH-1">AUTH-1<\/a>: 200 instead of 401<\/li>/,
  )
  assert.match(head, /<h2 class="list">Warnings<\/h2>\n<ul class="causes"><li><a href="#rules-AUTH-10">/)
  assert.match(html(sample), /<h2 class="list">Causes<\/h2>/)
})

it('has a skip link and fewer than 200 focusable elements', () => {
  const all = judge(
    recorded(
      'all',
      each(keyedIds, {
        headers: headers({ 'x-ratelimit-reset': 'soon', 'content-type': 'text/plain' }),
        status: 500,
      }),
    ),
  )
  // folded content is out of reach
  const visible = fold(html(all))
  const reachable = visible.match(/<(?:a href|a class|input|select|button|folded|pre tabindex="0")/g) ?? []
  assert.ok(reachable.length < 200, String(reachable.length))
  assert.match(visible, /<a class="skip" href="#main">[\s\S]*<main id="main"/)
})
