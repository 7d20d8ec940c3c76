import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../testing/parts.ts'

const page = readFileSync(join(root, 'adapters/TROUBLES.md'), 'utf8')
const [, errors = ''] = page.split('\n## Errors of the library\n')
const messages = errors
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((row) => [...(row.split(' | ', 1)[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))

const skipped = ['node_modules', 'examples', 'testing']

/** Returns the sources below a folder, but tests and examples. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(({ name }) => {
    const path = join(folder, name)
    if (skipped.includes(name)) return []
    if (statSync(join(root, path)).isDirectory()) return sourcesIn(path)
    return name.endsWith('.ts') && !name.endsWith('.test.ts') ? [path] : []
  })
}

/** The text of all sources, with `…` for the expressions in their templates. */
const sources = [...sourcesIn('core'), ...sourcesIn('adapters')]
  .map((path) => readFileSync(join(root, path), 'utf8').replaceAll(/\$\{[^}]*\}/g, '…'))
  .join('\n')

test('the page of troubles has no message that no source has', () => {
  assert.ok(messages.length > 30)
  const parts = messages.flatMap((message) => message.split('…').map((part) => part.trim()))
  const unknown = parts.filter((part) => part.length > 3 && !sources.includes(part))
  assert.deepEqual(unknown, [])
})
