import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { errors, operations, plans } from '../../../../core/index.ts'
import { Html, html, inline } from './html.ts'
import { docsPage } from './page.ts'

const pageOf = (basePath = '/v1') => String(docsPage(basePath).body)

function headerOf(name: string): string {
  const { headers } = docsPage('/v1')
  return headers[headers.indexOf(name) + 1] ?? ''
}

/** What stands between the tags of an element that is there once. */
function contentOf(page: string, tag: string): string {
  const [, content = '', ...others] = page.split(new RegExp(`</?${tag}[^>]*>`))
  assert.equal(others.length, 1, tag)
  return content
}

describe('the documentation page', () => {
  it('a template escapes strings, joins lists, and leaves out absent values', () => {
    const hostile = `<script>"'&`
    const escaped = '&lt;script&gt;&quot;&#39;&amp;'
    assert.equal(html`<p title="${hostile}">${hostile}</p>`.text, `<p title="${escaped}">${escaped}</p>`)
    assert.equal(
      html`${[html`<b>${1}</b>`, ['<', undefined, false, 0], new Html('<i>')]}`.text,
      '<b>1</b>&lt;0<i>',
    )
    assert.equal(html`${inline('Use `a<b`.')}`.text, 'Use <code>a&lt;b</code>.')
  })

  it('the documentation page shows every operation at its address, with each parameter', () => {
    const page = pageOf('/animals/v1')
    for (const { id, method, path, summary, parameters } of operations) {
      assert.ok(page.includes(`id="${id}-title">${summary}<`), id)
      for (const { name, in: place } of parameters)
        assert.ok(page.includes(`name="${name}" data-in="${place}"`), name)
      assert.ok(page.includes(`data-method="${method}" data-path="/animals/v1${path}"`), id)
    }
    assert.match(page, /name="petId" data-in="path" required/)
  })

  it('the documentation page describes every error once, and links to no other', () => {
    const page = pageOf()
    for (const code of Object.keys(errors)) assert.equal(page.split(`id="error-${code}"`).length, 2, code)
    for (const [, anchor = ''] of page.matchAll(/href="#([^"]+)"/g)) {
      assert.equal(page.split(`id="${anchor}"`).length, 2, anchor)
    }
  })

  it('the documentation page groups errors by operation, in the order of its sections, without an empty group', () => {
    const [, section = ''] = pageOf().split('id="errors-title"')
    const [first, ...groups] = section.split('<h3>')
    assert.ok(first)
    const titles = ['Every operation', ...operations.map(({ summary }) => summary), 'Other paths and methods']
    const shown = groups.map((group) => group.split('<')[0] ?? '')
    assert.deepEqual(
      shown,
      titles.filter((title) => shown.includes(title)),
    )
    assert.ok(shown.length > 3)
    for (const group of groups) assert.match(group, /id="error-/)
  })

  it('the documentation page shows the limits of every plan', () => {
    const page = pageOf()
    for (const [plan, { minute, day }] of Object.entries(plans)) {
      const row = `<th scope="row">${plan}</th><td>${minute.toLocaleString('en')}</td><td>${day.toLocaleString('en')}</td>`
      assert.ok(page.includes(row), plan)
    }
    assert.match(page, /enterprise/)
  })

  it('the documentation page shows what is deprecated until when', () => {
    assert.match(pageOf(), /class="notice">Deprecated:.* To be removed on 2030-12-05\./)
  })

  it('the documentation page loads nothing, and has no script or style besides those of its policy', () => {
    const page = pageOf()
    const markup = page.replace(contentOf(page, 'script'), '').replace(contentOf(page, 'style'), '')
    assert.doesNotMatch(markup, /\ssrc=|<link|<img|\sstyle=|\son[a-z]+=/)
    assert.doesNotMatch(contentOf(page, 'style'), /url\(|@import/)
    const policy = headerOf('Content-Security-Policy')
    for (const tag of ['script', 'style']) {
      const hash = createHash('sha256').update(contentOf(page, tag)).digest('base64')
      assert.ok(policy.includes(`${tag}-src 'sha256-${hash}'`), tag)
    }
  })

  it('the documentation page has a policy that forbids everything else', () => {
    const policy = headerOf('Content-Security-Policy')
    const directives = policy.split('; ').filter((directive) => !directive.includes('sha256'))
    assert.deepEqual(directives, [
      "default-src 'none'",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    assert.equal(headerOf('X-Content-Type-Options'), 'nosniff')
    assert.equal(headerOf('Referrer-Policy'), 'no-referrer')
    assert.equal(headerOf('Content-Type'), 'text/html; charset=utf-8')
  })
})
