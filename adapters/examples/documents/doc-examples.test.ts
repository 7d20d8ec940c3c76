import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { mapPart, type Part } from '../../contracts/testing/part.ts'
import { connectPostgres, postgresUrl } from '../../contracts/testing/postgres.ts'
import { connectRedis, redisUrl } from '../../contracts/testing/redis.ts'
import { sqlite } from '../../contracts/testing/sqlite.ts'
import { root } from '../testing/parts.ts'

/** What stands in the place of what an example reaches, or the reason why that is absent. */
const places: readonly (readonly [address: string, Part<string>])[] = [
  ["'https://api.example.com/v1'", { value: 'baseUrl' }],
  ["'http://127.0.0.1:8080/v1'", { value: 'baseUrl' }],
  ['listen(8080)', { value: 'listen(0)' }],
  ['postgres://127.0.0.1/shelter', mapPart(await connectPostgres(), () => postgresUrl)],
  ['redis://127.0.0.1:6379', mapPart(await connectRedis(), () => redisUrl)],
  ['redis://127.0.0.1:7000', { absent: 'the tests of Redis Cluster run these lines' }],
  [': SqliteDatabase', mapPart(sqlite, () => ': SqliteDatabase')],
  ['() => SqliteDatabase', mapPart(sqlite, () => '() => SqliteDatabase')],
]

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
const claim = /^((?!const |declare |if |import |export )\S.*\S) \/\/ (.+)$/gm

/** Returns the part that an example needs and this machine lacks. */
function absentIn({ code }: Example): string | undefined {
  const [, part] = places.find(([address, part]) => code.includes(address) && 'absent' in part) ?? []
  return part && 'absent' in part ? part.absent : undefined
}

/** Returns an example as it runs here: its claims are assertions, its addresses those of this machine. */
function runnable({ code }: Example): string {
  let text = code.replaceAll(claim, 'deepStrictEqual($1, $2)')
  for (const [address, part] of places) if ('value' in part) text = text.replaceAll(address, part.value)
  return `import { deepStrictEqual } from 'node:assert'\nimport { baseUrl } from '../world.ts'\n${text}`
}

/** What the examples run in: a deployment, which a stub of `fetch` reaches, and the databases that they declare. */
const world = `import { once } from 'node:events'
import { createKeyStore, createMemoryStore, createPetService, petStatuses, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'
import { createPetServer } from 'pet-adoption-service/node'

const limits = { minute: 1_000_000, day: 1_000_000 }
const keysOf = ['my-first-long-api-key', 'key-of-a-test-account'].map((key) => (
  { id: key, sha256: sha256(key), plan: 'enterprise' as const, limits }
))
const store = createMemoryStore()
for (let i = 0; i < 30; i++) store.create({ name: 'Rex', categoryId: 7n, status: petStatuses[i % 3] })
const service = createPetService({ keys: createKeyStore(keysOf), store, plans: { anonymous: limits } })
globalThis.fetch = createFetchHandler(service) as typeof fetch
const server = createPetServer(service)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as { port: number }
export const baseUrl = 'http://127.0.0.1:' + port + '/v1'
process.env.PET_ADOPTION_API_KEY = 'key-of-a-test-account'
process.env.PGOPTIONS = '-c search_path=pg_temp' // what an example makes ends with its connection
const sqlite = process.getBuiltinModule('node:sqlite')
const openDatabase = () => new sqlite.DatabaseSync(':memory:')
if (sqlite) Object.assign(globalThis, { openDatabase, database: openDatabase() })
`

/** Those whose cases the runner runs come first; `record` writes the transcript that others read. */
const order = (code: string) => (code.includes("'node:test'") ? 0 : code.includes('writeTranscript') ? 1 : 2)

test('every example runs, and its expressions have the values in their comments', (t) => {
  assert.ok(examples.some(({ code }) => claim.test(code)))
  writeFileSync(join(folder, 'world.ts'), world)
  const present = examples.filter((example) => absentIn(example) === undefined)
  for (const example of examples)
    if (absentIn(example)) t.diagnostic(`${example.place}: ${absentIn(example)}`)
  for (const example of present) writeFileSync(join(folder, fileOf(example)), runnable(example))
  const sorted = present.toSorted((a, b) => order(a.code) - order(b.code))
  const imports = sorted.map((example) => `await import(${JSON.stringify(`./${fileOf(example)}`)})\n`)
  const count = sorted.filter(({ code }) => order(code) === 0).length
  const others = imports.slice(count).join('')
  writeFileSync(
    join(folder, 'all.ts'),
    `import { test } from 'node:test'\n${imports.slice(0, count).join('')}test('the others', async () => {\n${others}})\n`,
  )
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx/esm'), '--test-force-exit', 'all.ts'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TSX_TSCONFIG_PATH: tsconfig, NODE_TEST_CONTEXT: undefined },
    },
  )
  assert.equal(status, 0, `${stdout}${stderr}`)
})
