import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Host } from './driver.ts'
import { createPool, type Pool } from './pool.ts'
import { createFakeServer, type FakeServer } from './testing/fake-server.ts'

interface Opened {
  readonly pool: Pool
  readonly hosts: readonly string[]
}

/** Creates a pool of at most three connections to each server. */
function open(t: TestContext, servers: readonly FakeServer[], timeoutMs = 60_000): Opened {
  const named = servers.map((server, index) => ({
    host: { name: `host-${index}`, url: '', isOnly: servers.length === 1 },
    server,
  }))
  const hosts: string[] = []
  const pool = createPool({
    hosts: named.map(({ host }) => host),
    max: 3,
    timeoutMs,
    open: (host: Host, onLost) => {
      const found = named.find((each) => each.host === host)
      if (!found) throw new Error('no such host')
      return found.server.connect(onLost)
    },
    onLost: () => {},
    onHost: ({ name }) => hosts.push(name),
  })
  t.after(async () => {
    for (const server of servers) server.crash()
    await pool.close()
  })
  return { pool, hosts }
}

/** Sends statements, and returns their results once the server has those that have a connection. */
async function send(pool: Pool, count: number): Promise<Promise<unknown>[]> {
  const results = Array.from({ length: count }, (_, index) => pool.query(`statement ${index}`))
  for (const result of results) result.catch(() => {}) // awaited later
  await settle()
  return results
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await turn()
}

test('statements share the connections, in their order', async (t) => {
  const server = createFakeServer()
  const { pool } = open(t, [server])
  const results = await send(pool, 5)
  assert.deepEqual(pool.connections(), { used: 3, idle: 0, waiting: 2 })
  for (let i = 0; i < 5; i++) {
    server.statements[0]?.respond([i])
    await settle()
  }
  assert.deepEqual(await Promise.all(results), [[0], [1], [2], [3], [4]])
  assert.deepEqual(pool.connections(), { used: 0, idle: 3, waiting: 0 })
  assert.equal(server.most, 3)
})

test('one statement after the other uses one connection', async (t) => {
  const server = createFakeServer()
  const { pool } = open(t, [server])
  for (let i = 0; i < 3; i++) {
    const [result] = await send(pool, 1)
    server.statements[0]?.respond()
    await result
  }
  assert.equal(server.most, 1)
})

test('a statement that is given up retains its place until the server has responded', async (t) => {
  const server = createFakeServer()
  server.cancels = 'reached'
  const { pool } = open(t, [server], 20)
  const results = await send(pool, 4)
  for (const result of results) await assert.rejects(result, /timeout exceeded: no result/)
  while (server.cancelRequests < 6) await settle()
  assert.deepEqual([server.count, server.most], [3, 3])
  assert.deepEqual(pool.connections(), { used: 3, idle: 0, waiting: 0 })
  await assert.rejects(pool.query('another'), /timeout exceeded/)
  assert.equal(server.most, 3)

  server.cancels = 'ended'
  while (server.count > 0) await settle()
  const [after] = await send(pool, 1)
  server.statements[0]?.respond(['after'])
  assert.deepEqual(await after, ['after'])
})

test('a connection that was silent while the server was unreachable is broken once that responds', async (t) => {
  const server = createFakeServer()
  server.cancels = 'unreachable'
  const { pool } = open(t, [server], 20)
  const [result] = await send(pool, 1)
  await assert.rejects(result ?? fail(), /timeout exceeded/)
  await until(() => server.cancelRequests > 0)
  assert.equal(server.count, 1)
  server.cancels = 'reached'
  await until(() => server.count === 0)
})

test('a connection with a statement that failed is not used again', async (t) => {
  const server = createFakeServer()
  const { pool } = open(t, [server])
  const [result] = await send(pool, 1)
  server.statements[0]?.fail(new Error('terminating connection'))
  await assert.rejects(result ?? fail(), /terminating connection/)
  await settle()
  assert.deepEqual(pool.connections(), { used: 0, idle: 0, waiting: 0 })
})

test('while no connection can be opened, each statement rejects with the cause', async (t) => {
  const server = createFakeServer('gone')
  const { pool } = open(t, [server])
  for (const result of await send(pool, 5)) await assert.rejects(result, /ECONNREFUSED/)
  server.role = 'primary'
  const [result] = await send(pool, 1)
  server.statements[0]?.respond()
  await result
})

test('of several hosts, the one is used that accepts changes', async (t) => {
  const [standby, primary] = [createFakeServer('standby'), createFakeServer()]
  const { pool, hosts } = open(t, [standby, primary])
  const results = await send(pool, 5)
  assert.deepEqual([standby.count, primary.count], [0, 3])
  while (primary.statements.length > 0) {
    primary.statements[0]?.respond()
    await settle()
  }
  await Promise.all(results)
  assert.deepEqual(hosts, ['host-1'])
})

test('where no host accepts changes, statements reject at once with the reason of each host', async (t) => {
  const { pool } = open(t, [createFakeServer('standby'), createFakeServer('gone')])
  const message =
    'none of the hosts accepts changes: host-0: host-0 is read-only; host-1: connect ECONNREFUSED'
  for (const result of await send(pool, 5)) await assert.rejects(result, { message, code: '25006' })
})

test('a host that has become read-only is left for the one that accepts changes', async (t) => {
  const [first, second] = [createFakeServer(), createFakeServer('standby')]
  const { pool, hosts } = open(t, [first, second])
  const results = await send(pool, 2)
  ;[first.role, second.role] = ['standby', 'primary']
  first.statements[1]?.respond()
  first.statements[0]?.fail(Object.assign(new Error('read-only'), { code: '25006' }))
  await Promise.allSettled(results)
  const [result] = await send(pool, 1)
  second.statements[0]?.respond(['second'])
  assert.deepEqual(await result, ['second'])
  assert.equal(first.count, 0)
  assert.deepEqual(hosts, ['host-0', 'host-1'])
})

test('a host that is unreachable during a statement is left, and its connections do not count for another one', async (t) => {
  const [first, second] = [createFakeServer(), createFakeServer('standby')]
  first.cancels = 'unreachable'
  const { pool } = open(t, [first, second], 20)
  for (const result of await send(pool, 3)) await assert.rejects(result, /timeout exceeded/)
  second.role = 'primary'
  await until(async () => {
    pool.query('a probe').catch(() => {})
    await settle()
    return second.statements.length > 0
  })
  assert.equal(first.count, 3)
})

test('when it closes, statements have some time, and are cancelled then', async (t) => {
  const server = createFakeServer()
  const { pool } = open(t, [server])
  const results = await send(pool, 2)
  const closed = pool.close()
  await assert.rejects(pool.query('late'), /the pool is closed/)
  server.statements[0]?.respond(['in time'])
  assert.deepEqual(await results[0], ['in time'])
  await assert.rejects(results[1] ?? fail(), /canceling statement/)
  await closed
  assert.equal(server.count, 0)
})

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await settle()
}

function fail(): never {
  throw new Error('there is no result')
}
