import assert from 'node:assert/strict'
import { describe, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { partValue, testWith } from '../../contracts/testing/part.ts'
import { connectPostgres, postgresUrl } from '../../contracts/testing/postgres.ts'
import { createTcpProxy, type TcpProxy } from '../../contracts/testing/tcp-proxy.ts'
import { createPools, type Pools } from './pools.ts'

const server = await connectPostgres()
const it = testWith(server)

interface Opened {
  readonly pools: Pools
  readonly proxy: TcpProxy
  /** Lets time pass for the pools. */
  pass(ms: number): void
  /** Returns the number of backends that the server has for the pools. */
  countBackends(): Promise<number>
}

let opened = 0

/** Opens pools of at most `max` connections behind a proxy: by default one for reads and one for writes. */
async function open(t: TestContext, { max = 3, options = '' } = {}): Promise<Opened> {
  const url = new URL(postgresUrl)
  const proxy = await createTcpProxy(Number(url.port))
  const name = `pets-pools-${process.pid}-${opened++}`
  url.port = String(proxy.port)
  url.searchParams.set('application_name', name)
  if (options) url.searchParams.set('options', options)
  let time = 0
  const pools = createPools(pg, { url: url.href, max, onLost() {}, now: () => time })
  t.after(pools.close)
  const count = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1'
  return {
    pools,
    proxy,
    pass(ms) {
      time += ms
    },
    countBackends: async () => (await partValue(server).query(count, [name])).rows[0].count,
  }
}

/** Returns the first row of a statement. */
async function readRow(pool: Pools['reads'], statement: string): Promise<pg.QueryResultRow> {
  const { rows } = (await pool.query(statement)) as pg.QueryResult // a pool of pg
  return rows[0] ?? {}
}

const findBackend = async (pool: Pools['reads']) =>
  (await readRow(pool, 'SELECT pg_backend_pid() AS pid')).pid
const change = 'BEGIN READ ONLY; CREATE TABLE pets_pools_test (id int)'

describe('the pools of a server', () => {
  for (const kind of ['reads', 'writes'] as const) {
    it(`${kind}: sets up each session, whatever the address says`, async (t) => {
      const { pools } = await open(t, {
        options: '-c default_transaction_isolation=serializable -c work_mem=77MB',
      })
      const settings = `SELECT name, setting FROM pg_settings WHERE name IN ('default_transaction_isolation',
        'statement_timeout', 'tcp_keepalives_idle', 'client_connection_check_interval', 'work_mem')`
      const { rows } = (await pools[kind].query(settings)) as pg.QueryResult // as above
      assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
        default_transaction_isolation: 'read committed',
        statement_timeout: '2200',
        tcp_keepalives_idle: '10',
        client_connection_check_interval: '5000',
        work_mem: String(77 * 1024),
      })
    })

    it(`${kind}: counts every statement without a connection`, async (t) => {
      const { pools } = await open(t)
      const running = Array.from({ length: 4 }, () => pools[kind].query('SELECT pg_sleep(0.1)'))
      assert.deepEqual(pools.connections(), { used: 1, idle: 0, waiting: 3 })
      await Promise.all(running)
      assert.deepEqual(pools.connections(), { used: 0, idle: 1, waiting: 0 })
    })

    it(`${kind}: has PostgreSQL cancel a statement that takes too long`, async (t) => {
      const { pools } = await open(t)
      await assert.rejects(pools[kind].query('SELECT pg_sleep(10)'), { code: '57014' })
      assert.equal((await readRow(pools[kind], 'SELECT 1 AS a')).a, 1)
    })
  }

  it('closes the connection of a read without a result', async (t) => {
    const { pools, proxy } = await open(t)
    const before = await findBackend(pools.reads)
    proxy.stall()
    await assert.rejects(pools.reads.query('SELECT 1'), /Query read timeout/)
    assert.notEqual(await findBackend(pools.reads), before)
  })

  it('retains the connection of a write without a result', async (t) => {
    const { pools, proxy } = await open(t)
    await findBackend(pools.writes)
    proxy.stall()
    const lost = assert.rejects(pools.writes.query('SELECT 1'))
    await assert.rejects(pools.writes.query('SELECT 1'), /timeout exceeded when trying to connect/)
    assert.equal(pools.connections().used, 1)
    await proxy.recover()
    await lost
  })

  it('replaces both pools on a read-only server, and rejects no read', async (t) => {
    const { pools, countBackends } = await open(t)
    const before = [await findBackend(pools.reads), await findBackend(pools.writes)]
    const reads = Array.from({ length: 8 }, () => readRow(pools.reads, 'SELECT 1 AS a, pg_sleep(0.02)'))
    await assert.rejects(pools.writes.query(change), { code: '25006' })
    const after = [await findBackend(pools.reads), await findBackend(pools.writes)]
    assert.equal(new Set([...before, ...after]).size, 4)
    for (const { a } of await Promise.all(reads)) assert.equal(a, 1)
    while ((await countBackends()) > 2) await setTimeout(20)
  })

  it('replaces the pools when a write succeeds on a server that was read-only', async (t) => {
    const { pools } = await open(t)
    await assert.rejects(pools.writes.query(change), { code: '25006' })
    const before = await findBackend(pools.reads)
    await pools.writes.query('SELECT 1')
    const after = await findBackend(pools.reads)
    await pools.writes.query('SELECT 1')
    assert.notEqual(before, after)
    assert.equal(await findBackend(pools.reads), after)
  })

  it('replaces the pools again after 10 s on a server that stays read-only', async (t) => {
    const { pools, pass } = await open(t)
    const backends: number[] = []
    for (const ms of [0, 9_999, 1]) {
      pass(ms)
      await assert.rejects(pools.writes.query(change), { code: '25006' })
      backends.push(await findBackend(pools.reads))
    }
    assert.equal(backends[0], backends[1])
    assert.notEqual(backends[1], backends[2])
  })

  it('rejects no read when replaced twice at once', async (t) => {
    const { pools } = await open(t)
    const reads = [0, 1].map(() => {
      const read = pools.reads.query('SELECT pg_sleep(0.1)')
      pools.replace()
      return read
    })
    await Promise.all(reads)
  })

  it('opens at most max connections when no write of two generations ends', async (t) => {
    const { pools, proxy, pass, countBackends } = await open(t, { max: 10 })
    const lost: Promise<unknown>[] = []
    for (let generation = 0; generation < 2; generation++) {
      if (generation > 0) pools.replace()
      pass(10_000)
      await Promise.all([1, 2, 3].map(() => pools.writes.query('SELECT pg_sleep(0.05)')))
      proxy.stall()
      for (let i = 0; i < 6; i++) lost.push(pools.writes.query('SELECT 1').catch(() => {}))
      await Promise.all([1, 2, 3, 4, 5].map(() => pools.reads.query('SELECT pg_sleep(0.05)')))
    }
    assert.ok((await countBackends()) <= 10)
    assert.equal(pools.connections().used, 6)
    await proxy.recover()
    await Promise.all(lost)
  })

  it('closes while a statement runs', async (t) => {
    const { pools, proxy } = await open(t)
    await findBackend(pools.writes)
    proxy.stall()
    const lost = assert.rejects(pools.writes.query('SELECT 1'))
    await pools.close()
    await proxy.recover()
    await lost
  })
})
