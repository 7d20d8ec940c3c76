import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { testWith } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { lacks } from '../../testing/machine.ts'
import { catchError } from '../errors.ts'
import { backupStorage, openStorage } from './storage.ts'

const it = testWith(sqlite)
const newFile = temporaryFiles()
const log = { info() {}, warning() {} }
const createSettings = (value: string) => ({ data: { value, source: '--data' } })
const open = (value: string) => openStorage({ kind: 'data', value, source: '--data' }, log)

describe('the backup of a SQLite file', () => {
  it('has the animals of one moment while the file is in use', async () => {
    const [file, copy] = [newFile(), newFile('backup.sqlite')]
    const { store, close } = await open(file)
    for (let i = 0; i < 100; i++) await store.create({ name: `Rex ${i}`, categoryId: 2n ** 63n - 1n })
    const creations = Array.from({ length: 100 }, () => store.create({ name: 'Mia', categoryId: 1n }))
    assert.equal(await backupStorage(createSettings(file), copy), `copied the storage to ${copy}\n`)
    await Promise.all(creations)
    await close()
    if (!lacks.modes) assert.equal(statSync(copy).mode & 0o777, 0o600)
    const restored = await open(copy)
    const pets = await restored.store.list({ limit: 300 })
    assert.deepEqual(
      pets.slice(0, 100).map(({ name }) => name),
      Array.from({ length: 100 }, (_, i) => `Rex ${i}`),
    )
    assert.equal((await restored.store.create({ name: 'Max', categoryId: 1n })).id, BigInt(pets.length) + 1n)
    await restored.close()
  })

  it('replaces no file', async () => {
    const [file, copy] = [newFile(), newFile('backup.sqlite')]
    await (await open(file)).close()
    writeFileSync(copy, 'another file')
    const failure = String(await catchError(() => backupStorage(createSettings(file), copy)))
    assert.match(failure, /^StartError: --data: .*backup\.sqlite exists already: name a new file$/)
    assert.equal(readFileSync(copy, 'utf8'), 'another file')
  })

  it('leaves no file when it fails', async () => {
    const [file, copy] = [newFile(), newFile('backup.sqlite')]
    writeFileSync(file, 'no database '.repeat(100))
    assert.match(
      String(await catchError(() => backupStorage(createSettings(file), copy))),
      /is not a SQLite database/,
    )
    assert.throws(() => statSync(copy), { code: 'ENOENT' })
  })

  it('names pg_dump for PostgreSQL', async () => {
    const settings = { postgres: { value: 'postgres://127.0.0.1/pets', source: '--postgres' } }
    await assert.rejects(
      backupStorage(settings, newFile()),
      /--postgres: backup copies SQLite files: use pg_dump/,
    )
  })
})
