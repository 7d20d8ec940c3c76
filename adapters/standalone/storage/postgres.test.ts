import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import { testWith } from '../../contracts/testing/part.ts'
import { postgresUrl } from '../../contracts/testing/postgres.ts'
import { runId } from '../../contracts/testing/run-id.ts'
import { createTcpProxy } from '../../contracts/testing/tcp-proxy.ts'
import { catchError } from '../errors.ts'
import { temporaryDatabases } from '../testing/storages.ts'
import { openStorage } from './storage.ts'

const databases = await temporaryDatabases()
const log = { info() {}, warning() {} }
const role = `pets_test_role_${runId}`

async function run(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

testWith(databases)('a missing grant stops the start, which names it', async (_t, newDatabase) => {
  const value = await newDatabase()
  const { close } = await openStorage({ kind: 'postgres', value, source: '--postgres' }, log)
  await close()
  const url = new URL(value)
  const schema = /search_path=(\w+)/.exec(url.searchParams.get('options') ?? '')?.[1]
  await run(`CREATE ROLE ${role} LOGIN`, `GRANT USAGE ON SCHEMA ${schema} TO ${role}`)
  await run(`GRANT INSERT ON ${schema}.pets TO ${role}`)
  await run(`GRANT SELECT, INSERT, UPDATE ON ${schema}.pets_creations TO ${role}`)
  after(() => run(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`))
  url.username = role
  const choice = { kind: 'postgres', value: url.href, source: '--postgres' } as const
  for (const object of ['ON pets_creations', 'ON SEQUENCE pets_id_seq', 'ON pets']) {
    const rejection = String(await catchError(() => openStorage(choice, log)))
    const [, grant] =
      /^StartError: --postgres: the role lacks a privilege: (.*)its name/.exec(rejection) ?? []
    assert.ok(grant?.endsWith(` ${object} TO `), rejection)
    await run(`SET search_path TO ${schema}; ${grant}${role}`)
  }
  const storage = await openStorage(choice, log)
  await assert.rejects(async () => storage.keys?.find('a-key'), /: GRANT SELECT.* ON pets_api_keys TO/)
  const key = { token: 'a'.repeat(64), fingerprint: 'b'.repeat(64), now: 1, expiresAt: 2 }
  const { createOnce } = storage.store
  assert.deepEqual(await createOnce({ name: 'Rex', categoryId: 1n }, key), { outcome: 'created', id: 1n })
  await storage.close()
})

testWith(databases)('failed lookups of keys open a circuit breaker', async (_t, newDatabase) => {
  const url = new URL(await newDatabase())
  const proxy = await createTcpProxy(Number(url.port))
  url.port = String(proxy.port)
  const storage = await openStorage({ kind: 'postgres', value: url.href, source: '--postgres' }, log)
  await proxy.cut()
  const problems: string[] = []
  for (let i = 0; i < 50; i++)
    problems.push(String(await catchError(() => storage.keys?.find(`unknown-${i}`))))
  for (const problem of problems.slice(0, 5)) assert.match(problem, /no connection to PostgreSQL$/)
  assert.match(problems.join(), /fails, and is tried once per second/)
  await storage.close()
})
