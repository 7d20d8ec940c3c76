import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { after } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { allOf, type Part, required, service, testWith } from '../../contracts/testing/part.ts'
import { postgresUrl } from '../../contracts/testing/postgres.ts'
import { runId } from '../../contracts/testing/run-id.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { nodeWithSqlite } from '../../examples/testing/parts.ts'
import { type Animal, assertStored, readAll, unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer, main } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'

const manual = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const newFile = temporaryFiles()

function programs(...names: readonly string[]): Part<readonly string[]> {
  const absent = names.find((name) => spawnSync(name, ['--version']).error)
  return absent === undefined ? { value: names } : { absent: `this machine has no ${absent}` }
}

/** Returns the blocks of the manual on a storage: the one that backs up, and the one that restores. */
function procedures(storage: string): readonly [backup: string, restore: string] {
  const [, section = ''] = manual.split('\n## Backup and restore\n')
  const [, part = ''] = section.split(`\n### ${storage}\n`)
  const blocks = [...(part.split('\n### ')[0] ?? '').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, text = '']) => text,
  )
  const [backup, restore] = blocks
  assert.ok(backup && restore && blocks.length === 2)
  return [backup, restore]
}

/** Backs up a server that adds animals, stops it, restores the backup, and compares the animals. */
async function assertRestores(
  storage: string,
  flags: string,
  env: Readonly<Record<string, string>>,
  node: string,
): Promise<void> {
  const cwd = newFile(storage)
  mkdirSync(cwd)
  const [backup, restore] = procedures(storage)
  const run = (script: string) =>
    promisify(execFile)('sh', ['-euc', script.replace('npx pet-adoption-service', `${node} ${main}`)], {
      cwd,
      env: { ...process.env, ...env },
    })
  const start = () =>
    launchServer(`--port 0 --log silent ${flags}`, { cwd, env: { ...unlimited, ...env }, node })

  const { base, ...server } = await start()
  const creators = startLoad(base, { lists: 0, creates: 4 })
  await creators.more(50)
  const before = [...creators.acknowledged]
  await run(backup)
  await creators.more(50)
  await creators.end()
  const all = creators.acknowledged
  server.child.kill('SIGKILL') // so that SQLite leaves its -wal file
  await server.end
  await run(restore)

  const restored = await start()
  const found = await readAll(restored.base)
  assertStored(found, before)
  assert.ok(found.length < all.length)
  const again = startLoad(restored.base, { lists: 0, creates: 1 })
  await again.more(1)
  await again.end()
  const highest = Math.max(...all.map(({ id }: Animal) => Number(id)))
  assert.ok(Number(again.acknowledged[0]?.id) > highest, 'an id is assigned again')
  await stop(restored)
}

/** The address of an empty database, if the programs of this machine know its version. */
async function newDatabase(): Promise<Part<string>> {
  const tools = programs('pg_dump', 'pg_restore', 'psql')
  if ('absent' in tools) return tools
  const name = `pets_restore_${runId}`
  const client = new pg.Client(postgresUrl)
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  after(async () => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await client.end()
  })
  const url = new URL(postgresUrl)
  url.pathname = name
  const { status, stderr } = spawnSync('pg_dump', ['--schema-only', url.href])
  return status === 0 ? { value: url.href } : { absent: String(stderr) }
}

const database = await service(newDatabase)

testWith(required(allOf(programs('sqlite3', 'install'), nodeWithSqlite)))(
  'the manual restores a SQLite file, and assigns no id again',
  (_t, [, node]) => assertRestores('SQLite', '--data animals.sqlite', {}, node),
)

testWith('value' in database ? database.value : database)(
  'the manual restores a PostgreSQL database, and assigns no id again',
  (_t, url) => assertRestores('PostgreSQL', '--no-docs', { DATABASE_URL: url }, process.execPath),
)
