import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { allOf, type Part, required, testWith } from '../../contracts/testing/part.ts'
import { createPrivatePgBouncer } from '../../contracts/testing/private-pgbouncer.ts'
import { createPrivatePostgres, type PrivatePostgres } from '../../contracts/testing/private-postgres.ts'
import { createTcpProxy } from '../../contracts/testing/tcp-proxy.ts'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { unlimited } from '../testing/animals.ts'
import { run, stop } from '../testing/command.ts'
import { launch, launchServer } from '../testing/launch.ts'
import { type LoadOptions, startLoad } from '../testing/load.ts'
import { send } from '../testing/request.ts'
import { assertListed, assertRejected, type Endured, endureStorage, type Fault } from './testing/endure.ts'

const maxConnections = 40
const postgres = required(
  await createPrivatePostgres(`max_connections=${maxConnections}`, 'superuser_reserved_connections=0'),
)
async function startPooler(mode: 'session' | 'transaction', ignored = 'options') {
  if ('absent' in postgres) return postgres
  return required(await createPrivatePgBouncer(postgres.value.port, { mode, ignored }))
}
const poolers = { session: await startPooler('session'), transaction: await startPooler('transaction') }

/** The addresses that servers use for the PostgreSQL. */
const addresses: Readonly<Record<string, Part<{ readonly port: number }>>> = {
  PostgreSQL: postgres,
  'PgBouncer in session mode': poolers.session,
  'PgBouncer in transaction mode': poolers.transaction,
}

/** Returns the address of a port, with the name of the connections of servers. */
const createUrl = (port: number, user = 'postgres', database = 'postgres') =>
  `postgres://${user}@127.0.0.1:${port}/${database}?application_name=pets`

/** Issues a key in the database, whose limits no load reaches. */
async function issueKey(url: string, id: string): Promise<string> {
  const limits = '--plan enterprise --minute 10000000 --day 100000000'
  const { key } = JSON.parse(await run(`keys issue --postgres ${url} --id ${id} ${limits} --json`))
  return key
}

/** Measures a fault of a server. The key of `options` is stored in the database; without it the server makes one. */
async function measure(
  t: TestContext,
  url: string,
  fault: Fault,
  options: LoadOptions = {},
): Promise<Endured> {
  const env = options.key === undefined ? unlimited : {}
  const server = await launchServer(`--port 0 --log silent --postgres ${url}`, { env })
  return endureStorage(t, server, fault, options)
}

/** Runs statements as the superuser. */
async function runSql({ url }: PrivatePostgres, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const endBackends = (where: string) =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend'
   AND pid <> pg_backend_pid() AND ${where}`

/** Others take all connections of a PostgreSQL. */
function takeConnections({ url }: PrivatePostgres): Fault {
  const others: pg.Client[] = []
  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, application_name: 'others' })
    client.on('error', () => {})
    await client.connect()
    others.push(client)
    return client
  }
  return {
    async fail() {
      const first = await connect()
      while (others.length < maxConnections) {
        await first.query(endBackends(`application_name <> 'others'`))
        await connect().catch(() => {}) // the server may be faster
      }
    },
    ms: 3_000,
    repair: () => Promise.all(others.map((client) => client.end())),
  }
}

/** Another program locks the table of the animals against writers. */
function lockTable({ url }: PrivatePostgres): Fault {
  const other = new pg.Client(url)
  return {
    async fail() {
      await other.connect()
      await other.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
    },
    ms: 20_000,
    repair: () => other.end(),
    readyz: 'works',
  }
}

/** A fault that sets a parameter of PostgreSQL, and sets it back after `ms` milliseconds. */
const setting =
  (name: string, value: string, back: string, ms: number) =>
  ({ set }: PrivatePostgres): Fault => ({
    fail: () => set(name, value),
    ms,
    repair: () => set(name, back),
    readyz: 'works',
  })

function assertBothRejected({ list, create }: Endured): void {
  for (const effect of [list, create]) assertRejected(effect)
}

interface Row {
  createFault(server: PrivatePostgres): Fault
  check(endured: Endured): void
  readonly options?: LoadOptions
}

/** The faults of PostgreSQL. */
const rows: Readonly<Record<string, Row>> = {
  'crashes and starts again': {
    createFault: ({ crash, start }) => ({ fail: crash, ms: 3_000, repair: start }),
    check: assertBothRejected,
  },
  'has no connections left': { createFault: takeConnections, check: assertBothRejected },
  'stands still': {
    createFault: ({ signal }) => ({
      fail: () => signal('SIGSTOP'),
      ms: 12_000,
      repair: () => signal('SIGCONT'),
    }),
    check: assertBothRejected,
  },
  'has its table locked by another program': {
    createFault: lockTable,
    check: assertListed,
    options: { creates: 20 },
  },
  'is read-only': {
    createFault: setting('default_transaction_read_only', 'on', 'off', 3_000),
    check: assertListed,
  },
  'commits nothing, since its standby is missing': {
    createFault: setting('synchronous_standby_names', 'absent', '', 30_000),
    check: assertListed,
    options: { creates: 16 },
  },
  'accepts no connections to its database': {
    createFault: (server) => ({
      fail: () =>
        runSql(server, 'ALTER DATABASE shelter ALLOW_CONNECTIONS false', endBackends(`datname = 'shelter'`)),
      ms: 3_000,
      repair: () => runSql(server, 'ALTER DATABASE shelter ALLOW_CONNECTIONS true'),
    }),
    check: assertBothRejected,
  },
}

/** Returns a fault that also counts the backends of the servers meanwhile. */
function countBackends({ url }: PrivatePostgres, { fail, repair, ...fault }: Fault) {
  let [isOver, most] = [false, 0]
  let counting: Promise<void> | undefined
  async function count(): Promise<void> {
    const observer = new pg.Client(url)
    await observer.connect()
    const ofServers = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'pets'`
    for (; !isOver; await setTimeout(50))
      most = Math.max(most, (await observer.query(ofServers)).rows[0].count)
    await observer.end()
  }
  const counted: Fault = {
    ...fault,
    async fail() {
      counting = count()
      await fail()
    },
    async repair() {
      isOver = true
      await counting
      await repair()
    },
  }
  return { fault: counted, most: () => most }
}

for (const [address, part] of Object.entries(addresses))
  describe(`a server on ${address}, while PostgreSQL`, () => {
    const it = testWith(allOf(part, postgres))
    for (const [what, { createFault, check, options }] of Object.entries(rows))
      it(what, async (t, [{ port }, server]) => {
        const isShelter = what.includes('its database')
        if (isShelter) await runSql(server, 'CREATE DATABASE shelter')
        const url = createUrl(port, 'postgres', isShelter ? 'shelter' : 'postgres')
        const isCounted = /commits|locked/.test(what)
        const { fault, most } = countBackends(server, createFault(server))
        check(await measure(t, url, isCounted ? fault : createFault(server), options))
        if (isShelter) await runSql(server, endBackends(`datname = 'shelter'`), 'DROP DATABASE shelter')
        if (!isCounted) return
        t.diagnostic(`at most ${most()} backends`)
        assert.ok(most() > 0 && most() <= 10, `${most()} backends`)
      })
  })

describe('a server on PostgreSQL', () => {
  const it = testWith(postgres)

  /** Creates a role with a password, which it needs on the next connection, and a database of its own. */
  async function createRole(server: PrivatePostgres, role: string, password: string): Promise<void> {
    const client = new pg.Client(server.url)
    await client.connect()
    const file: string = (await client.query('SHOW hba_file')).rows[0].hba_file
    await client.end()
    writeFileSync(file, `host all ${role} 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`)
    await runSql(server, `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`)
    await runSql(server, `CREATE DATABASE ${role} OWNER ${role}`, 'SELECT pg_reload_conf()')
  }

  const changePassword = (server: PrivatePostgres, role: string, password: string) =>
    runSql(server, `ALTER ROLE ${role} PASSWORD '${password}'`, endBackends(`usename = '${role}'`))

  it('works again when a rotated password is right', async (t, server) => {
    await createRole(server, 'rotated', 'first')
    const endured = await measure(t, createUrl(server.port, 'rotated:first', 'rotated'), {
      fail: () => changePassword(server, 'rotated', 'second'),
      ms: 3_000,
      repair: () => changePassword(server, 'rotated', 'first'),
    })
    assertBothRejected(endured)
  })

  it('uses a new password of PGPASSFILE without a restart', async (_t, server) => {
    await createRole(server, 'filed', 'first')
    const file = join(temporaryFolder(), 'pgpass')
    const write = (password: string) => writeFileSync(file, `*:*:*:filed:${password}\n`, { mode: 0o600 })
    write('first')
    const address = createUrl(server.port, 'filed', 'filed')
    const env = { ...unlimited, PGPASSFILE: file }
    const launched = await launchServer(`--port 0 --log silent --postgres ${address}`, { env })
    const load = startLoad(launched.base)
    await load.more(50)
    write('second')
    await changePassword(server, 'filed', 'second')
    await load.more(50)
    await load.end()
    await stop(launched)
  })

  it('rejects no stored key while PostgreSQL is down, and serves it again', async (t, server) => {
    const key = await issueKey(server.url, 'down')
    const fault = { fail: server.crash, ms: 8_000, repair: server.start }
    const { list, create } = await measure(t, server.url, fault, { key })
    for (const { results, againMs } of [list, create]) {
      assert.ok((results[503] ?? 0) > 0)
      assert.ok(!('401' in results || '429' in results || '500' in results))
      assert.ok(againMs < 5_000, `${againMs} ms`)
    }
  })

  it('invalidates a revoked key within five seconds, as every other one', async (t, { url }) => {
    const key = await issueKey(url, 'revoked')
    const servers = await Promise.all(
      [1, 2].map(() => launchServer(`--port 0 --log silent --postgres ${url}`)),
    )
    const bases = servers.map(({ base }) => base)
    for (const base of bases) assert.equal((await send(`${base}/pets`, { key })).status, 200)
    await run(`keys revoke --postgres ${url} --id revoked`)
    const revokedAt = performance.now()
    const times = await Promise.all(
      bases.map(async (base) => {
        while ((await send(`${base}/pets`, { key })).status !== 401) await setTimeout(20)
        return performance.now() - revokedAt
      }),
    )
    t.diagnostic(`revoked on both servers after ${Math.max(...times).toFixed()} ms`)
    assert.ok(Math.max(...times) < 6_000)
    await stop(...servers)
  })
})

describe('a server behind a network', () => {
  const it = testWith(postgres)

  for (const [name, hasNewConnections] of Object.entries({
    'that drops the packets of all connections': false,
    'that drops the packets of open connections': true,
  }))
    it(name, async (t, { port }) => {
      const proxy = await createTcpProxy(port)
      const server = await launchServer(`--port 0 --log silent --postgres ${createUrl(proxy.port)}`, {
        env: unlimited,
      })
      const { list, create } = await endureStorage(t, server, {
        fail() {
          if (hasNewConnections) proxy.stall()
          else proxy.silent = true
        },
        ms: 8_000,
        repair() {
          if (hasNewConnections) return
          proxy.stall() // the old connections stay broken
          proxy.silent = false
        },
        readyz: hasNewConnections ? 'may fail' : 'fails',
      })
      for (const effect of [list, create]) {
        if (hasNewConnections) assert.ok(effect.failingMs < 6_000, `${effect.failingMs} ms`)
        else assertRejected(effect)
        assert.ok(effect.longestMs < 6_000, `${effect.longestMs} ms`)
      }
    })
})

for (const [mode, pooler] of Object.entries(poolers))
  describe(`a server on PgBouncer in ${mode} mode`, () => {
    testWith(pooler)(
      'works again when PgBouncer was killed and started again',
      async (t, { port, stop, start }) => {
        assertBothRejected(await measure(t, createUrl(port), { fail: stop, ms: 3_000, repair: start }))
      },
    )
  })

const bare = await startPooler('transaction', '')

describe('a server on PgBouncer without the line of the manual', () => {
  testWith(bare)('exits with 1 and names the line', async (_t, { port }) => {
    const { end, stderr } = launch(`--port 0 --postgres ${createUrl(port)}`)
    assert.equal(await end, 1)
    assert.match(stderr.text, /PgBouncer rejects .*: add the line "ignore_startup_parameters = options"/)
  })
})
