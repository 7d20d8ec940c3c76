import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { partValue, testWith } from '../../contracts/testing/part.ts'
import { connectPostgres, postgresUrl } from '../../contracts/testing/postgres.ts'
import { createTcpProxy, type TcpProxy } from '../../contracts/testing/tcp-proxy.ts'
import { createPool, type Pool } from './pool.ts'

const server = await connectPostgres()
const timeoutMs = 800

interface Opened {
  readonly pool: Pool
  readonly proxy: TcpProxy
  /** Returns how many backends the server has for the pool. */
  backends(): Promise<number>
}

let pools = 0

/** Opens a pool of at most three connections behind a proxy, of which one checks the others. */
async function open(t: TestContext): Promise<Opened> {
  const url = new URL(postgresUrl)
  const proxy = await createTcpProxy(Number(url.port))
  const name = `pets-pool-${process.pid}-${pools++}`
  url.port = String(proxy.port)
  url.searchParams.set('application_name', name)
  const pool = createPool(pg, { url: url.href, max: 3, timeoutMs, onLost() {} })
  t.after(pool.close)
  const count = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1'
  return {
    pool,
    proxy,
    backends: async () => (await partValue(server).query(count, [name])).rows[0].count,
  }
}

/** Resolves when a pool uses so many connections. */
async function untilUsed({ connections }: Pool, used: number): Promise<void> {
  while (connections().used !== used) await setTimeout(20)
}

const test = testWith(server)

test('a statement that takes long has its connection until it has ended, and none that waits meanwhile is run', async (t) => {
  const { pool, backends } = await open(t)
  const running = [1, 2].map(() => pool.query('SELECT pg_sleep(2.5)'))
  await untilUsed(pool, 2)
  const waiting = assert.rejects(pool.query('SELECT 1'), /no connection to PostgreSQL within 800 ms/)
  assert.deepEqual(pool.connections(), { used: 2, idle: 0, waiting: 1 })
  const ended = Promise.all(running).then(() => true)
  while (!(await Promise.race([ended, setTimeout(50)]))) assert.ok((await backends()) <= 3)
  await waiting
  assert.ok(await pool.query('SELECT 1'))
})

test('connections that have broken silently, and those being opened, are closed once a new one works, idle ones with them', async (t) => {
  const { pool, proxy } = await open(t)
  for (const [used, idle] of [
    [1, 1],
    [1, 0],
  ]) {
    if (idle) await Promise.all([pool.query('SELECT pg_sleep(0.1)'), pool.query('SELECT pg_sleep(0.1)')])
    proxy.silent = true
    const lost = assert.rejects(pool.query('SELECT 1'), /Connection terminated/)
    await setTimeout(2 * timeoutMs)
    assert.deepEqual(pool.connections(), { used, idle, waiting: 0 })
    proxy.silent = false
    await lost
    await untilUsed(pool, 0)
    assert.equal(pool.connections().idle, 0)
  }
  assert.ok(await pool.query('SELECT 1'))
})

test('once a change is rejected as read-only, each statement has a new connection, and none fails', async (t) => {
  const { pool, backends } = await open(t)
  const pids = async (): Promise<readonly number[]> => {
    const one = () => pool.query('SELECT pg_backend_pid() AS pid, pg_sleep(0.1)')
    const results = await Promise.all([one(), one()])
    return results.map((result) => (result as pg.QueryResult).rows[0].pid)
  }
  const before = await pids()
  const change = 'BEGIN READ ONLY; CREATE TABLE pets_pool_test (id int)'
  await assert.rejects(pool.query(change), { code: '25006' })
  const after = await pids()
  assert.equal(new Set([...before, ...after]).size, 4)
  assert.ok((await backends()) <= 3)
})

test('it is closed within two seconds, whatever the server does', async (t) => {
  const { pool, proxy } = await open(t)
  await pool.query('SELECT 1')
  proxy.silent = true
  const lost = assert.rejects(pool.query('SELECT 1'), /Connection terminated/)
  await untilUsed(pool, 1)
  const began = performance.now()
  await pool.close()
  assert.ok(performance.now() - began < 3_000)
  await lost
})
