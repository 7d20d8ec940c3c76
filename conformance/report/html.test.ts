import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import {
  buildTranscript,
  createHeaders,
  scriptJson as jsonBody,
  keyStepIds,
  scriptEach,
} from '../testing/recorded.ts'
import { createSample, createSampleWithText, getSampleRule, sample } from '../testing/sample.ts'
import { toPrintable, toPrintableLines } from '../transcript/printable.ts'
import { formatJson } from './formats.ts'
import { formatHtml } from './html.ts'

const page = formatHtml(sample)

/** Returns the visible text of a page. */
function readText(markup: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return markup
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
}

/** Lists all values in an object. */
function listLeaves(value: unknown): readonly string[] {
  if (typeof value === 'boolean') return []
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(listLeaves)
}

/** Replaces the collapsed blocks of a page. */
function replaceDetails(markup: string): string {
  const folded = markup.replace(/<details(?:(?!<details)[\s\S])*?<\/details>/g, '<folded>')
  return folded === markup ? markup : replaceDetails(folded)
}

describe('an HTML report', () => {
  for (const [what, report] of [
    ['a report', sample],
    ['a report with markup and control characters', createSampleWithText('<b>&amp;"\'\u001b\u202e\n2nd')],
  ] as const) {
    it(`shows every value in ${what}`, () => {
      const pageText = readText(formatHtml(report))
      for (const leaf of listLeaves(JSON.parse(formatJson(report)))) {
        const shownFacts =
          leaf === String(report.durationMs)
            ? `Took${(report.durationMs / 1000).toFixed(1)} s`
            : leaf.replaceAll('`', '')
        assert.ok(
          pageText.includes(toPrintable(shownFacts)) || pageText.includes(toPrintableLines(shownFacts)),
          leaf,
        )
      }
    })
  }

  it('draws parallel requests as bars', () => {
    const report = judge(
      buildTranscript('create', { 'create-together-2': { ms: 3 }, 'create-together-4': { error: 'x' } }),
    )
    const table = /<table class="waterfall">[\s\S]*?<\/table>/.exec(formatHtml(report))?.[0] ?? ''
    assert.match(table, /create-together: 4 requests, 4 in flight together, over 3 ms/)
    const bars = [...table.matchAll(/<rect class="(\w+)" x="(\d+)" y="1" width="(\d+)"/g)].map((bar) =>
      bar.slice(1),
    )
    assert.deepEqual(bars, [
      ['pass', '0', '333'],
      ['pass', '0', '1000'],
      ['pass', '0', '333'],
      ['fail', '0', '4'],
    ])
    assert.doesNotMatch(formatHtml(judge(buildTranscript('read'))), /class="waterfall"/)
  })

  it('loads nothing, and only runs its own script', () => {
    const [style, script] = ['style', 'script'].map((tag) => {
      const content = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? ''
      return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
    })
    const securityPolicy = /Content-Security-Policy" content="([^"]*)"/
      .exec(page)?.[1]
      ?.replaceAll('&#39;', "'")
    assert.equal(
      securityPolicy,
      `default-src 'none'; style-src ${style}; script-src ${script}; base-uri 'none'; form-action 'none'`,
    )
    assert.equal(page.match(/<script/g)?.length, 1)
    assert.doesNotMatch(page, /\ssrc=|\sstyle=|\son\w+=|href="(?!#|interface\.md#)|url\(|@import/)
  })

  it('quotes the statements it links to', () => {
    assert.match(page, /href="#s4-1-list"/)
    assert.match(page, /<p id="s4-1-list">With a valid key, /)
  })

  it('has no broken links', () => {
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g))
      assert.ok(page.includes(`id="${target}"`), target)
  })

  it('starts with the outcome and the causes', () => {
    const [head = '', rest = ''] = page.split('</header>')
    assert.match(head, /<div class="outcome fail"><p>1 cause behind 1 failure<\/p>/)
    for (const target of ['cause-1', 'rules-AUTH-10', 'rules-LIST-4'])
      assert.ok(head.includes(`href="#${target}"`))
    assert.match(
      rest,
      /id="cause-1">[\s\S]*?1 failed: <a href="#rules-RATE-6">.*1 inconclusive: <a href="#rules-LIST-14">/,
    )
  })

  it('has a card for each rule', () => {
    const cards = [...page.matchAll(/data-verdict="([\w-]+)">[\s\S]*?<div id="rules-([^"]+)">/g)]
    assert.deepEqual(
      cards.map(([, verdict, id]) => [id, verdict]).sort(),
      sample.rules.map(({ id, verdict }) => [id, verdict]).sort(),
    )
  })

  it('marks the wrong part in a response', () => {
    assert.match(page, /200 OK, application\/json\nx-ratelimit-reset: <mark>60<\/mark>\n\n\[{&quot;id/)
    assert.match(
      page,
      /200 OK, application\/json\n\n…[^<]*&quot;categoryId&quot;:<mark>null<\/mark>,&quot;status/,
    )
  })

  it('has the same script in every report', () => {
    const [, script = ''] =
      /<script>([\s\S]*?)<\/script>/.exec(formatHtml(createSampleWithText('x</script>y'))) ?? []
    assert.ok(page.includes(`<script>${script}</script>`))
    assert.doesNotMatch(script, /innerHTML|eval|Function\(|document\.write|fetch|XMLHttp|import/)
  })

  it('escapes hostile text', () => {
    const hostileHtml = formatHtml(
      createSampleWithText('"><script>alert(1)</script><img src=x onerror=y>\u0000'),
    )
    assert.doesNotMatch(hostileHtml, /<script>alert|<img/)
    assert.equal(hostileHtml.match(/<script/g)?.length, 1)
  })

  it("shows the outcome's color, and dims zero counts", () => {
    assert.match(formatHtml(createSample([getSampleRule('VER-1')])), /<li class="fail zero">/)
    for (const [id, tone] of [
      ['VER-1', 'pass'],
      ['LIST-14', 'warn'],
      ['LIST-1', 'fail'],
    ] as const)
      assert.ok(formatHtml(createSample([getSampleRule(id)])).includes(`<div class="outcome ${tone}">`), id)
  })
})

it('an HTML report lists failures with the actual statuses', () => {
  const failingReport = judge(
    buildTranscript('read', {
      'no-key-list': jsonBody(200, []),
      'unknown-key-list': { headers: createHeaders({ 'www-authenticate': 'Basic' }), status: 401 },
    }),
  )
  const reportPage = formatHtml(failingReport)
  const [head = ''] = reportPage.split('<main')
  assert.match(
    head,
    /<h2 class="list">Failures<\/h2>\n<ul class="causes"><li><a href="#rules-AUTH-1">AUTH-1<\/a>: 200 instead of 401<\/li>/,
  )
  assert.match(head, /<h2 class="list">Warnings<\/h2>\n<ul class="causes"><li><a href="#rules-AUTH-10">/)
  assert.match(formatHtml(sample), /<h2 class="list">Causes<\/h2>/)
})

it('an HTML report needs few Tab presses while it is collapsed', () => {
  const fullReport = judge(
    buildTranscript(
      'all',
      scriptEach(keyStepIds, {
        headers: createHeaders({ 'x-ratelimit-reset': 'soon', 'content-type': 'text/plain' }),
        status: 500,
      }),
    ),
  )
  // Elements that the Tab key reaches while all blocks are collapsed.
  const visibleHtml = replaceDetails(formatHtml(fullReport))
  const reachableElements =
    visibleHtml.match(/<(?:a href|a class|input|select|button|folded|pre tabindex="0")/g) ?? []
  assert.ok(reachableElements.length < 200, String(reachableElements.length))
  assert.match(visibleHtml, /<a class="skip" href="#main">[\s\S]*<main id="main"/)
})
