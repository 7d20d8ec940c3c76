import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Collects the modules that a file imports, itself and through others, except those of core. */
function importsOf(file: URL, found = new Set<string>()): Set<string> {
  const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  for (const [, module = ''] of code.matchAll(/(?: from |^import )'([^']+)'$/gm)) {
    const isFile = module.startsWith('.')
    const name = isFile ? new URL(module, file).href : module
    if (found.has(name)) continue
    found.add(name)
    if (isFile && !name.includes('/core/')) importsOf(new URL(name), found)
  }
  return found
}

for (const entry of ['redis', 'sqlite', 'postgres'])
  test(`the entry ${entry} imports no module of a platform and no package`, () => {
    const imports = [...importsOf(new URL(`${entry}.ts`, import.meta.url))]
    assert.ok(imports.length > 3, imports.join())
    assert.deepEqual(
      imports.filter((module) => !module.startsWith('file:')),
      [],
    )
  })
