import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { mapPart, type Part, testWith } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { stop } from '../testing/command.ts'
import { baseAddressOf, start } from '../testing/program.ts'
import { temporaryDatabases } from '../testing/storages.ts'

const newFile = temporaryFiles()
const databases = await temporaryDatabases()
const fixture = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Restores the dump of version 1 into the schema of an address. */
async function restore(url: string): Promise<void> {
  const schema = /search_path=(\w+)/.exec(decodeURIComponent(url))?.[1]
  const client = new pg.Client(url)
  await client.connect()
  const dump = readFileSync(fixture('postgres/testing/version-1.sql'), 'utf8')
  await client.query(dump.replaceAll('public.', `${schema}.`))
  await client.end()
}

/** The flags of a storage of version 1, and of an empty one. */
interface Storages {
  versionOne(): Promise<string>
  empty(): Promise<string>
}

const storages: Readonly<Record<string, Part<Storages>>> = {
  SQLite: mapPart(sqlite, () => ({
    async versionOne() {
      const file = newFile()
      copyFileSync(fixture('sqlite/testing/version-1.db'), file)
      return `--data ${file}`
    },
    empty: async () => `--data ${newFile()}`,
  })),
  PostgreSQL: mapPart(databases, (newDatabase) => ({
    async versionOne() {
      const url = await newDatabase()
      await restore(url)
      return `--postgres ${url}`
    },
    empty: async () => `--postgres ${await newDatabase()}`,
  })),
}

/** Runs a command until it ends. */
async function run(commandLine: string): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = start(commandLine)
  return { exitCode: await exitCode, stdout: stdout.text, stderr: stderr.text }
}

for (const [name, part] of Object.entries(storages)) {
  const storageTest = testWith(part)

  storageTest(
    `migrate gives a storage in ${name} the newest schema, and says from which it came`,
    async (_t, { versionOne }) => {
      const flag = await versionOne()
      for (const expected of [
        /^migrated the storage from schema 1 to 2 in \d+ ms\n$/,
        /^the storage has schema 2 already\n$/,
      ]) {
        const { exitCode, stdout, stderr } = await run(`migrate ${flag}`)
        assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' })
        assert.match(stdout, expected)
      }
    },
  )

  storageTest(
    `a server that migrates a storage in ${name} logs it, and a command does so on stderr`,
    async (_t, { versionOne }) => {
      const server = start(`serve --port 0 ${await versionOne()}`)
      await baseAddressOf(server)
      assert.match(server.stdout.text, /migrated the storage from schema 1 to 2 in \d+ ms/)
      server.events.emit('SIGTERM')
      await server.exitCode
      const { stdout, stderr } = await run(`keys list --json ${await versionOne()}`)
      assert.equal(stdout, '[]\n')
      assert.match(stderr, /^migrated the storage from schema 1 to 2 in \d+ ms\n$/)
    },
  )

  storageTest(
    `serve --no-migrate rejects an older storage in ${name}, with the command to run`,
    async (_t, { versionOne, empty }) => {
      for (const flag of [await versionOne(), await empty()]) {
        const { exitCode, stderr } = await run(`serve --port 0 --no-migrate ${flag}`)
        assert.equal(exitCode, 1)
        assert.match(stderr, /pet-adoption-service migrate --(?:data|postgres) /)
        assert.doesNotMatch(stderr, /postgres:\/\//)
        if (flag.startsWith('--data') && /there is no file/.test(stderr))
          assert.ok(!existsSync(flag.slice(7)))
        const migrated = await run(`migrate ${flag}`)
        assert.equal(migrated.exitCode, 0)
        assert.match(migrated.stdout, /^(?:migrated|created) the storage .*schema .*2 in \d+ ms\n$/)
        const server = start(`serve --port 0 --no-migrate ${flag}`)
        await baseAddressOf(server)
        await stop(server)
      }
    },
  )
}

testWith(databases)(
  'a migration that SIGTERM interrupts ends in PostgreSQL too, and leaves the storage as it was',
  async (_t, newDatabase) => {
    const url = await newDatabase()
    await restore(url)
    const other = new pg.Client(url)
    await other.connect()
    await other.query('BEGIN; LOCK TABLE pets IN SHARE UPDATE EXCLUSIVE MODE')
    const { events, exitCode, stderr } = start(`migrate --postgres ${url}`)
    const { rows } = await untilOne(
      other,
      `SELECT pid FROM pg_locks WHERE relation = 'pets'::regclass AND NOT granted`,
    )
    events.emit('SIGTERM')
    assert.equal(await exitCode, 1)
    assert.match(stderr.text, /the migration was interrupted by SIGTERM, and has changed nothing/)
    const left = await other.query(`SELECT FROM pg_locks WHERE pid = ${rows[0].pid} AND NOT granted`)
    assert.equal(left.rowCount, 0)
    await other.query('ROLLBACK')
    await other.end()
    assert.match((await run(`migrate --postgres ${url}`)).stdout, /from schema 1 to 2/)
  },
)

/** Repeats a query until it returns a row. */
async function untilOne(client: pg.Client, query: string): Promise<pg.QueryResult> {
  for (;;) {
    const result = await client.query(query)
    if (result.rowCount) return result
    await sleep(10)
  }
}
