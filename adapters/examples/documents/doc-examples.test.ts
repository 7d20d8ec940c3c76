import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { mapPart, type Part } from '../../contracts/testing/part.ts'
import { connectPostgres, postgresUrl } from '../../contracts/testing/postgres.ts'
import { connectRedis, redisUrl } from '../../contracts/testing/redis.ts'
import { sqlite } from '../../contracts/testing/sqlite.ts'
import { entries, manifest, readText, sourcesIn } from '../testing/documents.ts'
import { root } from '../testing/parts.ts'

/** Replacement of a service that an example uses, or the reason why it is absent. */
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

/** An example of a doc comment, and its file in the folder of the tests, which is named for its place. */
interface Example {
  readonly file: string
  readonly code: string
}

/** Returns the text after each `@example` of a source, up to the next tag or the end of the comment. */
function readExamples(path: string): readonly Example[] {
  const text = readText(path)
  const found = text.matchAll(/^( *) \* @example\n((?:\1 \*(?: (?!@).*)?\n)+)/gm)
  return [...found].map(({ 1: indent = '', 2: lines = '', index }) => {
    const place = `${path}:${text.slice(0, index).split('\n').length}`
    const code = lines.replaceAll(new RegExp(`^${indent} \\* ?`, 'gm'), '')
    return { file: `src/${place.replaceAll(/\W/g, '-')}.ts`, code }
  })
}

const examples = ['core', 'adapters', 'conformance'].flatMap(sourcesIn).flatMap(readExamples)

/** Below the root, whose packages the examples import: on Windows, temporary files may be on another drive. */
const folder = mkdtempSync(join(root, 'dist/doc-examples-'))
after(() => rmSync(folder, { recursive: true }))
const write = (path: string, text: string) => writeFileSync(join(folder, path), text)

/** Runs Node in the folder. Asserts that it ends with success. */
function run(...args: readonly string[]): void {
  const env = { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.json', NODE_TEST_CONTEXT: undefined }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
  assert.equal(status, 0, `${stdout}${stderr}`)
}

/** The sources of the entries of the package. */
const paths = Object.fromEntries(
  entries.map(([entry, path]) => [
    entry.replace('.', manifest.name),
    [join(root, path.replace('/dist', '').replace(/js$/, 'ts'))],
  ]),
)
const unchecked = { isolatedDeclarations: false, declaration: false, noUnusedLocals: false }
const compilerOptions = { ...unchecked, noUnusedParameters: false, rootDir: root, paths }
const project = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['src'], exclude: [] }

mkdirSync(join(folder, 'src'))
for (const { file, code } of examples) write(file, `${code}\nexport {}\n`)
write('tsconfig.json', JSON.stringify(project))

test('every example of a doc comment compiles', () => {
  assert.ok(examples.length > 15, `${examples.length} examples`)
  run(join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json')
})

/** A line such as `sum(1, 2) // 3`: an expression, and its value as an expression. */
const claim = /^((?!const |declare |if |import |export )\S.*\S) \/\/ (.+)$/gm

/** Returns an example as it runs here: its claims are assertions, and its addresses are on this machine. */
function runnable({ code }: Example): Part<string> {
  let text = code.replaceAll(claim, 'deepStrictEqual($1, $2)')
  for (const [address, part] of places.filter(([address]) => code.includes(address))) {
    if ('absent' in part) return part
    text = text.replaceAll(address, part.value)
  }
  return {
    value: `import { deepStrictEqual } from 'node:assert'\nimport { baseUrl } from '../world.ts'\n${text}`,
  }
}

/** Environment of the examples: a deployment behind a stub of `fetch`, and the databases that they declare. */
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

test('every example runs and shows the values in its comments', (t) => {
  assert.ok(examples.some(({ code }) => claim.test(code)))
  write('world.ts', world)
  const present = examples.filter((example) => {
    const part = runnable(example)
    if ('value' in part) write(example.file, part.value)
    else t.diagnostic(`${example.file}: ${part.absent}`)
    return 'value' in part
  })
  const listImports = (included: readonly Example[]) =>
    included.map(({ file }) => `await import(${JSON.stringify(`./${file}`)})\n`).join('')
  const declaresTests = ({ code }: Example) => code.includes("'node:test'")
  const writes = ({ code }: Example) => code.includes('writeTranscript') // others read what it writes
  const sorted = present.toSorted((a, b) => Number(writes(b)) - Number(writes(a)))
  const first = `import { test } from 'node:test'\n${listImports(sorted.filter(declaresTests))}`
  const others = listImports(sorted.filter((example) => !declaresTests(example)))
  write('all.ts', `${first}test('the others', async () => {\n${others}})\n`)
  run('--import', import.meta.resolve('tsx/esm'), '--test-force-exit', 'all.ts')
})
