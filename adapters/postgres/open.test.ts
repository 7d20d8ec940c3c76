import assert from 'node:assert/strict'
import { after, describe, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { StoreUnavailableError } from '../../core/index.ts'
import { postgresUrl } from '../contracts/testing/postgres.ts'
import { testWith } from '../contracts/testing/resource.ts'
import { runId } from '../contracts/testing/run-id.ts'
import { createTcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { createTemporaryDatabases } from '../standalone/testing/storages.ts'
import {
  type BackendEvent,
  type OpenPostgresOptions,
  openPostgres,
  type PostgresDriver,
  type StoreBackend,
} from './index.ts'

const databases = await createTemporaryDatabases()
const rex = { name: 'Rex', categoryId: 1n }
const role = `pets_test_role_${runId}`

/** A backend that records the messages from its events. */
interface Opened extends StoreBackend {
  readonly events: string[]
}

async function open(
  t: TestContext,
  url: string,
  options: Partial<OpenPostgresOptions> = {},
): Promise<Opened> {
  const events: string[] = []
  const onEvent = ({ level, message, cause }: BackendEvent) =>
    void events.push([`${level}: ${message}`, ...listMessages(cause)].join(': '))
  const backend = await openPostgres({ driver: pg, url, onEvent, ...options })
  t.after(backend.close)
  return { ...backend, events }
}

const listMessages = (cause: unknown): string[] =>
  cause instanceof Error ? [cause.message, ...listMessages(cause.cause)] : []

async function run(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Returns the schema in a URL. */
const readSchema = (url: string) =>
  /search_path=(\w+)/.exec(new URL(url).searchParams.get('options') ?? '')?.[1] ?? ''

/** Creates a driver that rejects connections with session settings. */
function rejectSettings(message: string): PostgresDriver {
  class Client extends pg.Client {
    readonly #isRejected: boolean

    constructor(config: pg.ClientConfig) {
      super(config)
      this.#isRejected = /-c /.test(config.options ?? '')
    }

    override async connect(): Promise<this> {
      if (this.#isRejected) throw Object.assign(new Error(message), { code: '08P01' })
      await super.connect()
      return this
    }
  }
  return { Pool: pg.Pool, Client }
}

describe('openPostgres', () => {
  const it = testWith(databases)

  it('creates the tables and opens them again', async (t, newDatabase) => {
    const url = await newDatabase()
    const { store, keys, versions, check } = await open(t, url)
    assert.deepEqual([versions, await check()], [{ from: 0, to: 2 }, {}])
    const { id } = await store.create(rex)
    const { key } = await keys.issue({ id: 'shelter', plan: 'pro' })
    const other = await open(t, url)
    assert.deepEqual(
      [other.versions, await other.store.get(id)],
      [
        { from: 2, to: 2 },
        { ...rex, id },
      ],
    )
    assert.deepEqual(await other.keys.find(key), { id: 'shelter', plan: 'pro' })
    assert.equal(await store.importPets([rex, rex]), 2)
    const exported = []
    for await (const pet of store.exportPets()) exported.push(pet.id)
    assert.deepEqual(exported, [id, id + 1n, id + 2n])
  })

  it('adds session settings to those in the URL', async (t, newDatabase) => {
    const url = new URL(await newDatabase())
    url.searchParams.append('application_name', role)
    const options = `${url.searchParams.get('options')} -c default_transaction_isolation=serializable -c work_mem=77MB`
    url.searchParams.set('options', options)
    const { store } = await open(t, url.href)
    const settings: Record<string, string> = {}
    class Pool extends pg.Pool {
      constructor(config: pg.PoolConfig) {
        super(config)
        for (const [, name = '', value = ''] of (config.options ?? '').matchAll(/-c (\w+)=(\S+)/g))
          settings[name] = value
      }
    }
    await open(t, url.href, { driver: { Pool, Client: pg.Client } })
    await store.list({ limit: 1 })
    assert.deepEqual(settings, {
      default_transaction_isolation: 'read\\',
      work_mem: '77MB',
      client_connection_check_interval: '5000',
      tcp_user_timeout: '20000',
      tcp_keepalives_idle: '10',
      tcp_keepalives_interval: '5',
      tcp_keepalives_count: '2',
      statement_timeout: '2200',
    })
  })

  it('reports each missing privilege as a GRANT statement', async (t, newDatabase) => {
    const url = new URL(await newDatabase())
    await open(t, url.href)
    const schema = readSchema(url.href)
    await run(`CREATE ROLE ${role} LOGIN`, `GRANT USAGE ON SCHEMA ${schema} TO ${role}`)
    await run(`GRANT INSERT ON ${schema}.pets TO ${role}`)
    await run(`GRANT SELECT, INSERT, UPDATE ON ${schema}.pets_creations TO ${role}`)
    after(() => run(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`))
    url.username = role
    const { check, keys, store } = await open(t, url.href)
    for (const object of ['pets_creations', 'SEQUENCE pets_id_seq', 'pets']) {
      const { reads, writes } = await check()
      const message = (writes ?? reads)?.message ?? ''
      const [, grant = ''] = /^the role lacks a privilege: (.*)<role>/.exec(message) ?? []
      assert.ok(grant.endsWith(` ON ${object} TO `), message)
      await run(`SET search_path TO ${schema}; ${grant}${role}`)
      await setTimeout(1_000) // the circuit breaker probes once per second
    }
    assert.deepEqual(await check(), {})
    await assert.rejects(async () => keys.find('a-key'), /: GRANT SELECT.* ON pets_api_keys TO/)
    const key = { token: 'a'.repeat(64), fingerprint: 'b'.repeat(64), now: 1, expiresAt: 2 }
    assert.equal((await store.createOnce(rex, key)).outcome, 'created')
  })

  it('rejects key lookups immediately after several failures', async (t, newDatabase) => {
    const url = new URL(await newDatabase())
    const proxy = await createTcpProxy(Number(url.port))
    url.port = String(proxy.port)
    const { keys } = await open(t, url.href)
    await proxy.cut()
    const problems: string[] = []
    for (let i = 0; i < 20; i++)
      await assert.rejects(
        async () => keys.find(`unknown-${i}`),
        ({ message }) => problems.push(message) > 0,
      )
    for (const problem of problems.slice(0, 5)) assert.match(problem, /^no connection to PostgreSQL$/)
    assert.match(problems.join(), /keeps failing and is retried once per second/)
  })

  it('leaves connections for reads while writes wait', async (t, newDatabase) => {
    const url = await newDatabase()
    const { store, metrics } = await open(t, url)
    const other = new pg.Client(url)
    await other.connect()
    await other.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
    const writes = Promise.all(Array.from({ length: 12 }, () => store.update(1n, rex)))
    await Promise.all(Array.from({ length: 12 }, () => store.list({ limit: 1 })))
    const { usedConnections, waitingStatements } = metrics()
    assert.deepEqual([usedConnections, waitingStatements], [3, 9])
    await other.end()
    assert.deepEqual(await writes, Array(12).fill(undefined))
  })

  it('reports canceled statements while a table is locked', async (t, newDatabase) => {
    const url = await newDatabase()
    const { store, events } = await open(t, url)
    const other = new pg.Client(url)
    await other.connect()
    await other.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
    const creations = () => Promise.allSettled(Array.from({ length: 20 }, () => store.update(1n, rex)))
    for (const result of (await creations()).slice(0, 3))
      assert.match(
        String(result.status === 'rejected' && result.reason),
        /StoreUnavailableError: PostgreSQL canceled the statement/,
      )
    while (!/canceling statement due to statement timeout/.test(events.join())) await creations()
    assert.doesNotMatch(events.join(), /no connection/)
    await other.end()
  })

  for (const message of [
    'unsupported startup parameter: options',
    'unsupported startup parameter in options: statement_timeout',
    'Feature not supported: RDS Proxy currently doesn’t support command-line options.',
  ])
    it(`works without session settings after "${message}"`, async (t, newDatabase) => {
      const url = new URL(await newDatabase())
      const table = `${readSchema(url.href)}.pets`
      url.searchParams.delete('options')
      const driver = rejectSettings(message)
      const { store, keys, events } = await open(t, url.href, { driver, table })
      assert.equal((await store.create(rex)).id, 1n)
      await keys.issue({ id: 'shelter', plan: 'pro' })
      assert.equal(events.length, 1)
      assert.match(
        events[0] ?? '',
        /^warning: .* not canceled after 2.2 s.*"ignore_startup_parameters = options"/,
      )
    })
})

describe('openPostgres', () => {
  const it = testWith(databases)
  const reject = (options: Partial<OpenPostgresOptions>, error: object) =>
    assert.rejects(openPostgres({ driver: pg, url: postgresUrl, ...options }), error)

  it('rejects invalid and unknown options', async () => {
    for (const [options, message] of [
      [{ driver: {} as PostgresDriver }, /^options.driver must be the package pg$/],
      [{ url: 5 as unknown as string }, /^options.url must be a string$/],
      [{ poolSize: 2 }, /^options.poolSize must be an integer of at least 3$/],
      [{ table: 'a b' }, /^options.table/],
      [{ max: 10 } as object, /^unknown option "options.max"/],
    ] as const)
      await reject(options, { name: 'TypeError', message })
  })

  it('rejects a missing table, role or database', async (_t, newDatabase) => {
    const url = await newDatabase()
    const missing = /^the table "pets" does not exist: migrate the database$/
    await reject({ url, migrate: false }, { code: 'unusable', message: missing })
    for (const [part, value] of Object.entries({ username: 'nobody_here', pathname: '/nothing_here' })) {
      const other = Object.assign(new URL(url), { [part]: value })
      await reject(
        { url: other.href },
        { code: 'unusable', message: /"(?:nobody|nothing)_here" does not exist/ },
      )
    }
  })

  it('rejects calls after close()', async (t, newDatabase) => {
    const { store, close } = await open(t, await newDatabase())
    await close()
    await assert.rejects(store.list({ limit: 1 }) as Promise<unknown>, StoreUnavailableError)
  })
})
