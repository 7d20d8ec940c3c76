import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SqliteDatabase } from './database.ts'
import { createSqliteStore } from './index.ts'
import { prepareFromOptions } from './schema.ts'
import { createFileName, open, test } from './testing/open.ts'

const [missing, newest] = [0, 2].map((from) => ({ from, to: 2 }))

const migrate = (database: SqliteDatabase) => prepareFromOptions({ database }).versions

describe('a SQLite migration', () => {
  test('creates the tables once', () => {
    const database = open()
    assert.deepEqual(migrate(database), missing)
    const readPragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    assert.deepEqual(['application_id', 'user_version'].map(readPragma), [0x50_65_74_73, 2])
    database.exec('PRAGMA query_only = ON')
    assert.deepEqual(migrate(database), newest)
    assert.deepEqual(createSqliteStore({ database }).list({ limit: 10 }), [])
  })

  test('changes nothing if it fails, and can run again', () => {
    const database = open()
    for (const statement of [
      'CREATE TABLE api_keys',
      'CREATE INDEX creation_keys',
      'user_version',
      'COMMIT',
    ]) {
      const failing = {
        prepare: (sql: string) => database.prepare(sql),
        exec(sql: string) {
          for (const part of sql.split(/(?<=;)/)) {
            if (part.includes(statement)) throw new Error('disk I/O error')
            database.exec(part)
          }
        },
      }
      assert.throws(() => migrate(failing), /check the disk/)
      assert.deepEqual(database.prepare('SELECT name FROM sqlite_master').all(), [])
    }
    assert.deepEqual(migrate(database), missing)
  })

  test('is reported even if another process locks the file after it', () => {
    const database = open()
    let attempts = 0
    const versions = migrate({
      prepare: (sql) => database.prepare(sql),
      exec(sql) {
        if (sql.includes('journal_mode') && ++attempts === 1) throw new Error('database is locked')
        database.exec(sql)
      },
    })
    assert.deepEqual([versions, attempts], [missing, 2])
  })

  test('runs once if several processes start it', async () => {
    const file = createFileName()
    const script = `
    import { DatabaseSync } from 'node:sqlite'
    import { prepareFromOptions } from '${new URL('schema.ts', import.meta.url)}'
    console.log(prepareFromOptions({ database: new DatabaseSync(process.argv[1]) }).versions.from)`
    const flags = ['--import', 'tsx/esm', '--input-type=module', '--no-warnings', '--eval', script, file]
    const cwd = fileURLToPath(new URL('../..', import.meta.url))
    const outputs = await Promise.all(
      Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, flags, { cwd })),
    )
    const found = outputs.map(({ stdout }) => Number(stdout)).sort()
    assert.deepEqual(found, [0, 2, 2, 2])
  })
})
