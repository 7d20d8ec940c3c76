import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '../../core/index.ts'
import { createPostgresStore, migrate } from '../postgres.ts'

const passing = [
  { message: 'connection does not exist', code: '08003' },
  { message: 'sorry, too many clients already', code: '53300' },
  { message: 'terminating connection due to administrator command', code: '57P01' },
  { message: 'the database system is starting up', code: '57P03' },
  { message: 'canceling statement due to statement timeout', code: '57014' },
  { message: 'canceling statement due to lock timeout', code: '55P03' },
  { message: 'cannot execute INSERT in a read-only transaction', code: '25006' },
  { message: 'could not serialize access', code: '40001' },
  { message: 'connect ECONNREFUSED 127.0.0.1:5432', code: 'ECONNREFUSED' },
  { message: 'read ECONNRESET', code: 'ECONNRESET' },
  { message: 'connect ETIMEDOUT 192.0.2.1:5432', code: 'ETIMEDOUT' },
  { message: 'getaddrinfo ENOTFOUND database', code: 'ENOTFOUND' },
  { message: 'getaddrinfo EAI_AGAIN database', code: 'EAI_AGAIN' },
  { message: 'connect ENOENT /run/postgresql/.s.PGSQL.5432', code: 'ENOENT' },
  { message: 'write CONNECTION_CLOSED 127.0.0.1:5432', code: 'CONNECTION_CLOSED' },
  { message: 'write CONNECTION_ENDED 127.0.0.1:5432', code: 'CONNECTION_ENDED' },
  { message: 'write CONNECT_TIMEOUT 127.0.0.1:5432', code: 'CONNECT_TIMEOUT' },
  { message: 'Connection terminated unexpectedly' },
  { message: 'Connection terminated due to connection timeout' },
  { message: 'timeout exceeded when trying to connect' },
  { message: 'Query read timeout' },
  { message: 'Client has encountered a connection error and is not queryable' },
]
const lasting = [
  { message: 'password authentication failed for user "pets"', code: '28P01' },
  { message: 'database "pets" does not exist', code: '3D000' },
  { message: 'connection is not a function' },
]

/** Creates a store whose client always rejects. */
function failing(error: object): ReturnType<typeof createPostgresStore> {
  const client = { query: () => Promise.reject(Object.assign(new Error(), error)) }
  return createPostgresStore({ client })
}

for (const failure of passing)
  test(`"${failure.message}" becomes StoreUnavailable`, async () => {
    const isExpected = (error: Error) =>
      error instanceof StoreUnavailable && String(error.cause).includes(failure.message)
    const store = failing(failure)
    await assert.rejects(store.get(1n), isExpected)
    await assert.rejects(store.list({ limit: 1 }), isExpected)
    await assert.rejects(store.create({ name: 'Rex', categoryId: 1n }), isExpected)
    await assert.rejects(store.importPets([]), isExpected)
  })

test('only a PostgreSQL that sent nothing back is said not to respond', async () => {
  const silent = async (failure: object) =>
    /does not respond/.test(
      String(
        await failing(failure)
          .get(1n)
          .catch((error: unknown) => error),
      ),
    )
  for (const failure of passing)
    assert.equal(await silent(failure), !/^\d/.test(failure.code ?? ''), failure.message)
})

for (const failure of lasting)
  test(`"${failure.message}" is thrown as it is`, async () => {
    await assert.rejects(failing(failure).get(1n), failure)
  })

test('a value that is no Error is thrown as it is', async () => {
  const store = createPostgresStore({ client: { query: () => Promise.reject('a text') } })
  await assert.rejects(store.get(1n), (error) => error === 'a text')
})

for (const [message, grant] of [
  ['permission denied for table pets_creations', 'SELECT, INSERT, UPDATE, DELETE ON pets_creations'],
  ['keine Berechtigung für Sequenz »pets_id_seq«', 'USAGE, UPDATE ON SEQUENCE pets_id_seq'],
] as const)
  test(`a role without a privilege is a failure that says GRANT ${grant}`, async () => {
    const store = failing({ message, code: '42501' })
    await assert.rejects(store.create({ name: 'Rex', categoryId: 1n }), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable)
      return error.message.startsWith(`the role lacks a privilege: GRANT ${grant} TO `)
    })
  })

test('a creation that returns no id is an error', async () => {
  const store = createPostgresStore({ client: { query: async () => ({ rows: [] }) } })
  await assert.rejects(store.create({ name: 'Rex', categoryId: 1n }), /returned no id/)
})

test('an invalid option is named', async () => {
  const client = { query: async () => ({ rows: [] }) }
  // @ts-expect-error: a caller in JavaScript may pass it
  assert.throws(() => createPostgresStore({ client: 'postgres://localhost' }), /options\.client/)
  for (const table of ['', 'Pets', 'pets; DROP TABLE pets', 'a.b.c', '"pets"', '1pets', 'x'.repeat(60)]) {
    assert.throws(() => createPostgresStore({ client, table }), /options\.table/)
    await assert.rejects(migrate(client, { table }), { name: 'TypeError' })
  }
  // @ts-expect-error: likewise
  assert.throws(() => createPostgresStore({ client, tabel: 'x' }), /options\.tabel is no option/)
  // @ts-expect-error: likewise
  await assert.rejects(migrate(client, { tabel: 'x' }), /options\.tabel is no option/)
})

for (const [results, result] of Object.entries({
  nothing: undefined,
  'a count': { rowCount: 1 },
  'no row': { rows: [] },
  'rows that are arrays': { rows: [['yes']] },
  'an array of such rows': [['yes']],
}))
  test(`migrate rejects a client that returns ${results}, before it changes anything`, async () => {
    const statements: string[] = []
    const client = {
      async query(text: string) {
        statements.push(text)
        return result as []
      },
    }
    await assert.rejects(migrate(client), {
      name: 'TypeError',
      message: /result is \{ rows \} or an array of rows/,
    })
    assert.deepEqual(statements, [`SELECT 'yes' AS readable`])
  })
