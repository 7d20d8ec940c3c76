import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { StoreUnavailableError } from '../../core/index.ts'
import { openTestDatabase as openDatabase } from '../contracts/testing/sqlite.ts'
import { createTemporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { missingFeatures } from '../testing/machine.ts'
import { type BackendEvent, type OpenSqliteOptions, openSqlite, type StoreBackend } from './index.ts'
import { createFileName, rex, test } from './testing/open.ts'

const folder = createTemporaryFolder()

interface Opened extends StoreBackend {
  readonly events: BackendEvent[]
}

async function open(t: TestContext, options: Partial<OpenSqliteOptions> = {}): Promise<Opened> {
  const events: BackendEvent[] = []
  const backend = await openSqlite({
    file: createFileName(),
    onEvent: (event) => events.push(event),
    ...options,
  })
  t.after(backend.close)
  return { ...backend, events }
}

describe('openSqlite', () => {
  test('creates the tables and opens them again', async (t) => {
    const file = createFileName()
    const { store, keys, versions, check, metrics } = await open(t, { file })
    assert.deepEqual([versions, await check(), metrics()], [{ from: 0, to: 2 }, {}, {}])
    const { id } = await store.create(rex)
    const { key } = await keys.issue({ id: 'shelter', plan: 'pro' })
    const other = await open(t, { file })
    assert.deepEqual(
      [other.versions, await other.store.get(id)],
      [
        { from: 2, to: 2 },
        { ...rex, id },
      ],
    )
    assert.deepEqual(await other.keys.find(key), { id: 'shelter', plan: 'pro' })
  })

  test('serves requests during imports and exports', async (t) => {
    const { store } = await open(t)
    await store.create(rex)
    async function* pets() {
      yield rex
      assert.equal((await store.list({ limit: 10 })).length, 1)
    }
    assert.equal(await store.importPets(pets()), 1)
    const exported = []
    for await (const { id } of store.exportPets()) {
      if (exported.length === 0) await store.create(rex)
      exported.push(id)
    }
    assert.deepEqual(exported, [1n, 2n])
    assert.equal((await store.list({ limit: 10 })).length, 3)
  })

  for (const umask of ['022', '000'])
    test(`protects its files under umask ${umask}`, async (t) => {
      if (missingFeatures.modes) return t.skip('this system has no file modes')
      const [own, before] = [mkdtempSync(join(folder, 'mode-')), process.umask(umask)]
      t.after(() => process.umask(before))
      const file = join(own, 'pets.sqlite')
      for (const mode of [0o600, 0o640]) {
        const { store, close } = await openSqlite({ file })
        await store.create(rex)
        const modes = readdirSync(own).map((name) => [name, statSync(join(own, name)).mode & 0o777])
        const expected = ['', '-shm', '-wal'].map((end) => [`pets.sqlite${end}`, mode])
        assert.deepEqual(modes.sort(), expected)
        await close()
        chmodSync(file, 0o640)
      }
    })

  test('rejects calls while the file is missing', async (t) => {
    if (process.platform === 'win32') return t.skip('Windows does not rename an open file')
    const file = createFileName()
    const { store, check } = await open(t, { file })
    await store.create(rex)
    renameSync(file, `${file}-elsewhere`)
    await setTimeout(1_000)
    const gone = { name: 'StoreUnavailableError', message: /was removed while it was in use: restore it/ }
    await assert.rejects(async () => store.list({ limit: 1 }), gone)
    await assert.rejects(async () => store.create(rex), StoreUnavailableError)
    assert.match(String((await check()).reads), /was removed/)
    renameSync(`${file}-elsewhere`, file)
    await setTimeout(1_000)
    assert.equal((await store.create(rex)).id, 2n)
    assert.equal((await store.list({ limit: 3 })).length, 2)
  })

  test('reports a locked file and its release', async (t) => {
    const file = createFileName()
    const { store, check, events } = await open(t, { file })
    const other = openDatabase(file)
    t.after(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    assert.match(String((await check()).writes), /is locked by another program/)
    assert.deepEqual((await store.list({ limit: 1 })).length, 0)
    other.exec('ROLLBACK')
    await setTimeout(1_000)
    assert.deepEqual(await check(), {})
    assert.deepEqual(
      events.map(({ level, message }) => `${level}: ${message}`),
      ['warning: writes are failing', 'info: the store has recovered'],
    )
  })
})

describe('openSqlite', () => {
  test('rejects a file with content but no tables', async (t) => {
    const file = createFileName()
    const cut = openDatabase(file)
    cut.exec('PRAGMA user_version = 0; CREATE TABLE pets (id); DROP TABLE pets')
    cut.close()
    const before = readFileSync(file)
    assert.ok(before.length > 0)
    const error = {
      name: 'StartupError',
      code: 'unusable',
      message: /has no tables, but is not empty: restore a backup/,
    }
    await assert.rejects(openSqlite({ file }), error)
    assert.deepEqual(readFileSync(file), before)
    const empty = createFileName()
    writeFileSync(empty, '')
    await open(t, { file: empty })
  })

  test('creates nothing if migrate is false', async () => {
    const file = createFileName()
    const error = {
      name: 'StartupError',
      code: 'unusable',
      message: /does not exist: migrate the database first$/,
    }
    await assert.rejects(openSqlite({ file, migrate: false }), error)
    assert.ok(!existsSync(file))
    writeFileSync(file, '')
    await assert.rejects(openSqlite({ file, migrate: false }), {
      message: /has missing or outdated tables: migrate the database$/,
    })
  })

  test('reports a missing folder', async () => {
    const error = {
      code: 'unavailable',
      message: /^\/nowhere\/x cannot be opened: check that its folder exists/,
    }
    await assert.rejects(openSqlite({ file: '/nowhere/x' }), error)
  })

  it('rejects invalid and unknown options', async () => {
    for (const [options, message] of [
      [{}, /^options.file must be a path$/],
      [{ file: 'x', driver: 5 }, /^options.driver must be a function$/],
      [{ file: 'x', table: 'pets' }, /^unknown option "options.table"/],
    ] as const)
      await assert.rejects(openSqlite(options as unknown as OpenSqliteOptions), {
        name: 'TypeError',
        message,
      })
  })

  it('reports a runtime without SQLite', {
    skip: process.getBuiltinModule?.('node:sqlite') && 'this runtime has SQLite',
  }, async () => {
    const error = { code: 'missing_driver', message: /use Node 22.13 or later, or pass the driver/ }
    await assert.rejects(openSqlite({ file: createFileName() }), error)
  })
})
