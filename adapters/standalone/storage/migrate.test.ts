import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mapPart, type Part, testWith } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { stop } from '../testing/command.ts'
import { baseAddressOf, start } from '../testing/program.ts'
import { temporaryDatabases } from '../testing/storages.ts'

const newFile = temporaryFiles()

/** Returns the flag of an empty storage. */
const storages: Readonly<Record<string, Part<() => Promise<string>>>> = {
  SQLite: mapPart(sqlite, () => async () => `--data ${newFile()}`),
  PostgreSQL: mapPart(
    await temporaryDatabases(),
    (newDatabase) => async () => `--postgres ${await newDatabase()}`,
  ),
}

/** Runs a command until it ends. */
async function run(commandLine: string): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = start(commandLine)
  return { exitCode: await exitCode, stdout: stdout.text, stderr: stderr.text }
}

for (const [name, part] of Object.entries(storages)) {
  testWith(part)(`migrate creates a storage in ${name} once, and says so`, async (_t, newStorage) => {
    const flag = await newStorage()
    for (const expected of [
      /^created the storage with schema 2 in \d+ ms\n$/,
      /^the storage has schema 2 already\n$/,
    ]) {
      const { exitCode, stdout, stderr } = await run(`migrate ${flag}`)
      assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' })
      assert.match(stdout, expected)
    }
  })

  testWith(part)(
    `serve --no-migrate rejects an empty storage in ${name}, with the command to run`,
    async (_t, newStorage) => {
      const flag = await newStorage()
      const { exitCode, stderr } = await run(`serve --port 0 --no-migrate ${flag}`)
      assert.equal(exitCode, 1)
      assert.match(stderr, /pet-adoption-service migrate --(?:data|postgres) /)
      assert.doesNotMatch(stderr, /postgres:\/\//)
      if (flag.startsWith('--data')) assert.ok(!existsSync(flag.slice(7)))
      assert.equal((await run(`migrate ${flag}`)).exitCode, 0)
      const server = start(`serve --port 0 --no-migrate ${flag}`)
      await baseAddressOf(server)
      await stop(server)
    },
  )
}
