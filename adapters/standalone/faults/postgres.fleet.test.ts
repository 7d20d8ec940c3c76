import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Part, partValue, required, testWith } from '../../contracts/testing/part.ts'
import { createPrivatePgBouncer } from '../../contracts/testing/private-pgbouncer.ts'
import { createPrivatePostgres, type PrivatePostgres } from '../../contracts/testing/private-postgres.ts'
import { unlimited } from '../testing/animals.ts'
import { run, stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import type { LoadOptions } from '../testing/load.ts'
import { send } from '../testing/request.ts'
import {
  assertListed,
  assertRejected,
  type Effect,
  type Endured,
  endureStorage,
  type Fault,
} from './testing/endure.ts'

const maxConnections = 20
const postgres = required(
  await createPrivatePostgres(`max_connections=${maxConnections}`, 'superuser_reserved_connections=0'),
)
const pooler = 'value' in postgres ? required(await createPrivatePgBouncer(postgres.value.port)) : postgres
const test = testWith(postgres)

/** Issues a key in the database, whose limits no load reaches. */
async function issueKey(url: string, id: string): Promise<string> {
  const limits = '--plan enterprise --minute 10000000 --day 100000000'
  const { key } = JSON.parse(await run(`keys issue --postgres ${url} --id ${id} ${limits} --json`))
  return key
}

/** Lets a server endure a fault. The key of `options` is one of the database; without it the server has its own. */
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

/** Asserts also that no more requests succeeded than those that ended while the fault began. */
function assertStoodStill(effect: Effect): void {
  assertRejected(effect)
  const { results, longestMs } = effect
  assert.ok((results[200] ?? 0) + (results[201] ?? 0) < 50)
  assert.ok(longestMs < 6_000, `${longestMs} ms`)
}

/** Others take all connections of a PostgreSQL. */
function takingConnections({ url }: PrivatePostgres): Fault {
  const others: pg.Client[] = []
  const connect = async (): Promise<pg.Client> => {
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
        await first.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND application_name <> 'others'`)
        await connect().catch(() => {}) // the server may be faster
      }
    },
    ms: 3_000,
    repair: () => Promise.all(others.map((client) => client.end())),
  }
}

/** Another program locks the table of the animals against writers. */
function lockingTable({ url }: PrivatePostgres): Fault {
  const other = new pg.Client(url)
  return {
    async fail() {
      await other.connect()
      await other.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
    },
    ms: 20_000,
    repair: () => other.end(),
  }
}

const rejected = ({ list, create }: Endured) => [list, create].forEach(assertRejected)
const stoodStill = ({ list, create }: Endured) => [list, create].forEach(assertStoodStill)
const readOnly = 'default_transaction_read_only'

for (const [sentence, faultOf, check, options] of [
  [
    'while PostgreSQL is down, every request gets 503, and no animal is lost that has its 201',
    ({ crash, start }) => ({ fail: crash, ms: 3_000, repair: start }),
    rejected,
  ],
  [
    'while others have all connections of PostgreSQL, requests get 503, and are served once there is room',
    takingConnections,
    rejected,
  ],
  [
    'a PostgreSQL that stands still costs no request more than 6 s, and later ones less, and is used again at once',
    ({ signal }) => ({ fail: () => signal('SIGSTOP'), ms: 12_000, repair: () => signal('SIGCONT') }),
    stoodStill,
  ],
  [
    'while another program locks the table against writers, creations get 503, and every list works',
    lockingTable,
    (endured) => {
      assertStoodStill(endured.create)
      assertListed(endured)
      assert.ok(endured.list.longestMs < 3_000, `${endured.list.longestMs} ms`)
    },
    { creates: 20 },
  ],
  [
    'while PostgreSQL is read-only, creations get 503, and every list works',
    ({ set }) => ({ fail: () => set(readOnly, 'on'), ms: 3_000, repair: () => set(readOnly, 'off') }),
    assertListed,
  ],
] satisfies readonly (readonly [
  sentence: string,
  faultOf: (server: PrivatePostgres) => Fault,
  check: (endured: Endured) => void,
  options?: LoadOptions,
])[])
  test(sentence, async (t, server) => check(await measure(t, server.url, faultOf(server), options)))

test('while a PostgreSQL is down that has the keys, no valid key gets 401 or the 429 of its address, and each works again', async (t, {
  url,
  crash,
  start,
}) => {
  const key = await issueKey(url, 'down')
  const { list, create } = await measure(t, url, { fail: crash, ms: 8_000, repair: start }, { key })
  for (const { results, againMs } of [list, create]) {
    assert.ok((results[503] ?? 0) > 0)
    assert.ok(!('401' in results || '429' in results || '500' in results))
    assert.ok(againMs < 5_000, `${againMs} ms`)
  }
})

const addresses: Readonly<Record<string, Part<{ readonly port: number }>>> = {
  PostgreSQL: postgres,
  'PostgreSQL behind PgBouncer': pooler,
}
for (const [name, part] of Object.entries(addresses))
  testWith(part)(
    `while no commit of ${name} ends, creations get 503, every list works, and a server has no more backends than its pool`,
    async (t, { port }) => {
      const { url, set } = partValue(postgres)
      const observer = new pg.Client(url)
      await observer.connect()
      let isOver = false
      let most = 0
      async function count(): Promise<void> {
        const ofServer = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'pets'`
        for (; !isOver; await setTimeout(50))
          most = Math.max(most, (await observer.query(ofServer)).rows[0].count)
      }
      let counting: Promise<void> | undefined
      const fault = {
        async fail() {
          counting = count()
          await set('synchronous_standby_names', 'absent')
        },
        ms: 12_000, // several times what a statement may take
        async repair() {
          isOver = true
          await counting
          await set('synchronous_standby_names', '')
        },
      }
      const address = `postgres://postgres@127.0.0.1:${port}/postgres?application_name=pets`
      const endured = await measure(t, address, fault, { creates: 16 })
      await observer.end()
      t.diagnostic(`at most ${most} backends`)
      assertStoodStill(endured.create)
      assertListed(endured)
      assert.ok(most > 0 && most <= 10, `${most} backends`)
    },
  )

testWith(pooler)('a PgBouncer that is killed and started again is used again', async (t, bouncer) => {
  const url = `postgres://postgres@127.0.0.1:${bouncer.port}/postgres`
  rejected(await measure(t, url, { fail: bouncer.stop, ms: 3_000, repair: bouncer.start }))
})

test('a key that is revoked is invalid on every server within five seconds', async (t, { url }) => {
  const key = await issueKey(url, 'revoked')
  const servers = await Promise.all([1, 2].map(() => launchServer(`--port 0 --log silent --postgres ${url}`)))
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
