import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Log } from '../log/log.ts'
import { sqliteModule } from './sqlite.ts'
import { openStorage } from './storage.ts'

/** Holds that a database in an empty folder, its -wal and its -shm have this mode. */
function assertModes(folder: string, mode: number): void {
  const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
  assert.deepEqual(
    modes.sort(),
    ['', '-shm', '-wal'].map((end) => [`pets.sqlite${end}`, mode]),
  )
}

/** A log that keeps what it is told. */
function keepingLog(): { log: Log; told: string[] } {
  const told: string[] = []
  const keep = (_event: string, message: string) => void told.push(message)
  const log: Log = {
    format: 'pretty',
    info: keep,
    warning: keep,
    error: keep,
    notice: () => {},
    flush: async () => {},
  }
  return { log, told }
}

test('where nothing is said, animals are kept in animals.sqlite; without SQLite in memory, which is said loudly', async (t) => {
  const [folder, before] = [mkdtempSync(`${tmpdir()}/storage-`), process.cwd()]
  process.chdir(folder)
  t.after(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  })
  const { log, told } = keepingLog()
  const { store, close } = await openStorage(undefined, log)
  const pet = await store.create({ name: 'Rex', categoryId: 2n ** 63n - 1n })
  assert.deepEqual({ ...(await store.get(1n)) }, { ...pet })
  await close()
  assert.equal(existsSync('animals.sqlite'), sqliteModule() !== undefined)
  assert.match(told.join(), sqliteModule() ? /kept in animals\.sqlite/ : /ALL ARE LOST/)
})

test('memory that was asked for is not warned of', async () => {
  const { log, told } = keepingLog()
  const { close } = await openStorage({ kind: 'memory', value: 'on', source: '--memory' }, log)
  await close()
  assert.deepEqual(told, [])
})

for (const umask of ['022', '000'])
  test(`a new database is for its owner alone, with an umask of ${umask}; one that was opened to others stays so`, {
    skip: (!sqliteModule() || process.platform === 'win32') && 'no SQLite here, or no file modes',
  }, async (t) => {
    const [folder, before] = [mkdtempSync(`${tmpdir()}/storage-`), process.umask(umask)]
    t.after(() => {
      process.umask(before)
      rmSync(folder, { recursive: true })
    })
    const file = join(folder, 'pets.sqlite')
    for (const mode of [0o600, 0o640]) {
      const { store, close } = await openStorage(
        { kind: 'data', value: file, source: '--data' },
        keepingLog().log,
      )
      await store.create({ name: 'Rex', categoryId: 1n })
      assertModes(folder, mode)
      await close()
      chmodSync(file, 0o640)
    }
  })

test('a file is never replaced by memory where the runtime has no SQLite', {
  skip: sqliteModule() && 'this runtime has SQLite',
}, async () => {
  const { log } = keepingLog()
  await assert.rejects(openStorage({ kind: 'data', value: 'x', source: '--data' }, log), /needs node:sqlite/)
})
