import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commaSeparated, Html, html, markdown } from './html.ts'

describe('html', () => {
  it('a template escapes strings in content and in attributes', () => {
    const hostile = `<script>"'&`
    const escaped = '&lt;script&gt;&quot;&#39;&amp;'
    assert.equal(html`<p title="${hostile}">${hostile}</p>`.text, `<p title="${escaped}">${escaped}</p>`)
  })

  it('a template leaves HTML unescaped', () => {
    assert.equal(html`<p>${html`<b>${1}</b>`}${new Html('<i></i>')}</p>`.text, '<p><b>1</b><i></i></p>')
  })

  it('a template joins nested lists and leaves out absent values', () => {
    assert.equal(html`${['a', ['<', undefined, false, 0]]}.`.text, 'a&lt;0.')
  })
})

describe('markdown', () => {
  it('Markdown becomes paragraphs of blocks, and code of text between backticks', () => {
    assert.equal(
      markdown('Use `a<b`.\n\nThen rest.').text,
      '<p>Use <code>a&lt;b</code>.</p><p>Then rest.</p>',
    )
  })
})

describe('commaSeparated', () => {
  it('a list in words has a comma between each two', () => {
    assert.equal(html`${commaSeparated([html`a`, html`b`])}`.text, 'a, b')
  })
})
