import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { testWith } from '../../contracts/testing/part.ts'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { lacks } from '../../testing/machine.ts'
import { fail, run, stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { temporaryStorages } from '../testing/storages.ts'
import type { StorageLog } from './open-storage.ts'
import { findSqlite } from './sqlite.ts'
import { openStorage } from './storage.ts'

const folder = temporaryFolder()
const newFolder = () => mkdtempSync(join(folder, 'storage-'))
const storages = await temporaryStorages()

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

describe('the storage', () => {
  it('is animals.sqlite by default, or the memory with a warning', async (t) => {
    const before = process.cwd()
    process.chdir(newFolder())
    t.after(() => process.chdir(before))
    const { log, messages } = collectingLog()
    const { store, close } = await openStorage(undefined, log)
    const pet = await store.create({ name: 'Rex', categoryId: 2n ** 63n - 1n })
    assert.deepEqual({ ...(await store.get(1n)) }, { ...pet })
    await close()
    assert.equal(existsSync('animals.sqlite'), findSqlite() !== undefined)
    assert.match(messages.join(), findSqlite() ? /stored in animals\.sqlite/ : /ALL ARE LOST/)
    const chosen = collectingLog()
    await (await openStorage({ kind: 'memory', value: 'on', source: '--memory' }, chosen.log)).close()
    assert.deepEqual(chosen.messages, [])
  })

  for (const umask of ['022', '000'])
    it(`has mode 0600 if it is new, and its own mode later (umask ${umask})`, {
      skip: lacks.modes || (!findSqlite() && 'this runtime has no SQLite'),
    }, async (t) => {
      const [folder, before] = [newFolder(), process.umask(umask)]
      t.after(() => process.umask(before))
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

  for (const [name, storage] of Object.entries(storages)) {
    testWith(storage)(`${name}: serve --no-migrate needs migrate first`, async (_t, newStorage) => {
      const flag = await newStorage()
      const [exitCode, message] = await fail(`serve --port 0 --no-migrate ${flag}`)
      assert.equal(exitCode, 1)
      assert.match(message, /pet-adoption-service migrate --data |: migrate the database/)
      assert.doesNotMatch(message, /postgres:\/\//)
      if (flag.startsWith('--data')) assert.ok(!existsSync(flag.slice(7)))
      assert.match(await run(`migrate ${flag}`), /^created the storage with schema 2 in \d+ ms\n$/)
      assert.equal(await run(`migrate ${flag}`), 'the storage has schema 2 already\n')
      await stop(await startServer(`serve --port 0 --no-migrate ${flag}`))
    })
  }

  for (const [source, args, env] of [
    ['--data', '--data /nowhere/animals.sqlite', {}],
    ['PET_ADOPTION_DATA', '', { PET_ADOPTION_DATA: '/nowhere/animals.sqlite' }],
  ] as const)
    it(`cannot be in a missing folder, with a message about ${source}`, {
      skip: !findSqlite() && 'this runtime has no SQLite',
    }, async () => {
      const [exitCode, message] = await fail(`serve --port 0 ${args}`, { env })
      assert.equal(exitCode, 1)
      assert.ok(message.startsWith(source), message)
    })

  it('cannot be a file on a runtime without SQLite, and ends with 2', {
    skip: findSqlite() && 'this runtime has SQLite',
  }, async () => {
    for (const command of ['serve --port 0', 'keys issue --id a --plan pro', 'migrate']) {
      const [exitCode, message] = await fail(`${command} --data x`)
      assert.equal(exitCode, 2, command)
      assert.match(message, /^--data needs SQLite/)
    }
  })
})
