import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { testWith } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { lacks } from '../../testing/machine.ts'
import { fail, run } from '../testing/command.ts'
import { openStorage } from './storage.ts'

const it = testWith(sqlite)
const newFile = temporaryFiles()
const log = { info() {}, warning() {} }
const open = (value: string) => openStorage({ kind: 'data', value, source: '--data' }, log)

describe('backup FILE', () => {
  it('copies the animals of one moment and the keys while the file is in use', async () => {
    const [file, copy] = [newFile(), newFile('backup.sqlite')]
    const { store, close } = await open(file)
    await run(`keys issue --data ${file} --id shelter --plan pro`)
    for (let i = 0; i < 100; i++) await store.create({ name: `Rex ${i}`, categoryId: 2n ** 63n - 1n })
    const creations = Array.from({ length: 100 }, () => store.create({ name: 'Mia', categoryId: 1n }))
    assert.equal(await run(`backup --data ${file} ${copy}`), `copied the storage to ${copy}\n`)
    await Promise.all(creations)
    await close()
    if (!lacks.modes) assert.equal(statSync(copy).mode & 0o777, 0o600)
    const list = 'keys list --json --data'
    assert.equal(await run(`${list} ${copy}`), await run(`${list} ${file}`))
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
    const message = `--data: ${copy} exists already: name a new file`
    assert.deepEqual(await fail(`backup --data ${file} ${copy}`), [1, message])
    assert.equal(readFileSync(copy, 'utf8'), 'another file')
  })

  it('leaves no file when it fails', async () => {
    const [file, copy] = [newFile(), newFile('backup.sqlite')]
    writeFileSync(file, 'no database '.repeat(100))
    const [exitCode, message] = await fail(`backup --data ${file} ${copy}`)
    assert.equal(exitCode, 1)
    assert.match(message, /is not a SQLite database/)
    assert.throws(() => statSync(copy), { code: 'ENOENT' })
  })

  it('names pg_dump for PostgreSQL', async () => {
    const [exitCode, message] = await fail(`backup --postgres postgres://127.0.0.1/pets ${newFile()}`)
    assert.equal(exitCode, 2)
    assert.match(message, /^--postgres: backup copies SQLite files: use pg_dump/)
  })
})
