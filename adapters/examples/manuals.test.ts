import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { buildSync } from 'esbuild'
import { root } from './testing/parts.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const { files, exports }: PackageManifest = JSON.parse(textOf('package.json'))
/** The manuals of the package, as paths from its root. */
const manuals = ['README.md', ...files.filter((path) => path.endsWith('.md'))]
const recipes = 'adapters/README.md'

interface PackageManifest {
  readonly files: readonly string[]
  readonly exports: Readonly<Record<string, string>>
}

/** The TypeScript blocks of a manual, each with the path in the comment before it. */
function blocksOf(manual: string) {
  const found = textOf(manual).matchAll(/^(?:<!-- (\S+) -->\n)?```ts\n([\s\S]*?)^```$/gm)
  return [...found].map(([block, path = '', code = '']) => ({ block, path, code }))
}

for (const manual of manuals) {
  test(`every TypeScript block of ${manual} is an example, word for word: node .ci/readme.mjs copies them`, () => {
    for (const { block, path, code } of blocksOf(manual)) {
      assert.ok(
        path !== '' && existsSync(join(root, path)),
        `no comment names the file of this block:\n${block}`,
      )
      assert.equal(code, textOf(path), path)
    }
  })
}

test('no recipe is longer than 25 lines', () => {
  const blocks = blocksOf(recipes)
  assert.ok(blocks.length > 20)
  const long = blocks.filter(({ code }) => code.trimEnd().split('\n').length > 25)
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

test('the manuals below the root link only to what the package holds', () => {
  for (const manual of manuals.filter((path) => path !== 'README.md')) {
    const targets = [...textOf(manual).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) =>
      join(dirname(manual), path),
    )
    assert.deepEqual(
      targets.filter((path) => !manuals.includes(path)),
      [],
      manual,
    )
  }
})

test('the table of entries names the node: modules that each of them imports', () => {
  const rows = textOf(recipes).matchAll(/^\| `pet-adoption-service(\S*)` \| (.*) \|$/gm)
  const named = [...rows].map(([, entry, modules]) => [`.${entry}`, modules])
  const entries = Object.entries(exports).filter(([, path]) => path.endsWith('.js'))
  const imported = entries.map(([entry, path]) => {
    const modules = nodeModulesOf(join(root, path)).map((name) => `\`${name}\``)
    return [entry, modules.length === 0 ? 'nothing' : modules.join(', ')]
  })
  assert.deepEqual(named, imported)
})

/** The `node:` modules that a module of the package imports, itself or through others. */
function nodeModulesOf(path: string): readonly string[] {
  const { metafile } = buildSync({
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    external: ['node:*'],
    metafile: true,
    write: false,
  })
  const names = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map((found) => found.path))
  return [...new Set(names)].sort()
}
