import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const wordy =
  /(?<!there )\b(?:is|are|was|be) (?:no|none)\b(?! longer| more)|\b(?:told|tells|anew|besides?|in place of|at the most)\b/i
const opening = /^(?:What|How|Whether|Those|That|When|Why)\b/

type Place = { readonly at: string; readonly text: string }

/** Returns the texts that a pattern finds in the sources, with its first group as the text. */
function findAll(files: readonly string[], pattern: RegExp, clean = (text: string): string => text): Place[] {
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return [...source.matchAll(pattern)].map(({ 1: text = '', index }) => ({
      at: `${file}:${source.slice(0, index).split('\n').length}`,
      text: clean(text),
    }))
  })
}

const assertNone = (places: readonly Place[]) =>
  assert.equal(places.map(({ at, text }) => `${at}: ${text}`).join('\n'), '')
const withoutStars = (comment: string) =>
  comment
    .replaceAll(/^\s*(?:\*|\/\/) ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
const withoutCode = (text: string) => text.replaceAll(/`[^`]*`/g, '`x`')

// Without Git on the machine there is nothing to read.
const { stdout } = spawnSync('git', ['ls-files', '*.ts', '*.mjs'], { cwd: root, encoding: 'utf8' })
const tracked = stdout?.split('\n').filter(Boolean) ?? []
const sources = tracked.filter((file) => existsSync(join(root, file)) && file !== '.ci/prose.test.ts')
const tests = sources.filter((file) => /\.test\.ts$|\/testing\//.test(file))

describe('the language of the sources', () => {
  const docs = findAll(sources, /\/\*\*([\s\S]*?)\*\//g, withoutStars)
  const comments = [...docs, ...findAll(sources, /((?:^\s*\/\/.*\n)+)/gm, withoutStars)]
  const names = findAll(tests, /\b(?:it|test|describe)\(\s*['"`]([^\n]*?)['"`],/g)

  it('opens doc comments with a noun or a verb', () =>
    assertNone(docs.filter(({ text }) => opening.test(text))))

  it('avoids wordy phrases in comments', () =>
    assertNone(comments.filter(({ text }) => wordy.test(withoutCode(text)))))

  it('avoids wordy phrases in test names', () => assertNone(names.filter(({ text }) => wordy.test(text))))

  it('keeps test names short', () =>
    assertNone(names.filter(({ text }) => text.replaceAll(/\$\{[^}]*\}/g, 'x').length > 72)))
})
