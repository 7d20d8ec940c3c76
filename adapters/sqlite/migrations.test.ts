import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { testWith } from '../contracts/testing/part.ts'
import { type OpenDatabase, openSqlite, sqlite, temporaryFiles } from '../contracts/testing/sqlite.ts'
import { storedByVersionOne as stored } from '../contracts/testing/version-one.ts'
import { createSqliteStore, migrate, readSchema } from '../sqlite.ts'
import { lacks } from '../testing/machine.ts'
import { migrations, newestVersion } from './migrations.ts'

const test = testWith(sqlite)
const newFile = temporaryFiles()
const fixture = fileURLToPath(new URL('testing/version-1.db', import.meta.url))
const migrateUntil = fileURLToPath(new URL('testing/migrate-until.ts', import.meta.url))

/** Returns the path of a copy of a file that version 1 of the schema has written. */
function versionOne(): string {
  const file = newFile()
  copyFileSync(fixture, file)
  return file
}

function use<T>(file: string, work: (database: OpenDatabase) => T): T {
  const database = openSqlite(file)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Everything that a schema consists of. */
function schemaOf(database: OpenDatabase): unknown {
  return database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name').all()
}

/** Asserts that a file has the newest schema and the animals of the fixture, and goes on counting where it was. */
async function assertMigrated(file: string): Promise<void> {
  const database = openSqlite(file)
  assert.deepEqual(readSchema(database), { from: newestVersion, to: newestVersion })
  const store = createSqliteStore({ database })
  assert.deepEqual(store.list({ limit: 10 }), stored)
  assert.equal((await store.create({ name: 'Max', categoryId: 1n })).id, 6n)
  database.close()
}

test('a file of version 1 is migrated, with its animals, and its next id', async () => {
  const file = versionOne()
  use(file, (database) => {
    assert.deepEqual(readSchema(database), { from: 1, to: newestVersion })
    assert.deepEqual(migrate(database), { from: 1, to: newestVersion })
    assert.deepEqual(migrate(database), { from: newestVersion, to: newestVersion })
  })
  await assertMigrated(file)
})

test('a migrated file has the same tables and indexes as a new one', () => {
  const [migrated, created] = [versionOne(), newFile()]
  for (const file of [migrated, created]) use(file, migrate)
  const plain = (schema: unknown) => JSON.stringify(schema).replaceAll(/(?:\\n|\s)+/g, ' ')
  assert.equal(plain(use(migrated, schemaOf)), plain(use(created, schemaOf)))
})

test('a file with the newest schema is opened without a change, as on a full disk', () => {
  const file = versionOne()
  use(file, migrate)
  use(file, (database) => {
    database.exec('PRAGMA query_only = ON')
    assert.deepEqual(migrate(database), { from: newestVersion, to: newestVersion })
    assert.deepEqual(createSqliteStore({ database }).list({ limit: 10 }), stored)
  })
})

test('reading the schema of a file changes nothing in it', () => {
  const file = versionOne()
  const before = readFileSync(file)
  use(file, readSchema)
  assert.deepEqual(readFileSync(file), before)
})

for (const statement of ['CREATE TABLE api_keys', 'CREATE INDEX creation_keys', 'user_version', 'COMMIT'])
  test(`a file whose migration is killed before ${statement} is whole, and is migrated by the next`, async () => {
    const file = versionOne()
    const child = spawn(process.execPath, ['--import', 'tsx/esm', migrateUntil, file, statement])
    const [code, signal] = await once(child, 'exit')
    assert.ok(signal === 'SIGKILL' || (lacks.signals && code === 1)) // what kills itself there ends with 1
    use(file, (database) => {
      assert.deepEqual(readSchema(database), { from: 1, to: newestVersion })
      assert.equal((schemaOf(database) as unknown[]).length, 3)
    })
    use(file, migrate)
    await assertMigrated(file)
  })

test('many processes migrate a file at once, and one of them does it', async () => {
  const file = versionOne()
  const results = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const child = spawn(process.execPath, ['--import', 'tsx/esm', migrateUntil, file])
      let output = ''
      child.stdout.on('data', (data) => (output += data))
      const [code] = await once(child, 'close')
      assert.equal(code, 0)
      return (JSON.parse(output) as { from: number }).from // the output of testing/migrate-until.ts
    }),
  )
  assert.deepEqual(results.sort(), [1, ...Array<number>(7).fill(newestVersion)])
  await assertMigrated(file)
})

/** The statements of version 1, as its program prepares them before the migration. */
function programOfVersionOne(database: OpenDatabase) {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const insert = database.prepare(
    'INSERT INTO pets (name, category_id, status) VALUES (?, CAST(? AS INTEGER), ?) RETURNING CAST(id AS TEXT) AS id',
  )
  const list = database.prepare(
    'SELECT CAST(id AS TEXT) AS id, name, CAST(category_id AS TEXT) AS categoryId, status FROM pets INDEXED BY pets_by_status WHERE status = ? AND pets.id > CAST(? AS INTEGER) ORDER BY pets.id LIMIT ?',
  )
  return {
    create(name: string): string {
      database.exec('BEGIN IMMEDIATE')
      const { id } = insert.get(name, '1', 'sold') as { id: string } // the row of the statement
      database.exec('COMMIT')
      return id
    },
    names: () => list.all('sold', '0', 100).map((row) => (row as { name: string }).name), // likewise
  }
}

test('a program of version 1 that has the file open goes on serving after the migration', async () => {
  const file = versionOne()
  const old = openSqlite(file)
  const program = programOfVersionOne(old)
  assert.equal(program.create('before'), '6')
  const database = openSqlite(file)
  const store = createSqliteStore({ database })
  const id = (await store.create({ name: 'new', categoryId: 1n, status: 'sold' })).id
  assert.equal(program.create('after'), String(id + 1n))
  await store.update(id, { name: 'changed' })
  await store.remove(3n)
  assert.deepEqual(program.names(), ['before', 'changed', 'after'])
  assert.deepEqual(
    store.list({ limit: 10, status: 'sold' }).map(({ name }) => name),
    ['before', 'changed', 'after'],
  )
  old.close()
  database.close()
})

/** Restores what `.dump` of sqlite3 writes: the tables and their rows, without the id of the program and the version. */
function restoredDump(file: string, change = ''): string {
  use(file, (database) => database.exec(`PRAGMA application_id = 0; PRAGMA user_version = 0; ${change}`))
  return file
}

for (const [index] of migrations.entries())
  test(`a file that was restored from a dump of version ${index + 1} is recognized by its tables`, async () => {
    const file = versionOne()
    if (index > 0)
      use(file, (database) =>
        database.exec(
          migrations
            .slice(1, index + 1)
            .flatMap((added) => Object.values(added).map(({ sql }) => sql))
            .join(''),
        ),
      )
    restoredDump(file)
    assert.deepEqual(use(file, readSchema), { from: index + 1, to: newestVersion })
    use(file, migrate)
    await assertMigrated(file)
  })

test('a dump with a column that no version has is not taken for one of this program', () => {
  const file = restoredDump(versionOne(), 'ALTER TABLE pets ADD COLUMN age INTEGER')
  assert.throws(() => use(file, migrate), /tables of another program/)
})

test('tables that a later version has left are adopted, and lose their rows', async () => {
  const file = versionOne()
  use(file, (database) => {
    migrate(database)
    database.exec(`INSERT INTO api_keys (sha256, id, plan, created_at) VALUES ('a', 'stale', 'pro', 1);
      INSERT INTO creation_keys VALUES ('token', 'fingerprint', 6, 9999999999999); PRAGMA user_version = 1`)
    const emptied = ['api_keys', 'creation_keys']
    assert.deepEqual(migrate(database), { from: 1, to: newestVersion, emptied })
    const rows = database
      .prepare('SELECT sha256 FROM api_keys UNION ALL SELECT token FROM creation_keys')
      .all()
    assert.deepEqual(rows, [])
  })
  await assertMigrated(file)
})

test('a file with a table of the same name as a new one is left as it is, and the message says what to do', () => {
  const file = versionOne()
  use(file, (database) => database.exec('CREATE TABLE api_keys (hash)'))
  assert.throws(
    () => use(file, migrate),
    (error: Error) => {
      assert.match(error.message, /table or an index of another program with this name: rename it$/)
      return /api_keys/.test(String(error.cause))
    },
  )
  assert.deepEqual(use(file, readSchema), { from: 1, to: newestVersion })
})

test('an invalid database is named', () => {
  // @ts-expect-error: a caller in JavaScript may pass it
  assert.throws(() => migrate('animals.sqlite'), { name: 'TypeError', message: /database must be an open/ })
  // @ts-expect-error: likewise
  assert.throws(() => readSchema(undefined), { name: 'TypeError' })
})
