import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Part, partValue, required, testWith } from '../../contracts/testing/part.ts'
import { createPrivatePgBouncer } from '../../contracts/testing/private-pgbouncer.ts'
import { createPrivatePostgres } from '../../contracts/testing/private-postgres.ts'
import { assertStored, readAll, unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'

const bound = 10
/** How long the standby is missing, in milliseconds: several times what a statement may take. */
const outageMs = 12_000

const database = await createPrivatePostgres()
const pooler = 'value' in database ? await createPrivatePgBouncer(database.value.port) : database

const kinds: Readonly<Record<string, Part<{ readonly port: number }>>> = {
  PostgreSQL: database,
  'PostgreSQL behind PgBouncer': pooler,
}

for (const [name, part] of Object.entries(kinds))
  testWith(required(part))(
    `a server on ${name} never has more backends than its pool while no commit ends, and recovers within three seconds`,
    (t, { port }) => surviveMissingStandby(t, port),
  )

async function surviveMissingStandby(t: TestContext, port: number): Promise<void> {
  const { url, set } = partValue(database)
  const observer = new pg.Client(url)
  await observer.connect()
  after(() => observer.end())
  const address = `postgres://postgres@127.0.0.1:${port}/postgres?application_name=pets`
  const { base, ...server } = await launchServer(`--port 0 --log silent --postgres ${address}`, {
    env: unlimited,
  })
  const load = startLoad(base, { creates: 16 })
  await load.more(200, 'create')
  await set('synchronous_standby_names', 'absent')

  let most = 0
  const end = performance.now() + outageMs
  while (performance.now() < end) {
    most = Math.max(most, await countBackends(observer))
    const other = new pg.Client(url)
    await other.connect()
    await other.end()
    await setTimeout(50)
  }
  await set('synchronous_standby_names', '')
  const began = performance.now()
  const seconds = ((await load.success('create', began)) - began) / 1000
  await load.more(200, 'create')
  const { 503: rejected = 0, ...others } = await load.end()
  const late = load.exchanges.filter(({ result }) => result === 503)
  const longestMs = Math.max(...late.map(({ startedAt, endedAt }) => endedAt - startedAt))
  t.diagnostic(
    `at most ${most} backends; ${rejected} responses of 503, after at most ${longestMs.toFixed()} ms; 201 again after ${seconds.toFixed(2)} s`,
  )
  assert.ok(most > 0 && most <= bound, `${most} backends`)
  assert.deepEqual(others, {})
  assert.ok(rejected > 0)
  assert.ok(longestMs < 7_000, `${longestMs} ms`)
  assert.ok(late.every(({ kind }) => kind === 'create'))
  assert.ok(seconds < 3, `${seconds} s`)
  assertStored(await readAll(base), load.acknowledged)
  await stop(server)
}

/** Returns how many backends serve the server, as another client sees it. */
async function countBackends(observer: pg.Client): Promise<number> {
  const { rows } = await observer.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'pets'`,
  )
  return rows[0].count
}
