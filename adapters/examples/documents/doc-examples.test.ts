import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { root } from '../testing/parts.ts'

/** An example of a doc comment. */
interface Example {
  /** Such as `core/limits/account.ts:40`. */
  readonly place: string
  readonly code: string
}

const isLeftOut = /^(?:node_modules|testing|bench|hostile|examples|standalone|sabotage)$/

/** Returns the sources below a folder. Follows no link: some packages link to the root. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return isLeftOut.test(entry.name) ? [] : sourcesIn(path)
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : []
  })
}

const sources = ['core', 'adapters', 'conformance'].flatMap(sourcesIn)
const examples = sources.flatMap(examplesOf)

/** Returns the text after each `@example` of a source, up to the next tag or the end of the comment. */
function examplesOf(path: string): readonly Example[] {
  const text = readFileSync(join(root, path), 'utf8')
  const found = text.matchAll(/^( *) \* @example\n((?:\1 \*(?: (?!@).*)?\n)+)/gm)
  return [...found].map(({ 1: indent = '', 2: lines = '', index }) => ({
    place: `${path}:${text.slice(0, index).split('\n').length}`,
    code: lines.replaceAll(new RegExp(`^${indent} \\* ?`, 'gm'), ''),
  }))
}

/** The entries of the package, with their sources. */
function entries(): Readonly<Record<string, readonly string[]>> {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const paths = Object.entries<string>(exports).filter(([, path]) => path.endsWith('.js'))
  return Object.fromEntries(
    paths.map(([entry, path]) => [
      entry.replace('.', name),
      [join(root, path.replace('/dist', '').replace(/js$/, 'ts'))],
    ]),
  )
}

/** Below the root, whose packages the examples import: on Windows, the folder for temporary files may be of another drive. */
const folder = mkdtempSync(join(root, 'dist/doc-examples-'))
after(() => rmSync(folder, { recursive: true }))
const fileOf = ({ place }: Example) => `src/${place.replaceAll(/\W/g, '-')}.ts`
const isOfCore = ({ place }: Example) => place.startsWith('core/')

mkdirSync(join(folder, 'src'))
for (const example of examples) writeFileSync(join(folder, fileOf(example)), `${example.code}\nexport {}\n`)
const tsconfig = join(folder, 'tsconfig.json')
writeFileSync(
  tsconfig,
  JSON.stringify({
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      rootDir: root,
      paths: entries(),
      isolatedDeclarations: false,
      declaration: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
    },
    include: ['src'],
    exclude: [],
  }),
)

test('every example of a doc comment compiles', () => {
  assert.ok(examples.length > 15, `${examples.length} examples`)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, '-p', tsconfig], { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    assert.fail(String((error as { stdout?: unknown }).stdout)) // what execFileSync throws has the output
  }
})

/** A line such as `sum(1, 2) // 3`: an expression, and its value as an expression. */
const claim = /^((?!const |if |import |export )\S.*\S) \/\/ (.+)$/gm

test('every example of core runs, and its expressions have the values in their comments', () => {
  const ofCore = examples.filter(isOfCore)
  assert.ok(ofCore.some(({ code }) => claim.test(code)))
  for (const example of ofCore) {
    const checked = example.code.replaceAll(claim, 'deepStrictEqual($1, $2)')
    const header = "import { deepStrictEqual } from 'node:assert'\n"
    writeFileSync(join(folder, fileOf(example)), header + checked)
  }
  const imports = ofCore.map((example) => `await import(${JSON.stringify(`./${fileOf(example)}`)})\n`)
  writeFileSync(join(folder, 'all.ts'), imports.join(''))
  execFileSync(process.execPath, ['--import', import.meta.resolve('tsx/esm'), 'all.ts'], {
    cwd: folder,
    env: { ...process.env, TSX_TSCONFIG_PATH: tsconfig, NODE_TEST_CONTEXT: undefined },
  })
})
