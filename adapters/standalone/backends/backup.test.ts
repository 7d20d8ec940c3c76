import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { testWith } from '../../contracts/testing/resource.ts'
import { createFileNamer, sqlite } from '../../contracts/testing/sqlite.ts'
import { fail, run } from '../testing/command.ts'

const it = testWith(sqlite)
const newFile = createFileNamer()

describe('the backup command', () => {
  it('copies a file with its keys', async () => {
    const [file, copy] = [newFile(), newFile('backup.sqlite')]
    await run(`keys issue --data ${file} --id shelter --plan pro`)
    assert.equal(await run(`backup --data ${file} ${copy}`), `copied the storage to ${copy}\n`)
    const list = 'keys list --json --data'
    assert.equal(await run(`${list} ${copy}`), await run(`${list} ${file}`))
    const message = `--data: ${copy} already exists: choose a new file`
    assert.deepEqual(await fail(`backup --data ${file} ${copy}`), [1, message])
  })

  it('rejects a missing file and a file that is not a database', async () => {
    const [file, copy] = [newFile(), newFile('backup.sqlite')]
    const missing = `--data: the file ${file} does not exist`
    assert.deepEqual(await fail(`backup --data ${file} ${copy}`), [1, missing])
    writeFileSync(file, 'no database '.repeat(100))
    const unreadable = `--data: ${file} cannot be copied to ${copy}: file is not a database`
    assert.deepEqual(await fail(`backup --data ${file} ${copy}`), [1, unreadable])
    assert.ok(!existsSync(copy))
  })

  it('recommends pg_dump for PostgreSQL', async () => {
    const [exitCode, message] = await fail(`backup --postgres postgres://127.0.0.1/pets ${newFile()}`)
    assert.equal(exitCode, 2)
    assert.match(message, /^--postgres: backup copies SQLite files only: use pg_dump/)
  })
})
