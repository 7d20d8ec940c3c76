import assert from 'node:assert/strict'
import { describe, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Part, required, testWith } from '../../contracts/testing/part.ts'
import {
  createPrivatePostgres,
  createPrivateStandby,
  type PrivatePostgres,
} from '../../contracts/testing/private-postgres.ts'
import { createTcpProxy } from '../../contracts/testing/tcp-proxy.ts'
import { endure } from '../faults/testing/endure.ts'
import { unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'

interface Pair {
  readonly primary: PrivatePostgres
  readonly standby: PrivatePostgres
}

async function createPair(): Promise<Part<Pair>> {
  const primary = await createPrivatePostgres()
  if ('absent' in primary) return primary
  const standby = await createPrivateStandby(primary.value)
  if ('absent' in standby) return standby
  return { value: { primary: primary.value, standby: standby.value } }
}

interface Scenario {
  /** The settings `synchronous_commit` and `synchronous_standby_names` of the primary. */
  readonly commit: 'on' | 'off'
  readonly names: 'standby' | ''
  /** Makes the primary fail. Its connections stay open unless it ends. */
  fail(primary: PrivatePostgres): Promise<void>
  readonly recovers?: boolean
}

const kill = ({ signal }: PrivatePostgres) => signal('SIGKILL')

/** The failovers, by the state of the old primary. */
const scenarios: Readonly<Record<string, Scenario>> = {
  'killed, with a standby that has each commit': { commit: 'on', names: 'standby', fail: kill },
  'killed, with a standby that lacks commits': { commit: 'off', names: '', fail: kill },
  'standing still': {
    commit: 'on',
    names: 'standby',
    fail: ({ signal }) => signal('SIGSTOP'),
    recovers: true,
  },
  'alive and read-only': {
    commit: 'on',
    names: '',
    fail: ({ set }) => set('default_transaction_read_only', 'on'),
  },
}

/** One pair for each failover, and one for a primary that stays writable. */
const pairs: Part<Pair>[] = []
for (let i = 0; i <= Object.keys(scenarios).length; i++) pairs.push(required(await createPair()))
const takePair = () => pairs.shift() ?? { absent: 'there is no pair' }

describe('a server behind one address', () => {
  for (const [when, scenario] of Object.entries(scenarios))
    testWith(takePair())(`works 3 s after a promotion; the primary is ${when}`, (t, pair) =>
      failOver(t, pair, scenario),
    )

  testWith(takePair())(
    'leaves a primary that stays writable within 10 s',
    async (t, { primary, standby }) => {
      const proxy = await createTcpProxy(primary.port)
      const address = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`
      const server = await launchServer(`--port 0 --log silent --postgres ${address}`, { env: unlimited })
      const load = startLoad(server.base, { creates: 16 })
      await load.more(1000, 'create')
      const observer = new pg.Client(primary.url)
      await observer.connect()
      await standby.promote()
      proxy.target = standby.port
      const promotedAt = performance.now()
      let [last, lastAt] = [0, 0]
      while (performance.now() - promotedAt < 15_000) {
        const { count } = (await observer.query('SELECT count(*)::int AS count FROM pets')).rows[0]
        if (count !== last) lastAt = performance.now()
        last = count
        await setTimeout(50)
      }
      await observer.end()
      t.diagnostic(`the last creation on the old primary came ${(lastAt - promotedAt).toFixed()} ms later`)
      assert.ok(lastAt - promotedAt < 10_000)
      assert.deepEqual(await load.end(), {})
      await stop(server)
    },
  )
})

async function failOver(
  t: TestContext,
  { primary, standby }: Pair,
  { commit, names, fail, recovers = false }: Scenario,
): Promise<void> {
  await primary.set('synchronous_standby_names', names)
  await primary.set('synchronous_commit', commit)
  const proxy = await createTcpProxy(primary.port)
  const address = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`
  const server = await launchServer(`--port 0 --log json --postgres ${address}`, { env: unlimited })
  const load = startLoad(server.base, { creates: 16 })
  await load.more(1000, 'create')
  const { create } = await endure(t, load, server.base, {
    fail: () => fail(primary),
    ms: 2_000, // there is no primary meanwhile
    async repair() {
      await standby.promote()
      proxy.target = standby.port
    },
    loses: commit === 'off',
  })
  assert.ok(create.againMs < 3_000, `${create.againMs} ms`)
  const { 503: _, ...others } = await load.end()
  assert.deepEqual(others, {})
  if (recovers) {
    await primary.signal('SIGCONT')
    // Creations that wait for the former standby do not end; the server may have no more of them than connections.
    assert.ok((await countClients(primary)) <= 10)
  }
  await stop(server)
}

/** Returns the number of other clients of a server. */
async function countClients({ url }: PrivatePostgres): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const others = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  const { rows } = await client.query(others)
  await client.end()
  return rows.length
}
