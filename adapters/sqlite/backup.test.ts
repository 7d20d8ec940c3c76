import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { missingFeatures } from '../testing/machine.ts'
import { backUpSqlite, openSqlite, type SqliteDriver, type StoreBackend } from './index.ts'
import { createFileName, test } from './testing/open.ts'

const rex = { name: 'Rex', categoryId: 2n ** 63n - 1n }

async function open(t: TestContext, file: string): Promise<StoreBackend> {
  const backend = await openSqlite({ file })
  t.after(backend.close)
  return backend
}

/** Lists the files in the same folder that begin with the same name. */
const listFiles = (file: string) =>
  readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)))

/** Returns the source code for a driver whose copies stay incomplete. The code in `end` runs afterwards. */
const createFailingDriver = (end: string) => `class {
  exec() {}
  close() {}
  prepare() {
    return {
      run(part) {
        for (const file of [part, part + '-journal']) writeFileSync(file, 'incomplete')
        ${end}
      }
    }
  }
}`

describe('a SQLite backup', () => {
  test('contains the animals and keys of a busy server', async (t) => {
    const [file, copy] = [createFileName(), createFileName('backup.sqlite')]
    const { store, keys } = await open(t, file)
    const { key } = await keys.issue({ id: 'shelter', plan: 'pro' })
    for (let i = 0; i < 100; i++) await store.create({ ...rex, name: `Rex ${i}` })
    const creations = Array.from({ length: 100 }, () => store.create(rex))
    backUpSqlite({ file }, copy)
    await Promise.all(creations)
    if (!missingFeatures.modes) assert.equal(statSync(copy).mode & 0o777, 0o600)
    assert.deepEqual(listFiles(copy), [basename(copy)])
    const restored = await open(t, copy)
    const pets = await restored.store.list({ limit: 300 })
    assert.deepEqual(
      pets.slice(0, 100).map(({ name }) => name),
      Array.from({ length: 100 }, (_, i) => `Rex ${i}`),
    )
    assert.equal((await restored.store.create(rex)).id, BigInt(pets.length) + 1n)
    assert.ok(await restored.keys.find(key))
  })

  test('copies tables from another schema version', () => {
    const [file, copy] = [createFileName(), createFileName('backup.sqlite')]
    const script = `import { DatabaseSync } from 'node:sqlite'
      new DatabaseSync(process.argv[1]).exec('CREATE TABLE pets (id); PRAGMA user_version = 99')`
    spawnSync(process.execPath, ['--input-type=module', '--no-warnings', '--eval', script, file])
    backUpSqlite({ file }, copy)
    assert.ok(readFileSync(copy).includes('CREATE TABLE pets (id)'))
  })

  test('does not replace an existing file', async (t) => {
    const [file, copy] = [createFileName(), createFileName('backup.sqlite')]
    await open(t, file)
    writeFileSync(copy, 'another file')
    assert.throws(() => backUpSqlite({ file }, copy), {
      message: `${copy} already exists: choose a new file`,
    })
    assert.deepEqual([readFileSync(copy, 'utf8'), listFiles(copy)], ['another file', [basename(copy)]])
  })

  test('leaves no file after a failure', async () => {
    const copy = createFileName('backup.sqlite')
    const driver: SqliteDriver = new Function(
      'writeFileSync',
      `return ${createFailingDriver(`throw new Error('full')`)}`,
    )(writeFileSync)
    assert.throws(() => backUpSqlite({ file: createFileName(), driver }, copy), {
      message: /cannot be copied to/,
    })
    assert.deepEqual(listFiles(copy), [])
  })

  test('works after a previous backup was killed', async (t) => {
    const [file, copy] = [createFileName(), createFileName('backup.sqlite')]
    await open(t, file)
    const script = `
      import { writeFileSync } from 'node:fs'
      import { backUpSqlite } from '${new URL('index.ts', import.meta.url)}'
      const driver = ${createFailingDriver(`process.kill(process.pid, 'SIGKILL')`)}
      backUpSqlite({ file: process.argv[1], driver }, process.argv[2])`
    const flags = ['--import', 'tsx/esm', '--input-type=module', '--eval', script, file, copy]
    const { status } = spawnSync(process.execPath, flags, {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
    })
    assert.notEqual(status, 0) // null for a signal, 1 on Windows
    const name = basename(copy)
    assert.deepEqual(listFiles(copy).sort(), [`${name}.part`, `${name}.part-journal`])
    backUpSqlite({ file }, copy)
    assert.deepEqual(listFiles(copy), [name])
    assert.ok(existsSync(copy))
    await open(t, copy)
  })
})
