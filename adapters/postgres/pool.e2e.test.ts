import assert from 'node:assert/strict'
import { describe, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { connectPostgres, postgresUrl } from '../contracts/testing/postgres.ts'
import { getResource, testWith } from '../contracts/testing/resource.ts'
import { createTcpProxy, type TcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { readRows, type Send } from './client.ts'
import { createPool, type ReplaceablePool } from './pool.ts'

const server = await connectPostgres()
const it = testWith(server)

interface Opened {
  readonly pool: ReplaceablePool
  readonly proxy: TcpProxy
  /** Counts the PostgreSQL backends of the pool. */
  countBackends(): Promise<number>
}

let opened = 0

/** Opens a pool behind a proxy. At most 30 % of its connections run writes, but at least one. */
async function open(t: TestContext, max = 4): Promise<Opened> {
  const url = new URL(postgresUrl)
  const proxy = await createTcpProxy(Number(url.port))
  const name = `pets-pool-${process.pid}-${opened++}`
  url.port = String(proxy.port)
  url.searchParams.set('application_name', name)
  const pool = createPool(pg, { connectionString: url.href }, max, () => {})
  t.after(pool.close)
  const count = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1'
  return {
    pool,
    proxy,
    countBackends: async () => (await getResource(server).query(count, [name])).rows[0].count,
  }
}

/** Sends a statement as a read or a write. */
const send = (by: Send, text: string) => by({ text, values: [] })

async function findBackend(by: Send): Promise<number> {
  const [row] = readRows<{ pid: number }>(await send(by, 'SELECT pg_backend_pid() AS pid'))
  return row?.pid ?? 0
}

const change = 'BEGIN READ ONLY; CREATE TABLE pets_pool_test (id int)'
const readOnly = { code: '25006' }

describe('the PostgreSQL pool', () => {
  it('counts connections and waiting statements', async (t) => {
    const { pool } = await open(t)
    const sleep = 'SELECT pg_sleep(0.1)'
    const running = [...Array(5).fill(pool.read), ...Array(3).fill(pool.write)].map((by: Send) =>
      send(by, sleep),
    )
    assert.deepEqual(pool.metrics(), { usedConnections: 4, idleConnections: 0, waitingStatements: 4 })
    await Promise.all(running)
    assert.deepEqual(pool.metrics(), { usedConnections: 0, idleConnections: 4, waitingStatements: 0 })
  })

  it('uses at most 30 % of its connections for writes', async (t) => {
    const { pool, countBackends } = await open(t, 10)
    const running = Array.from({ length: 12 }, () => send(pool.write, 'SELECT pg_sleep(0.1)'))
    await send(pool.read, 'SELECT 1')
    assert.equal(await countBackends(), 4)
    await Promise.all(running)
  })

  it('closes a connection if its read times out', async (t) => {
    const { pool, proxy } = await open(t)
    const before = await findBackend(pool.read)
    proxy.stall()
    await assert.rejects(async () => send(pool.read, 'SELECT 1'), /Query read timeout/)
    assert.notEqual(await findBackend(pool.read), before)
  })

  it('waits for a hanging write until the pool is replaced', async (t) => {
    const { pool, proxy } = await open(t)
    await findBackend(pool.write)
    proxy.stall()
    const lost = assert.rejects(async () => send(pool.write, 'SELECT 1'), /Connection terminated/)
    await setTimeout(3_000)
    assert.equal(pool.metrics().usedConnections, 1)
    const late = assert.rejects(async () => send(pool.write, 'SELECT 1'), /previous writes take too long/)
    await setTimeout(1_600)
    pool.replace()
    await Promise.all([lost, late])
    assert.ok(await findBackend(pool.write))
  })

  it('replaces its connections if PostgreSQL is read-only', async (t) => {
    const { pool, countBackends } = await open(t)
    const findAll = () => Promise.all([1, 2, 3, 4].map(() => findBackend(pool.read)))
    const before = await findAll()
    const reads = Array.from({ length: 12 }, () => send(pool.read, 'SELECT pg_sleep(0.02)'))
    await assert.rejects(async () => send(pool.write, change), readOnly)
    for (const pid of await findAll()) assert.ok(!before.includes(pid))
    await Promise.all(reads)
    while ((await countBackends()) > 4) await setTimeout(20)
  })

  it('replaces its connections when PostgreSQL is writable again', async (t) => {
    const { pool } = await open(t)
    await assert.rejects(async () => send(pool.write, change), readOnly)
    const before = await findBackend(pool.read)
    await findBackend(pool.write)
    const after = await findBackend(pool.read)
    await findBackend(pool.write)
    assert.notEqual(before, after)
    assert.equal(await findBackend(pool.read), after)
  })

  it('closes while a write hangs', async (t) => {
    const { pool, proxy } = await open(t)
    await findBackend(pool.write)
    proxy.stall()
    const lost = assert.rejects(async () => send(pool.write, 'SELECT 1'))
    await pool.close()
    await proxy.recover()
    await lost
  })
})
