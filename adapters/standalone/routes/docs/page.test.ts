import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { errors, operations, plans } from '../../../../core/index.ts'
import { openapi } from '../../../../core/openapi.ts'
import { Html, html, markdown } from './html.ts'
import { docsPage } from './page.ts'

function pageOf(options?: Parameters<typeof openapi>[0]): string {
  return String(docsPage(openapi(options)).body)
}

function headerOf(name: string): string {
  const { headers } = docsPage(openapi())
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
    assert.equal(markdown('Use `a<b`.\n\nThen.').text, '<p>Use <code>a&lt;b</code>.</p><p>Then.</p>')
  })

  it('the documentation page shows every operation at its address, with each parameter', () => {
    const page = pageOf({ basePath: '/animals/v1' })
    const described = Object.values(openapi().paths).flatMap((path) => Object.values(path))
    for (const { operationId, summary } of described)
      assert.ok(page.includes(`id="${operationId}-title">${summary}<`), operationId)
    for (const { id, method, path } of operations) {
      assert.ok(page.includes(`id="${id}"`), id)
      assert.ok(page.includes(`data-method="${method}" data-path="/animals/v1${path}"`), id)
    }
    for (const name of ['limit', 'status', 'after'])
      assert.ok(page.includes(`data-in="query"`) && page.includes(`name="${name}"`))
    assert.match(page, /name="petId" data-in="path" required/)
  })

  it('the documentation page finds the operations of a service that has no base path', () => {
    assert.match(pageOf({ basePath: '' }), /data-path="\/pets"/)
  })

  it('the documentation page describes every error once, and links to no other', () => {
    const page = pageOf()
    for (const code of Object.keys(errors)) assert.equal(page.split(`id="error-${code}"`).length, 2, code)
    for (const [, anchor = ''] of page.matchAll(/href="#([^"]+)"/g)) {
      assert.equal(page.split(`id="${anchor}"`).length, 2, anchor)
    }
  })

  it('the documentation page groups errors by operation, under the title and in the order of its sections', () => {
    const { paths } = openapi()
    const summaries = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ summary }) => summary),
    )
    const [, section = ''] = pageOf().split('id="errors-title"')
    const headings = [...(section.split('</section>')[0] ?? '').matchAll(/<h3>([^<]+)</g)].map(
      ([, title]) => title,
    )
    assert.deepEqual(headings, ['Every operation', ...summaries, 'Other paths and methods'])
  })

  it('the documentation page names one length of an Idempotency-Key', () => {
    assert.doesNotMatch(pageOf(), /257/)
  })

  it('the documentation page shows the limits of every plan', () => {
    const page = pageOf()
    for (const [plan, { minute, day }] of Object.entries(plans)) {
      const row = `<th scope="row">${plan}</th><td>${minute.toLocaleString('en')}</td><td>${day.toLocaleString('en')}</td>`
      assert.ok(page.includes(row), plan)
    }
    assert.match(page, /enterprise/)
  })

  it('the documentation page shows what is deprecated until when, and what may change', () => {
    assert.match(pageOf(), /class="notice">Deprecated:.* To be removed on 2030-12-05\./)
    assert.doesNotMatch(pageOf(), /beta/)
    assert.match(pageOf({ stability: { createPet: 'beta' } }), /class="tag">beta</)
  })

  it('the documentation page labels every field', () => {
    const page = pageOf()
    const fields = [...page.matchAll(/<(?:input|select|textarea) id="([^"]+)"/g)]
    assert.equal(fields.length, 7)
    for (const [, id = ''] of fields) assert.ok(page.includes(`<label for="${id}">`), id)
  })

  it('the documentation page does not let a browser remember the key', () => {
    assert.match(pageOf(), /<input id="key" type="password" autocomplete="off"/)
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
