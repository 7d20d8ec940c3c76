import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailableError } from '../../core/index.ts'
import {
  createPostgresKeyStore,
  createPostgresStore,
  migrate,
  type PostgresClient,
  type PostgresResult,
  type PostgresStore,
} from './index.ts'

/** Messages of failures that may pass, with their codes. */
const temporaryFailures: Readonly<Record<string, string | undefined>> = {
  'password authentication failed for user "pets"': '28P01',
  'role "pets" is not permitted to log in': '28000',
  'no pg_hba.conf entry for host "192.0.2.1"': '28000',
  'database "pets" does not exist': '3D000',
  'database "pets" is not currently accepting connections': '55000',
  'remaining connection slots are reserved': '53300',
  'too many connections for role "pets"': '53300',
  'unsupported startup parameter: options': '08P01',
  'self-signed certificate': 'DEPTH_ZERO_SELF_SIGNED_CERT',
  'unable to verify the first certificate': 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'certificate has expired': 'CERT_HAS_EXPIRED',
  "Hostname/IP does not match certificate's altnames": 'ERR_TLS_CERT_ALTNAME_INVALID',
  'wrong version number': 'ERR_SSL_WRONG_VERSION_NUMBER',
  'write EPROTO': 'EPROTO',
  'The server does not support SSL connections': undefined,
  'There was an error establishing an SSL connection': undefined,
  'SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match': undefined,
  'Client was closed and is not queryable': undefined,
  'connection does not exist': '08003',
  'sorry, too many clients already': '53300',
  'terminating connection due to administrator command': '57P01',
  'the database system is starting up': '57P03',
  'canceling statement due to statement timeout': '57014',
  'canceling statement due to lock timeout': '55P03',
  'cannot execute INSERT in a read-only transaction': '25006',
  'could not serialize access': '40001',
  'connect ECONNREFUSED 127.0.0.1:5432': 'ECONNREFUSED',
  'read ECONNRESET': 'ECONNRESET',
  'connect ETIMEDOUT 192.0.2.1:5432': 'ETIMEDOUT',
  'getaddrinfo ENOTFOUND database': 'ENOTFOUND',
  'getaddrinfo EAI_AGAIN database': 'EAI_AGAIN',
  'connect ENOENT /run/postgresql/.s.PGSQL.5432': 'ENOENT',
  'write CONNECTION_CLOSED 127.0.0.1:5432': 'CONNECTION_CLOSED',
  'write CONNECTION_ENDED 127.0.0.1:5432': 'CONNECTION_ENDED',
  'write CONNECT_TIMEOUT 127.0.0.1:5432': 'CONNECT_TIMEOUT',
  'Connection terminated unexpectedly': undefined,
  'Connection terminated due to connection timeout': undefined,
  'timeout exceeded when trying to connect': undefined,
  'Query read timeout': undefined,
  'Client has encountered a connection error and is not queryable': undefined,
}
const permanentFailures = [
  { message: 'a constraint is violated', code: '23514' },
  { message: 'a trigger raised an exception', code: 'P0001' },
  { message: 'connection is not a function' },
  { message: 'The "data" argument must be of type string', code: 'ERR_INVALID_ARG_TYPE' },
]

/** Creates a store whose statements fail. */
function createFailingStore(error: object): PostgresStore {
  const client: PostgresClient = {
    query: () => Promise.reject(Object.assign(new Error(), error)),
    reserve: async () => ({ query: client.query }),
  }
  return createPostgresStore({ client })
}

/** Creates a client that counts statements. */
function createCountingClient(result: PostgresResult) {
  const client = {
    statements: 0,
    async query() {
      client.statements++
      return result
    },
  }
  return client
}

describe('the PostgreSQL store', () => {
  for (const [message, code] of Object.entries(temporaryFailures))
    it(`is unavailable after "${message}"`, async () => {
      const store = createFailingStore({ message, ...(code && { code }) })
      for (const call of [
        () => store.get(1n),
        () => store.list({ limit: 1 }),
        () => store.create({ name: 'Rex', categoryId: 1n }),
        () => store.importPets([]),
      ])
        await assert.rejects(call, (error: Error) => {
          assert.ok(error instanceof StoreUnavailableError && String(error.cause).includes(message))
          const isConnection = !/^\d/.test(code ?? '') && !/exceeded|read timeout/.test(message)
          return error.message.startsWith('no connection to') === isConnection
        })
    })

  it('rejects with other errors unchanged', async () => {
    for (const error of permanentFailures) await assert.rejects(createFailingStore(error).get(1n), error)
    const store = createPostgresStore({ client: { query: () => Promise.reject('a text') } })
    await assert.rejects(store.get(1n), (error) => error === 'a text')
  })

  for (const [message, grant] of [
    ['permission denied for table pets_creations', 'SELECT, INSERT, UPDATE, DELETE ON pets_creations'],
    ['keine Berechtigung für Sequenz »pets_id_seq«', 'USAGE, UPDATE ON SEQUENCE pets_id_seq'],
  ] as const)
    it(`reports a missing privilege as GRANT ${grant}`, async () => {
      const store = createFailingStore({ message, code: '42501' })
      await assert.rejects(store.create({ name: 'Rex', categoryId: 1n }), (error: Error) => {
        assert.ok(error instanceof StoreUnavailableError)
        return error.message.startsWith(`the role lacks a privilege: GRANT ${grant} TO `)
      })
    })

  it('rejects a creation if PostgreSQL returns no rows', async () => {
    const client = createCountingClient([])
    const store = createPostgresStore({ client })
    await assert.rejects(store.create({ name: 'Rex', categoryId: 1n }), /returned no id/)
    const key = { token: 't', fingerprint: 'f', now: 1, expiresAt: 2 }
    await assert.rejects(store.createOnce({ name: 'Rex', categoryId: 1n }, key), StoreUnavailableError)
    assert.equal(client.statements, 1 + 10)
  })
})

describe('PostgreSQL store options', () => {
  it('reject invalid clients, table names and unknown options', async () => {
    const client = { query: async () => ({ rows: [] }) }
    // @ts-expect-error: a caller in JavaScript may pass it
    assert.throws(() => createPostgresStore({ client: 'postgres://localhost' }), /options\.client/)
    for (const table of ['', 'Pets', 'pets; DROP TABLE pets', 'a.b.c', '"pets"', '1pets', 'x'.repeat(60)]) {
      assert.throws(() => createPostgresStore({ client, table }), /options\.table/)
      await assert.rejects(migrate(client, { table }), { name: 'TypeError' })
    }
    // @ts-expect-error: likewise
    assert.throws(() => createPostgresStore({ client, tabel: 'x' }), /unknown option "options\.tabel"/)
    // @ts-expect-error: likewise
    assert.throws(() => createPostgresKeyStore({ client, cache: 5 }), /unknown option "options\.cache"/)
    // @ts-expect-error: likewise
    await assert.rejects(migrate(client, { tabel: 'x' }), /unknown option "options\.tabel"/)
  })

  it('reject a client that returns rows as arrays', async () => {
    for (const result of [{ rows: [] }, { rows: [['yes']] }, [['yes']]]) {
      const client = createCountingClient(result)
      await assert.rejects(migrate(client), /return rows as objects by column name/)
      assert.equal(client.statements, 1)
    }
  })
})
