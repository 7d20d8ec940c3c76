import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { test } from 'node:test'
import { buildSync } from 'esbuild'
import { root } from '../testing/parts.ts'

interface PackageManifest {
  readonly files: readonly string[]
  readonly exports: Readonly<Record<string, string>>
}

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const { files, exports }: PackageManifest = JSON.parse(textOf('package.json'))
/** The manuals of the package, as paths from its root. */
const manuals = ['README.md', ...files.filter((path) => path.endsWith('.md'))]
const recipes = 'adapters/README.md'

/** Returns the code blocks of a manual that are examples, each with the path in the comment before it. */
function blocksOf(manual: string) {
  const found = textOf(manual).matchAll(
    /^(?:<!-- (\S+) -->\n```\w+|```(?:ts|nginx|haproxy))\n([\s\S]*?)^```$/gm,
  )
  return [...found].map(([block, path = '', code = '']) => ({ block, path, code }))
}

for (const manual of manuals) {
  test(`every example of ${manual} equals its file: node .ci/readme.mjs copies the files`, () => {
    for (const { block, path, code } of blocksOf(manual)) {
      assert.ok(
        path !== '' && existsSync(join(root, path)),
        `no comment names the file of this block:\n${block}`,
      )
      assert.equal(code, textOf(path), path)
    }
  })

  test(`every link of ${manual} leads to a heading or a file of the package`, () => {
    const links = [...textOf(manual).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    for (const [link, path = '', anchor] of links) {
      const target = path === '' ? manual : posix.join(posix.dirname(manual), path)
      assert.ok([...manuals, ...files].includes(target), `${link} leads out of the package`)
      if (anchor !== undefined) assert.ok(anchorsOf(target).has(anchor), `${link} leads to no heading`)
    }
  })
}

/** Returns the anchors of a manual: those of its headings, as GitHub and npm make them, and those that it names itself. */
function anchorsOf(manual: string): ReadonlySet<string> {
  const text = textOf(manual)
  const headings = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)]
  const named = [...text.matchAll(/<a (?:id|name)="([^"]+)">/g)].map(([, name = '']) => name)
  return new Set([
    ...named,
    ...headings.map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-'),
    ),
  ])
}

/** The documents of the repository: the manuals, and those for its authors. */
const documents = [
  ...manuals,
  ...readdirSync(join(root, '.github'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('.github', path)),
]

for (const document of documents) {
  test(`every link of ${document} to a manual leads to one of its headings`, () => {
    const links = textOf(document).matchAll(/\]\((?!https?:)([^)#]*\.md)#([^)]*)\)/g)
    for (const [link, path = '', anchor = ''] of links)
      assert.ok(anchorsOf(join(dirname(document), path)).has(anchor), link)
  })

  test(`no line of ${document} has more than 120 characters, apart from tables, code and HTML`, () => {
    const prose = textOf(document).replaceAll(/^```[\s\S]*?^```$/gm, '')
    const long = prose.split('\n').filter((line) => line.length > 120 && !/^[|<]/.test(line))
    assert.deepEqual(long, [])
  })
}

test('README.md has at most 180 lines', () => {
  assert.ok(textOf('README.md').trimEnd().split('\n').length <= 180)
})

test('no recipe has more than 25 lines', () => {
  const blocks = blocksOf(recipes)
  assert.ok(blocks.length > 20)
  const long = blocks.filter(({ code }) => code.trimEnd().split('\n').length > 25)
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
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

/** Returns the `node:` modules that a module of the package imports, itself or through others. */
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

const [, section = ''] = textOf(recipes).split('\n## Options\n')
const optionRows =
  section
    .split('\n## ', 1)[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| ')) ?? []

/** The members of the interfaces of a source whose names end in `Options`, `Times` or `Policy`. */
function membersOf(path: string): readonly string[] {
  const interfaces = textOf(path).matchAll(
    /^export interface \w*(?:Options|Times|Policy)\b[^{]*\{([\s\S]*?)^\}/gm,
  )
  return [...interfaces].flatMap(([, body = '']) =>
    [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name),
  )
}

for (const source of [
  'core/pipeline/options.ts',
  'core/limits/memory-limiter.ts',
  'core/limits/bans.ts',
  'adapters/redis.ts',
  'adapters/node-http/handler.ts',
  'adapters/node-http/harden.ts',
  'adapters/node-http/pet-server.ts',
  'adapters/node-http/drain.ts',
  'adapters/fetch.ts',
  'adapters/sqlite.ts',
  'adapters/sqlite/keys.ts',
  'adapters/postgres.ts',
  'adapters/postgres/keys.ts',
])
  test(`the manual explains every option of ${source}`, () => {
    const members = membersOf(source)
    assert.ok(members.length > 0)
    const missing = members.filter((name) => !optionRows.some((row) => row.includes(`\`${name}\``)))
    assert.deepEqual(missing, [])
  })

const [, errors = ''] = textOf('adapters/TROUBLES.md').split('\n## Errors of the library\n')
const messages = errors
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((row) => [...(row.split(' | ', 1)[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))

const skipped = ['node_modules', 'examples', 'testing']

/** Returns the sources below a folder, but tests and examples. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry
    const path = join(folder, name)
    if (skipped.includes(name)) return []
    if (entry.isDirectory()) return sourcesIn(path)
    return name.endsWith('.ts') && !name.endsWith('.test.ts') ? [path] : []
  })
}

/** The text of all sources, with `…` for the expressions in their templates. */
const sources = [...sourcesIn('core'), ...sourcesIn('adapters')]
  .map((path) => textOf(path).replaceAll(/\$\{[^}]*\}/g, '…'))
  .join('\n')

test('the page of troubles has no message that no source has', () => {
  assert.ok(messages.length > 30)
  const parts = messages.flatMap((message) => message.split('…').map((part) => part.trim()))
  const unknown = parts.filter((part) => part.length > 3 && !sources.includes(part))
  assert.deepEqual(unknown, [])
})
