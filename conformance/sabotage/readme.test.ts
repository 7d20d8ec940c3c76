import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { figures } from './figures.ts'

test('the README tells how thoroughly the suite is tried', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const figure of Object.values(figures))
    assert.ok(readme.includes(` ${figure.toLocaleString('en')} `), `${figure}`)
})
