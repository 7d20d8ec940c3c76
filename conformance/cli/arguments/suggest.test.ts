import assert from 'node:assert/strict'
import { it } from 'node:test'
import { suggest } from './suggest.ts'

const words = ['key', 'skip', 'profile', 'plan']

for (const [word, suggestion] of [
  ['kye', 'key'],
  ['profil', 'profile'],
  ['skipp', 'skip'],
  ['pla', 'plan'],
  ['plain', 'plan'],
  ['frobnicate', undefined],
  ['', undefined],
] as const) {
  it(`the suggestion for ${JSON.stringify(word)} is ${suggestion ?? 'none'}`, () => {
    assert.equal(suggest(word, words), suggestion)
  })
}
