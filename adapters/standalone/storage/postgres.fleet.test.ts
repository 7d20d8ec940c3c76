import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { testWith } from '../../contracts/testing/part.ts'
import { createPrivatePostgres } from '../../contracts/testing/private-postgres.ts'
import { unlimited } from '../testing/animals.ts'
import { type Launched, launch } from '../testing/launch.ts'
import { baseAddressOf } from '../testing/program.ts'
import { type ReceivedResponse, send } from '../testing/request.ts'

const test = testWith(await createPrivatePostgres())
const agent = new Agent({ keepAlive: true })
after(() => agent.destroy())

const key = 'the-key-of-the-tests'
const body = '{"name":"Rex","categoryId":1}'

interface Exchange {
  readonly startedAt: number
  readonly ms: number
  readonly response: ReceivedResponse
}

interface Server extends Launched {
  readonly base: string
  list(): Promise<Exchange>
  create(): Promise<Exchange>
  isReady(): Promise<boolean>
  metric(name: string): Promise<number>
}

async function startServer(url: string): Promise<Server> {
  const launched = launch(`--port 0 --metrics --log json --postgres ${url}`, { env: unlimited })
  const base = await baseAddressOf(launched)
  const timed = async (request: Promise<ReceivedResponse>): Promise<Exchange> => {
    const startedAt = performance.now()
    return { response: await request, startedAt, ms: performance.now() - startedAt }
  }
  return {
    ...launched,
    base,
    list: () => timed(send(`${base}/pets`, { key, agent })),
    create: () => timed(send(`${base}/pets`, { method: 'POST', key, body, agent })),
    isReady: async () => (await send(new URL('/readyz', base).href)).status === 200,
    async metric(name) {
      const { body: text } = await send(new URL('/metrics', base).href)
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length + 1),
      )
    },
  }
}

/** Sends requests from several clients, each one after the other, until it is stopped. */
function load(clients: number, request: () => Promise<Exchange>): { stop(): Promise<readonly Exchange[]> } {
  let isOver = false
  const exchanges: Exchange[] = []
  const all = Array.from({ length: clients }, async () => {
    while (!isOver) {
      exchanges.push(await request())
      await setTimeout(10)
    }
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(all)
      return exchanges
    },
  }
}

const longest = (exchanges: readonly Exchange[]) => Math.max(0, ...exchanges.map(({ ms }) => ms))
const statusesOf = (exchanges: readonly Exchange[]) => [
  ...new Set(exchanges.map(({ response }) => response.status)),
]

async function stop({ child, end }: Server): Promise<void> {
  child.kill('SIGTERM')
  assert.equal(await end, 0)
}

test('a PostgreSQL that stands still costs no request more than 6 s, after the first few at most 1 s, and is used again at once', async (t, {
  url,
  signal,
}) => {
  const server = await startServer(url)
  assert.deepEqual([(await server.create()).response.status, await server.isReady()], [201, true])
  await signal('SIGSTOP')
  const pausedAt = performance.now()
  const loads = [load(6, server.list), load(6, server.create)]
  await setTimeout(12_000)
  assert.deepEqual([await server.isReady(), await server.metric('pet_adoption_store_up')], [false, 0])
  const later = [await server.list(), await server.create()]
  await signal('SIGCONT')
  const resumedAt = performance.now()
  while (!(await server.isReady())) await setTimeout(20)
  const readyMs = performance.now() - resumedAt
  const exchanges = (await Promise.all(loads.map((each) => each.stop()))).flat()
  const meanwhile = exchanges.filter(
    ({ startedAt, ms }) => startedAt > pausedAt && startedAt + ms < resumedAt,
  )
  const first = longest(meanwhile)
  const afterFirst = longest(meanwhile.filter(({ startedAt }) => startedAt > pausedAt + first))
  t.diagnostic(
    `at most ${first.toFixed()} ms, then ${afterFirst.toFixed()} ms; ready after ${readyMs.toFixed()} ms`,
  )
  assert.deepEqual(statusesOf(meanwhile), [503])
  for (const { response } of meanwhile) assert.ok(Number(response.headers['retry-after']) >= 1)
  assert.ok(first < 6_000)
  assert.ok(Math.max(afterFirst, longest(later)) < 1_000)
  assert.ok(readyMs < 3_000)
  assert.deepEqual(statusesOf([await server.list(), await server.create()]), [200, 201])
  await stop(server)
})

test('while another program locks the table against writers, creations are rejected and every list works', async (t, {
  url,
}) => {
  const server = await startServer(url)
  await server.create()
  const other = new pg.Client(url)
  await other.connect()
  await other.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
  const lockedAt = performance.now()
  const lists = load(4, server.list)
  const creations = load(20, server.create)
  await setTimeout(10_000)
  assert.deepEqual(
    [
      await server.isReady(),
      await server.metric('pet_adoption_store_up'),
      await server.metric('pet_adoption_store_writable'),
    ],
    [false, 1, 0],
  )
  await setTimeout(10_000)
  await other.query('ROLLBACK')
  const unlockedAt = performance.now()
  while (!(await server.isReady())) await setTimeout(20)
  const readyMs = performance.now() - unlockedAt
  const listed = await lists.stop()
  const rejected = (await creations.stop()).filter(({ startedAt, ms }) => startedAt + ms < unlockedAt)
  const first = longest(rejected)
  const afterFirst = longest(rejected.filter(({ startedAt }) => startedAt > lockedAt + first))
  t.diagnostic(
    `creations at most ${first.toFixed()} ms, then ${afterFirst.toFixed()} ms; lists ${longest(listed).toFixed()} ms; ready after ${readyMs.toFixed()} ms`,
  )
  assert.deepEqual([statusesOf(rejected), statusesOf(listed)], [[503], [200]])
  assert.ok(first < 6_000)
  assert.ok(afterFirst < 1_000)
  assert.ok(longest(listed) < 3_000)
  assert.ok(readyMs < 3_000)
  assert.equal((await server.create()).response.status, 201)
  await other.end()
  await stop(server)
})

test('on a database that becomes read-only, creations are rejected at once, lists work, and a server that starts anew is not needed', async (_t, {
  url,
}) => {
  const server = await startServer(url)
  const other = new pg.Client(url)
  await other.connect()
  const setReadOnly = async (value: 'on' | 'off') => {
    await other.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await other.query('SELECT pg_reload_conf()')
  }
  await setReadOnly('on')
  while (await server.isReady()) await setTimeout(50)
  const exchanges = [await server.create(), await server.list()]
  assert.deepEqual(statusesOf(exchanges), [503, 200])
  assert.equal(await server.metric('pet_adoption_store_writable'), 0)
  await other.query('SET default_transaction_read_only = off')
  await setReadOnly('off')
  while (!(await server.isReady())) await setTimeout(50)
  assert.equal((await server.create()).response.status, 201)
  await other.end()
  await stop(server)
})
