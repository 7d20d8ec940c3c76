import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sha1 } from './sha1.ts'

test('the hash of a text of any length is that of node:crypto', () => {
  for (let length = 0; length < 300; length++) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode((i * 37 + length) % 128)).join('')
    assert.equal(sha1(text), createHash('sha1').update(text).digest('hex'), `${length} characters`)
  }
})
