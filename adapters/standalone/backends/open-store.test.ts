import assert from 'node:assert/strict'
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { testWith } from '../../contracts/testing/resource.ts'
import { createTemporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { findSqlite } from '../load-driver.ts'
import { fail, run, stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { createTemporaryStorages } from '../testing/storages.ts'

const folder = createTemporaryFolder()
const storages = await createTemporaryStorages()

describe('the storage', () => {
  it('is animals.sqlite by default, or memory without SQLite', async (t) => {
    const before = process.cwd()
    process.chdir(mkdtempSync(join(folder, 'default-')))
    t.after(() => process.chdir(before))
    // An empty variable is the same as an unset one.
    const server = await startServer('--port 0', { env: { PET_ADOPTION_MEMORY: '' } })
    const { text } = findSqlite() ? server.stdout : server.stderr
    assert.match(text, findSqlite() ? /stored in animals\.sqlite/ : /ALL ARE LOST/)
    await stop(server)
    assert.equal(existsSync('animals.sqlite'), findSqlite() !== undefined)
    const chosen = await startServer('--port 0 --memory')
    assert.doesNotMatch(chosen.stdout.text + chosen.stderr.text, /stored in|ALL ARE LOST/)
    await stop(chosen)
  })

  for (const [name, storage] of Object.entries(storages)) {
    testWith(storage)(`must be migrated before serve --no-migrate (${name})`, async (_t, newStorage) => {
      const flag = await newStorage()
      const [exitCode, message] = await fail(`serve --port 0 --no-migrate ${flag}`)
      assert.equal(exitCode, 1)
      assert.match(message, /^--(?:data|postgres): .*does not exist: migrate the database(?: first)?$/)
      assert.doesNotMatch(message, /postgres:\/\//)
      if (flag.startsWith('--data')) assert.ok(!existsSync(flag.slice(7)))
      assert.match(await run(`migrate ${flag}`), /^created the storage with schema 2 in \d+ ms\n$/)
      assert.equal(await run(`migrate ${flag}`), 'the storage already has schema 2\n')
      await stop(await startServer(`serve --port 0 --no-migrate ${flag}`))
    })
  }

  for (const [source, args, env] of [
    ['--data', '--data /nowhere/animals.sqlite', {}],
    ['PET_ADOPTION_DATA', '', { PET_ADOPTION_DATA: '/nowhere/animals.sqlite' }],
  ] as const)
    it(`is reported as ${source} if its file cannot be opened`, {
      skip: !findSqlite() && 'this runtime has no SQLite',
    }, async () => {
      const [exitCode, message] = await fail(`serve --port 0 ${args}`, { env })
      assert.equal(exitCode, 1)
      assert.ok(message.startsWith(source), message)
    })

  it('cannot be a file if the runtime has no SQLite', {
    skip: findSqlite() && 'this runtime has SQLite',
  }, async () => {
    for (const command of ['serve --port 0', 'keys issue --id a --plan pro', 'migrate']) {
      const [exitCode, message] = await fail(`${command} --data x`)
      assert.equal(exitCode, 2, command)
      assert.match(message, /^--data needs SQLite/)
    }
  })

  testWith(storages.PostgreSQL)('cannot be a read-only PostgreSQL database', async (_t, newStorage) => {
    const url = new URL((await newStorage()).slice('--postgres '.length))
    await run(`migrate --postgres ${url.href}`)
    const options = `${url.searchParams.get('options')} -c default_transaction_read_only=on`
    url.searchParams.set('options', options)
    const [exitCode, message] = await fail(['serve', '--port', '0', '--postgres', url.href])
    assert.equal(exitCode, 1)
    assert.match(message, /^--postgres: PostgreSQL cannot run the statement now: cannot execute INSERT/)
  })
})
