import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { after, test } from 'node:test'

/** The scripts are JavaScript, without types. */
const imported = async (script: string) => import(new URL(script, import.meta.url).href)
const { reachable, slashed } = await imported('package/reachable.mjs')
const { createEntry, isEndToEnd } = await imported('test-files.mjs')
const { resolveCommand } = await imported('command.mjs')

const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-windows-'))
after(() => rmSync(folder, { recursive: true }))

test('the build keeps each reachable file, with either separator of paths', () => {
  const modules = { 'main.js': "import './a/part.js'\n", 'a/part.js': '', 'a/part.d.ts': '', 'main.d.ts': '' }
  for (const [name, text] of Object.entries(modules))
    writeFileSync(join(folder, name.replace('/', '-')), text.replace('./a/part.js', './a-part.js'))
  const manifest = { exports: { '.': './main.js' }, bin: { program: 'main.js' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const needed = reachable(folder)
  const built = ['main.js', 'a-part.js'].map((name) => slashed(win32.join('.', name), win32.sep))
  assert.deepEqual(
    built.filter((path) => !needed.has(path)),
    [],
  )
  assert.equal(slashed(win32.join('dist', 'adapters', 'main.js'), win32.sep), 'dist/adapters/main.js')
})

test('test files are imported by URL, from a drive and from below any folder', () => {
  const entry = createEntry(['C:\\my #1 checkout\\core\\x.test.ts'], { windows: true })
  assert.match(entry, /"file:\/\/\/C:\/my%20%231%20checkout\/core\/x\.test\.ts"/)
  assert.ok(isEndToEnd(win32.join('adapters', 'x.e2e.test.ts')))
})

test('npm and npx run in the shell of Windows, each argument quoted', () => {
  assert.deepEqual(resolveCommand('npm', ['pack', 'C:\\my folder'], 'win32'), [
    '"npm" "pack" "C:\\my folder"',
    [],
    { shell: true },
  ])
  assert.deepEqual(resolveCommand('node', ['a b'], 'win32'), ['node', ['a b'], {}])
  assert.deepEqual(resolveCommand('npx', ['tsc'], 'linux'), ['npx', ['tsc'], {}])
})
