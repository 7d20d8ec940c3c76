import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// Git lists the sources. Without Git on the machine, the tests pass.
const { stdout } = spawnSync('git', ['ls-files', '*.ts', '*.mjs'], { cwd: root, encoding: 'utf8' })
const files = (stdout ?? '').split('\n').filter((file) => file && existsSync(join(root, file)))

/** Returns each text that the first group of a pattern finds in the sources and that a check rejects. */
function findTexts(pattern: RegExp, isRejected: (text: string) => boolean): string[] {
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return [...source.matchAll(pattern)]
      .filter(({ 1: text = '' }) => isRejected(text.replaceAll(/\s+(?:\*|\/\/) /g, ' ')))
      .map(({ 1: text, index }) => `${file}:${source.slice(0, index).split('\n').length}: ${text}`)
  })
}

describe('the language of the sources', () => {
  it('avoids wordy phrases in comments', () => {
    const wordy = /^\/\*\*\s+Those\b|\b(?:told|tells|anew|besides|in place of|at the most)\b/i
    assert.deepEqual(
      findTexts(/(\/\*\*[\s\S]*?\*\/|^\s*\/\/.*)/gm, (text) => wordy.test(text)),
      [],
    )
  })

  it('keeps test names within 72 characters', () => {
    const isLong = (text: string) => text.replaceAll(/\$\{[^}]*\}/g, 'x').length > 72
    assert.deepEqual(findTexts(/\b(?:it|test|describe)\(\s*['"`]([^\n]*?)['"`],/g, isLong), [])
  })
})
