import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { createPrivatePgBouncer } from '../contracts/testing/private-pgbouncer.ts'
import { createPrivatePostgres, type PrivatePostgres } from '../contracts/testing/private-postgres.ts'
import { combineResources, type Resource, requireOnCi, testWith } from '../contracts/testing/resource.ts'
import { createTcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { createTemporaryFolder } from '../contracts/testing/temporary-folder.ts'
import {
  assertReadOnly,
  assertRejected,
  type Fault,
  type FaultResult,
  runStorageFault,
} from '../standalone/faults/testing/run-fault.ts'
import { unlimitedEnv } from '../standalone/testing/animals.ts'
import { run, stop } from '../standalone/testing/command.ts'
import { launchServer, faultProgram as program } from '../standalone/testing/launch.ts'
import { type LoadOptions, startLoad } from '../standalone/testing/load.ts'
import { send } from '../standalone/testing/request.ts'

const maxConnections = 40
const postgres = requireOnCi(
  await createPrivatePostgres(`max_connections=${maxConnections}`, 'superuser_reserved_connections=0'),
)
async function startPooler(mode: 'session' | 'transaction', ignored = 'options') {
  if ('absent' in postgres) return postgres
  return requireOnCi(await createPrivatePgBouncer(postgres.value.port, { mode, ignored }))
}
const poolers = { session: await startPooler('session'), transaction: await startPooler('transaction') }

/** What a server connects to. */
const endpoints: Readonly<Record<string, Resource<{ readonly port: number }>>> = {
  PostgreSQL: postgres,
  'PgBouncer in session mode': poolers.session,
  'PgBouncer in transaction mode': poolers.transaction,
}

/** Returns a database URL. */
const createUrl = (port: number, user = 'postgres', database = 'postgres') =>
  `postgres://${user}@127.0.0.1:${port}/${database}?application_name=pets`

/** Issues a key with high limits. */
async function issueKey(url: string, id: string): Promise<string> {
  const limits = '--plan enterprise --minute 10000000 --day 100000000'
  const { key } = JSON.parse(await run(`keys issue --postgres ${url} --id ${id} ${limits} --json`))
  return key
}

/** Starts a server and measures its responses during a fault. */
async function measure(
  t: TestContext,
  url: string,
  fault: Fault,
  options: LoadOptions = {},
): Promise<FaultResult> {
  const env = options.key === undefined ? unlimitedEnv : {}
  const server = await launchServer(`--port 0 --log silent --postgres ${url}`, { env, program })
  return runStorageFault(t, server, fault, options)
}

/** Runs statements in PostgreSQL. */
async function runSql({ url }: PrivatePostgres, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const endBackends = (where: string) =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend'
   AND pid <> pg_backend_pid() AND ${where}`

/** Creates a fault: other clients take all connections. */
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
        await connect().catch(() => {}) // a server may have been faster
      }
    },
    durationMs: 3_000,
    repair: () => Promise.all(others.map((client) => client.end())),
  }
}

/** Creates a fault: another client locks the table. */
function lockTable({ url }: PrivatePostgres): Fault {
  const other = new pg.Client(url)
  return {
    async fail() {
      await other.connect()
      await other.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
    },
    durationMs: 20_000,
    repair: () => other.end(),
    readyz: 'works',
  }
}

/** Returns a function that creates a fault: a setting changes for `durationMs` milliseconds. */
const createSettingFault =
  (name: string, value: string, back: string, durationMs: number) =>
  ({ setConfig }: PrivatePostgres): Fault => ({
    fail: () => setConfig(name, value),
    durationMs,
    repair: () => setConfig(name, back),
    readyz: 'works',
  })

function assertBothRejected({ list, create }: FaultResult): void {
  for (const effect of [list, create]) assertRejected(effect)
}

interface FaultCase {
  createFault(server: PrivatePostgres): Fault
  check(endured: FaultResult): void
  readonly options?: LoadOptions
}

/** The faults, by test name. */
const faults: Readonly<Record<string, FaultCase>> = {
  'recovers from a crash': {
    createFault: ({ crash, start }) => ({ fail: crash, durationMs: 3_000, repair: start }),
    check: assertBothRejected,
  },
  'recovers when other clients take all connections': {
    createFault: takeConnections,
    check: assertBothRejected,
  },
  'recovers when PostgreSQL hangs': {
    createFault: ({ sendSignal }) => ({
      fail: () => sendSignal('SIGSTOP'),
      durationMs: 12_000,
      repair: () => sendSignal('SIGCONT'),
    }),
    check: assertBothRejected,
  },
  'serves lists while another program has locked the table': {
    createFault: lockTable,
    check: assertReadOnly,
    options: { createClients: 20 },
  },
  'serves lists while PostgreSQL is read-only': {
    createFault: createSettingFault('default_transaction_read_only', 'on', 'off', 3_000),
    check: assertReadOnly,
  },
  'serves lists while commits wait for a missing standby': {
    createFault: createSettingFault('synchronous_standby_names', 'absent', '', 30_000),
    check: assertReadOnly,
    options: { createClients: 16 },
  },
  'recovers after PostgreSQL rejects connections to its database': {
    createFault: (server) => ({
      fail: () =>
        runSql(server, 'ALTER DATABASE shelter ALLOW_CONNECTIONS false', endBackends(`datname = 'shelter'`)),
      durationMs: 3_000,
      repair: () => runSql(server, 'ALTER DATABASE shelter ALLOW_CONNECTIONS true'),
    }),
    check: assertBothRejected,
  },
}

/**
 * Counts the servers' backends during a fault. A backend counts if it is seen twice in a row, because the backend of a
 * closed connection may end after the next one has started.
 */
function countBackends({ url }: PrivatePostgres, { fail, repair, ...fault }: Fault) {
  let [isOver, most] = [false, 0]
  let counting: Promise<void> | undefined
  async function count(): Promise<void> {
    const observer = new pg.Client(url)
    await observer.connect()
    const ofServers = `SELECT pid FROM pg_stat_activity WHERE application_name = 'pets'`
    let earlier = new Set<number>()
    for (; !isOver; await setTimeout(50)) {
      const pids: number[] = (await observer.query(ofServers)).rows.map(({ pid }) => pid)
      most = Math.max(most, pids.filter((pid) => earlier.has(pid)).length)
      earlier = new Set(pids)
    }
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

for (const [address, part] of Object.entries(endpoints))
  describe(`a server on ${address}`, () => {
    const it = testWith(combineResources(part, postgres))
    for (const [what, { createFault, check, options }] of Object.entries(faults))
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

  /** Creates a role with a password and a database. */
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

  it('recovers from a changed password', async (t, server) => {
    await createRole(server, 'rotated', 'first')
    const endured = await measure(t, createUrl(server.port, 'rotated:first', 'rotated'), {
      fail: () => changePassword(server, 'rotated', 'second'),
      durationMs: 3_000,
      repair: () => changePassword(server, 'rotated', 'first'),
    })
    assertBothRejected(endured)
  })

  it('reads a new password from PGPASSFILE', async (_t, server) => {
    await createRole(server, 'filed', 'first')
    const file = join(createTemporaryFolder(), 'pgpass')
    const write = (password: string) => writeFileSync(file, `*:*:*:filed:${password}\n`, { mode: 0o600 })
    write('first')
    const address = createUrl(server.port, 'filed', 'filed')
    const env = { ...unlimitedEnv, PGPASSFILE: file }
    const launched = await launchServer(`--port 0 --log silent --postgres ${address}`, { env, program })
    const load = startLoad(launched.base)
    await load.waitForMore(50)
    write('second')
    await changePassword(server, 'filed', 'second')
    await load.waitForMore(50)
    await load.end()
    await stop(launched)
  })

  it('rejects no valid key while PostgreSQL is down', async (t, server) => {
    const key = await issueKey(server.url, 'down')
    const fault = { fail: server.crash, durationMs: 8_000, repair: server.start }
    const { list, create } = await measure(t, server.url, fault, { key })
    for (const { results, recoveryMs } of [list, create]) {
      assert.ok((results[503] ?? 0) > 0)
      assert.ok(!('401' in results || '429' in results || '500' in results))
      assert.ok(recoveryMs < 5_000, `${recoveryMs} ms`)
    }
  })

  it('rejects a revoked key on every replica within 6 s', async (t, { url }) => {
    const key = await issueKey(url, 'revoked')
    const servers = await Promise.all(
      [1, 2].map(() => launchServer(`--port 0 --log silent --postgres ${url}`, { program })),
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

describe('a server whose network drops packets', () => {
  const it = testWith(postgres)

  for (const [name, hasNewConnections] of Object.entries({
    'recovers when all connections are affected': false,
    'recovers when only open connections are affected': true,
  }))
    it(name, async (t, { port }) => {
      const proxy = await createTcpProxy(port)
      const server = await launchServer(`--port 0 --log silent --postgres ${createUrl(proxy.port)}`, {
        env: unlimitedEnv,
        program,
      })
      const { list, create } = await runStorageFault(t, server, {
        fail() {
          if (hasNewConnections) proxy.stall()
          else proxy.silent = true
        },
        durationMs: 8_000,
        repair() {
          if (hasNewConnections) return
          proxy.stall() // the open connections never recover
          proxy.silent = false
        },
        readyz: hasNewConnections ? 'may fail' : 'fails',
      })
      for (const effect of [list, create]) {
        if (hasNewConnections) assert.ok(effect.lastFailureMs < 6_000, `${effect.lastFailureMs} ms`)
        else assertRejected(effect)
        assert.ok(effect.longestMs < 6_000, `${effect.longestMs} ms`)
      }
    })
})

for (const [mode, pooler] of Object.entries(poolers))
  describe(`a server on PgBouncer in ${mode} mode`, () => {
    testWith(pooler)('recovers when PgBouncer is killed and restarted', async (t, { port, stop, start }) => {
      assertBothRejected(await measure(t, createUrl(port), { fail: stop, durationMs: 3_000, repair: start }))
    })
  })

const bare = await startPooler('transaction', '')

describe('a server on a PgBouncer that rejects session settings', () => {
  testWith(bare)('serves requests and warns once', async (_t, { port }) => {
    const server = await launchServer(`--port 0 --log silent --postgres ${createUrl(port)}`, {
      env: unlimitedEnv,
      program,
    })
    const load = startLoad(server.base)
    await load.waitForMore(50, 'create')
    assert.deepEqual(await load.end(), {})
    await stop(server)
    const warnings = server.stderr.text.match(/the line "ignore_startup_parameters = options"/g)
    assert.equal(warnings?.length, 1)
  })
})
