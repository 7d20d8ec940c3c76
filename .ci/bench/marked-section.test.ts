import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceSection } from './marked-section.ts'

test('the text between two comments is replaced, and nothing else', () => {
  const text = 'before\n<!-- figures -->\n\nold\n\n<!-- /figures -->\nafter\n'
  const replaced = 'before\n<!-- figures -->\n\nnew\n\n<!-- /figures -->\nafter\n'
  assert.equal(replaceSection(text, 'figures', 'new'), replaced)
  assert.equal(replaceSection(replaced, 'figures', 'new'), replaced)
})

test('a text without the comments is an error that names them', () => {
  assert.throws(() => replaceSection('text', 'figures', 'new'), /<!-- figures -->/)
})
