import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { testWith } from '../../contracts/testing/part.ts'
import { fail, run, stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { temporaryStorages } from '../testing/storages.ts'

for (const [name, storage] of Object.entries(await temporaryStorages())) {
  testWith(storage)(
    `serve --no-migrate rejects an empty storage in ${name}, and migrate creates it once`,
    async (_t, newStorage) => {
      const flag = await newStorage()
      const [exitCode, message] = await fail(`serve --port 0 --no-migrate ${flag}`)
      assert.equal(exitCode, 1)
      assert.match(message, /pet-adoption-service migrate --data |: migrate the database/)
      assert.doesNotMatch(message, /postgres:\/\//)
      if (flag.startsWith('--data')) assert.ok(!existsSync(flag.slice(7)))
      assert.match(await run(`migrate ${flag}`), /^created the storage with schema 2 in \d+ ms\n$/)
      assert.equal(await run(`migrate ${flag}`), 'the storage has schema 2 already\n')
      await stop(await startServer(`serve --port 0 --no-migrate ${flag}`))
    },
  )
}
