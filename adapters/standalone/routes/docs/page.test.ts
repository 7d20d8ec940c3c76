import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { errors, operations, petStatuses, plans } from '../../../../core/index.ts'
import { openapi } from '../../../../core/openapi.ts'
import { formatInlineCode, type HtmlValue, html } from './html.ts'
import { createDocsPage } from './page.ts'

const { rawHeaders, body } = createDocsPage(operations, openapi(), '/animals/v1')
const page = String(body)

describe('HTML templates', () => {
  it('escape strings, and keep markup', () => {
    const hostile = `<script>"'&`
    const escaped = '&lt;script&gt;&quot;&#39;&amp;'
    assert.equal(html`<p title="${hostile}">${hostile}</p>`.markup, `<p title="${escaped}">${escaped}</p>`)
    const list: HtmlValue = [html`<b>${1}</b>`, ['<', undefined, false, 0], { markup: '<i>' }]
    assert.equal(html`${list}`.markup, '<b>1</b>&lt;0<i>')
    assert.equal(html`${formatInlineCode('Use `a<b`.')}`.markup, 'Use <code>a&lt;b</code>.')
  })
})

describe('the documentation page', () => {
  it('has a form for each operation, and shows plan limits', () => {
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

  it('has a target for every link', () => {
    for (const code of Object.keys(errors)) assert.equal(page.split(`id="error-${code}"`).length, 2, code)
    for (const [, anchor = ''] of page.matchAll(/href="#([^"]+)"/g))
      assert.equal(page.split(`id="${anchor}"`).length, 2, anchor)
  })

  it('allows only its own script and style', () => {
    let markup = page
    const sources = ['script', 'style'].map((tag) => {
      const [, content = '', ...others] = page.split(new RegExp(`</?${tag}[^>]*>`))
      assert.equal(others.length, 1, tag)
      assert.doesNotMatch(tag === 'style' ? content : '', /url\(|@import/)
      markup = markup.replace(content, '')
      return `${tag}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`
    })
    assert.doesNotMatch(markup, /\ssrc=|<link rel="(?!icon")|<img|\sstyle=|\son[a-z]+=/)
    const readHeader = (name: string) => rawHeaders[rawHeaders.indexOf(name) + 1]
    assert.deepEqual(readHeader('Content-Security-Policy')?.split('; '), [
      "default-src 'none'",
      ...sources,
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    assert.equal(readHeader('X-Content-Type-Options'), 'nosniff')
    assert.equal(readHeader('Referrer-Policy'), 'no-referrer')
  })
})

describe('the documentation page', () => {
  it('sorts errors by status', () => {
    const statuses = [...page.matchAll(/id="error-\w+">.*?class="status s\d">(\d+)</g)].map(
      ([, status]) => status,
    )
    assert.equal(statuses.length, Object.keys(errors).length)
    assert.deepEqual(statuses, statuses.toSorted())
  })

  it('has a sample for every response', () => {
    for (const { id, success, errors: codes } of operations) {
      const withBody = success.schema ? [success.status] : []
      const statuses = new Set([...withBody, ...codes.map((code) => errors[code].status)])
      for (const status of statuses)
        assert.ok(page.includes(`Sample body of ${id} with ${status}`), `${id} ${status}`)
    }
    assert.ok(page.includes('&quot;categoryId&quot;: 3,\n'))
  })

  it('describes every schema member', () => {
    const [, ...schemas] = page.split('id="schema-')
    assert.deepEqual(
      schemas.map((text) => text.split('"', 1)[0]),
      ['Pet', 'NewPet', 'Error'],
    )
    const [pet = '', newPet = '', error = ''] = schemas
    for (const name of ['id', 'name', 'categoryId', 'status'])
      assert.ok(pet.includes(`<code>${name}</code>`), name)
    for (const status of petStatuses) assert.ok(newPet.includes(`<code>${status}</code>`), status)
    for (const code of Object.keys(errors)) assert.ok(error.includes(`<code>${code}</code>`), code)
  })

  it('shows the configured maximum name length', () => {
    const { body } = createDocsPage(operations, openapi({ maxNameLength: 40 }), '/v1')
    assert.match(String(body), /at most 40 characters/)
  })

  it('has a curl command for each method', () => {
    const source = /function curl\([\s\S]*?\n}\n/.exec(page)?.[0] ?? ''
    const curl = new Function('location', `${source} return curl`)({ origin: 'http://a' })
    assert.match(curl('/v1/pets', { method: 'GET', headers: {} }), /^curl 'http:/)
    assert.match(curl('/v1/pets', { method: 'POST', headers: {}, body: '{}' }), /^curl 'http:/)
    assert.match(curl('/v1/pets/1', { method: 'DELETE', headers: {} }), /^curl -X DELETE 'http:/)
    assert.match(curl('/v1/pets/1', { method: 'PUT', headers: {}, body: '{}' }), /^curl -X PUT 'http:/)
  })

  it('indents JSON without changing numbers', () => {
    const source = /function indented\([\s\S]*?\n}\n/.exec(page)?.[0] ?? ''
    const indented = new Function(`${source} return indented`)()
    const text = '[{"id":9007199254740993,"name":"a, [b]: \\"{c}\\"","tags":[],"more":{}}]'
    const expected =
      '[\n  {\n    "id": 9007199254740993,\n    "name": "a, [b]: \\"{c}\\"",\n    "tags": [],\n    "more": {}\n  }\n]'
    assert.equal(indented(text), expected)
    assert.equal(indented(''), '')
  })
})
