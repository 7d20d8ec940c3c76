import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connectPostgres, postgresUrl } from '../../contracts/testing/postgres.ts'
import { connectRedis, redisUrl } from '../../contracts/testing/redis.ts'
import { mapResource, type Resource } from '../../contracts/testing/resource.ts'
import { sqlite } from '../../contracts/testing/sqlite.ts'
import { listSources, readText } from '../testing/documents.ts'
import { root } from '../testing/parts.ts'

/** What replaces the addresses in examples, or why that is impossible. */
const replacements: readonly (readonly [address: string, Resource<string>])[] = [
  ["'https://api.example.com/v1'", { value: 'baseUrl' }],
  ["'http://127.0.0.1:8080/v1'", { value: 'baseUrl' }],
  ['listen(8080)', { value: 'listen(0)' }],
  ['postgres://127.0.0.1/shelter', mapResource(await connectPostgres(), () => postgresUrl)],
  ['redis://127.0.0.1:6379', mapResource(await connectRedis(), () => redisUrl)],
  ['redis://127.0.0.1:7000', { absent: 'the tests of Redis Cluster run these lines' }],
  [': SqliteDatabase', mapResource(sqlite, () => ': SqliteDatabase')],
  ['() => SqliteDatabase', mapResource(sqlite, () => '() => SqliteDatabase')],
]

/** The code of an `@example` block, and a file named after its position. */
interface Example {
  readonly file: string
  readonly code: string
}

/** Returns the `@example` blocks in a file. Each ends at the next tag, or with the comment. */
function readExamples(path: string): readonly Example[] {
  const text = readText(path)
  const found = text.matchAll(/^( *) \* @example\n((?:\1 \*(?: (?!@).*)?\n)+)/gm)
  return [...found].map(({ 1: indent = '', 2: lines = '', index }) => {
    const place = `${path}:${text.slice(0, index).split('\n').length}`
    const code = lines.replaceAll(new RegExp(`^${indent} \\* ?`, 'gm'), '')
    return { file: `src/${place.replaceAll(/\W/g, '-')}.ts`, code }
  })
}

const examples = ['core', 'adapters', 'conformance'].flatMap(listSources).flatMap(readExamples)

/**
 * Folder in which the examples run. It is in the repository, because temporary files may be on another drive on
 * Windows.
 */
const folder = mkdtempSync(join(root, 'dist/doc-examples-'))
after(() => rmSync(folder, { recursive: true }))
const write = (path: string, text: string) => writeFileSync(join(folder, path), text)

/** Runs Node in the examples' folder, and asserts that it succeeds. */
function runNode(...args: readonly string[]): void {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
  assert.equal(status, 0, `${stdout}${stderr}`)
}

const relaxedOptions = { isolatedDeclarations: false, declaration: false, noUnusedLocals: false }
// With the outDir of the sources, TypeScript would compile them again instead of reading their declarations.
const compilerOptions = { ...relaxedOptions, noUnusedParameters: false, rootDir: root, outDir: 'out' }
const project = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['src'], exclude: [] }

mkdirSync(join(folder, 'src'))
for (const { file, code } of examples) write(file, `${code}\nexport {}\n`)
write('tsconfig.json', JSON.stringify(project))

test('examples in doc comments compile', () => {
  assert.ok(examples.length > 15, `${examples.length} examples`)
  runNode(join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json')
})

/** Matches a line whose comment shows the result. */
const resultComment = /^((?!const |declare |if |import |export )\S.*\S) \/\/ (.+)$/gm

/** Returns an example that asserts the results in its comments. */
function toRunnable({ code }: Example): Resource<string> {
  let text = code.replaceAll(resultComment, 'deepStrictEqual($1, $2)')
  for (const [address, part] of replacements.filter(([address]) => code.includes(address))) {
    if ('absent' in part) return part
    text = text.replaceAll(address, part.value)
  }
  return {
    value: `import { deepStrictEqual } from 'node:assert'\nimport { baseUrl } from '../world.ts'\n${text}`,
  }
}

/** A module that starts a service for the examples. */
const setupModule = `import { once } from 'node:events'
import { createKeyStore, createMemoryStore, createPetService, petStatuses, sha256 } from 'pet-adoption-service'
import { createTestFetch } from 'pet-adoption-service/fetch'
import { createPetServer } from 'pet-adoption-service/node'

const limits = { minute: 1_000_000, day: 1_000_000 }
const keysOf = ['my-first-long-api-key', 'key-of-a-test-account'].map((key) => (
  { id: key, sha256: sha256(key), plan: 'enterprise' as const, limits }
))
const store = createMemoryStore()
for (let i = 0; i < 30; i++) store.create({ name: 'Rex', categoryId: 7n, status: petStatuses[i % 3] })
const service = createPetService({ keys: createKeyStore(keysOf), store, plans: { anonymous: limits } })
globalThis.fetch = createTestFetch(service)
const server = createPetServer(service)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as { port: number }
export const baseUrl = 'http://127.0.0.1:' + port + '/v1'
process.env.PET_ADOPTION_API_KEY = 'key-of-a-test-account'
process.env.PGOPTIONS = '-c search_path=pg_temp' // tables that an example creates exist until its connection closes
const sqlite = process.getBuiltinModule('node:sqlite')
const openDatabase = () => new sqlite.DatabaseSync(':memory:')
if (sqlite) Object.assign(globalThis, { openDatabase, database: openDatabase() })
`

test('examples in doc comments run', (t) => {
  assert.ok(examples.some(({ code }) => resultComment.test(code)))
  write('world.ts', setupModule)
  const present = examples.filter((example) => {
    const part = toRunnable(example)
    if ('value' in part) write(example.file, part.value)
    else t.diagnostic(`${example.file}: ${part.absent}`)
    return 'value' in part
  })
  const listImports = (included: readonly Example[]) =>
    included.map(({ file }) => `await import(${JSON.stringify(`./${file}`)})\n`).join('')
  const declaresTests = ({ code }: Example) => code.includes("'node:test'")
  const writes = ({ code }: Example) => code.includes('writeFileSync') // later examples read what these write
  const sorted = present.toSorted((a, b) => Number(writes(b)) - Number(writes(a)))
  const first = `import { test } from 'node:test'\n${listImports(sorted.filter(declaresTests))}`
  const others = listImports(sorted.filter((example) => !declaresTests(example)))
  write('all.ts', `${first}test('the remaining examples run', async () => {\n${others}})\n`)
  runNode('--import', import.meta.resolve('tsx/esm'), '--test-force-exit', 'all.ts')
})
