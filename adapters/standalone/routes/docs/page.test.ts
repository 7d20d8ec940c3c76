import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { errors, operations, plans } from '../../../../core/index.ts'
import { openapi } from '../../../../core/openapi.ts'
import { type HtmlValue, html, inline } from './html.ts'
import { docsPage } from './page.ts'

const { rawHeaders, body } = docsPage(openapi({ basePath: '/animals/v1' }), '/animals/v1')
const page = String(body)

test('a template escapes strings, joins lists, and leaves out absent values', () => {
  const hostile = `<script>"'&`
  const escaped = '&lt;script&gt;&quot;&#39;&amp;'
  assert.equal(html`<p title="${hostile}">${hostile}</p>`.markup, `<p title="${escaped}">${escaped}</p>`)
  const list: HtmlValue = [html`<b>${1}</b>`, ['<', undefined, false, 0], { markup: '<i>' }]
  assert.equal(html`${list}`.markup, '<b>1</b>&lt;0<i>')
  assert.equal(html`${inline('Use `a<b`.')}`.markup, 'Use <code>a&lt;b</code>.')
})

test('the documentation page shows every operation, parameter and plan, and until when what is deprecated', () => {
  for (const { id, method, path, summary, parameters } of operations) {
    assert.ok(page.includes(`id="${id}-title">${summary}<`), id)
    for (const { name, in: place } of parameters)
      assert.ok(page.includes(`name="${name}" data-in="${place}"`), name)
    assert.ok(page.includes(`data-method="${method}" data-path="/animals/v1${path}"`), id)
  }
  assert.match(page, /name="petId" data-in="path" required/)
  assert.match(page, /class="notice">Deprecated:.* To be removed on 2030-12-05\./)
  for (const [plan, { minute, day }] of Object.entries(plans)) {
    const [perMinute, perDay] = [minute, day].map((limit) => limit.toLocaleString('en'))
    assert.ok(page.includes(`<th scope="row">${plan}</th><td>${perMinute}</td><td>${perDay}</td>`), plan)
  }
})

test('the documentation page describes every error once, and links to no other', () => {
  for (const code of Object.keys(errors)) assert.equal(page.split(`id="error-${code}"`).length, 2, code)
  for (const [, anchor = ''] of page.matchAll(/href="#([^"]+)"/g))
    assert.equal(page.split(`id="${anchor}"`).length, 2, anchor)
})

test('the documentation page loads nothing, and its policy allows its own script and style alone', () => {
  let markup = page
  const sources = ['script', 'style'].map((tag) => {
    const [, content = '', ...others] = page.split(new RegExp(`</?${tag}[^>]*>`))
    assert.equal(others.length, 1, tag)
    assert.doesNotMatch(tag === 'style' ? content : '', /url\(|@import/)
    markup = markup.replace(content, '')
    return `${tag}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`
  })
  assert.doesNotMatch(markup, /\ssrc=|<link|<img|\sstyle=|\son[a-z]+=/)
  const headerOf = (name: string) => rawHeaders[rawHeaders.indexOf(name) + 1]
  assert.deepEqual(headerOf('Content-Security-Policy')?.split('; '), [
    "default-src 'none'",
    ...sources,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ])
  assert.equal(headerOf('X-Content-Type-Options'), 'nosniff')
  assert.equal(headerOf('Referrer-Policy'), 'no-referrer')
})
