import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacks } from '../../testing/machine.ts'
import type { StorageLog } from './open-storage.ts'
import { sqliteModule } from './sqlite.ts'
import { openStorage } from './storage.ts'

/** Asserts that a database in an empty folder, its -wal and its -shm have this mode. */
function assertModes(folder: string, mode: number): void {
  const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
  assert.deepEqual(
    modes.sort(),
    ['', '-shm', '-wal'].map((end) => [`pets.sqlite${end}`, mode]),
  )
}

/** A log that collects its messages. */
function collectingLog(): { log: StorageLog; messages: string[] } {
  const messages: string[] = []
  const collect = (_event: string, message: string) => void messages.push(message)
  return { log: { info: collect, warning: collect }, messages }
}

test('by default animals are stored in animals.sqlite; without SQLite in memory, with a warning, but where memory was chosen', async (t) => {
  const [folder, before] = [mkdtempSync(`${tmpdir()}/storage-`), process.cwd()]
  process.chdir(folder)
  t.after(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  })
  const { log, messages } = collectingLog()
  const { store, close } = await openStorage(undefined, log)
  const pet = await store.create({ name: 'Rex', categoryId: 2n ** 63n - 1n })
  assert.deepEqual({ ...(await store.get(1n)) }, { ...pet })
  await close()
  assert.equal(existsSync('animals.sqlite'), sqliteModule() !== undefined)
  assert.match(messages.join(), sqliteModule() ? /stored in animals\.sqlite/ : /ALL ARE LOST/)
  const chosen = collectingLog()
  await (await openStorage({ kind: 'memory', value: 'on', source: '--memory' }, chosen.log)).close()
  assert.deepEqual(chosen.messages, [])
})

for (const umask of ['022', '000'])
  test(`a new database is for its owner alone, with an umask of ${umask}; an existing one retains its mode`, {
    skip: lacks.modes || (!sqliteModule() && 'this runtime has no SQLite'),
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
        collectingLog().log,
      )
      await store.create({ name: 'Rex', categoryId: 1n })
      assertModes(folder, mode)
      await close()
      chmodSync(file, 0o640)
    }
  })

test('memory never replaces a file where the runtime has no SQLite', {
  skip: sqliteModule() && 'this runtime has SQLite',
}, async () => {
  const { log } = collectingLog()
  await assert.rejects(openStorage({ kind: 'data', value: 'x', source: '--data' }, log), /needs node:sqlite/)
})
