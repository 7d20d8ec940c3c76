import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import { testWith } from '../../contracts/testing/part.ts'
import { postgresUrl } from '../../contracts/testing/postgres.ts'
import { temporaryDatabases } from '../testing/database.ts'
import { openStorage } from './storage.ts'

const databases = await temporaryDatabases()
const log = { info() {}, warning() {} }
const role = `pets_test_role_${process.pid}`

async function run(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

testWith(databases)(
  'a role that may not read the animals stops the start with the cause',
  async (_t, newDatabase) => {
    const value = await newDatabase()
    const { close } = await openStorage({ kind: 'postgres', value, source: '--postgres' }, log)
    await close()
    const url = new URL(value)
    const schema = /search_path=(\w+)/.exec(url.searchParams.get('options') ?? '')?.[1]
    await run(`CREATE ROLE ${role} LOGIN`, `GRANT USAGE ON SCHEMA ${schema} TO ${role}`)
    after(() => run(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`))
    url.username = role
    await assert.rejects(openStorage({ kind: 'postgres', value: url.href, source: '--postgres' }, log), {
      name: 'StartError',
      message: /^--postgres: the role lacks privileges: run GRANT/,
    })
  },
)
