import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { describe, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import {
  createPrivatePostgres,
  createPrivateStandby,
  type PrivatePostgres,
} from '../contracts/testing/private-postgres.ts'
import { type Resource, requireOnCi, testWith } from '../contracts/testing/resource.ts'
import { createTcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { runFault } from '../standalone/faults/testing/run-fault.ts'
import { unlimitedEnv } from '../standalone/testing/animals.ts'
import { stop } from '../standalone/testing/command.ts'
import { launchServer, faultProgram as program } from '../standalone/testing/launch.ts'
import { startLoad } from '../standalone/testing/load.ts'
import { send } from '../standalone/testing/request.ts'

interface Pair {
  readonly primary: PrivatePostgres
  readonly standby: PrivatePostgres
}

async function createPair(): Promise<Resource<Pair>> {
  const primary = await createPrivatePostgres()
  if ('absent' in primary) return primary
  const standby = await createPrivateStandby(primary.value)
  if ('absent' in standby) return standby
  return { value: { primary: primary.value, standby: standby.value } }
}

interface Scenario {
  /** Values for `synchronous_commit` and `synchronous_standby_names`. */
  readonly commit: 'on' | 'off'
  readonly names: 'standby' | ''
  /** Makes the primary fail. Its connections stay open unless it exits. */
  fail(primary: PrivatePostgres): Promise<void>
  readonly recovers?: boolean
}

const kill = ({ sendSignal }: PrivatePostgres) => sendSignal('SIGKILL')

/** How the primary fails, by test name. */
const scenarios: Readonly<Record<string, Scenario>> = {
  'killed, with a synchronous standby': { commit: 'on', names: 'standby', fail: kill },
  'killed, with an asynchronous standby': { commit: 'off', names: '', fail: kill },
  hanging: {
    commit: 'on',
    names: 'standby',
    fail: ({ sendSignal }) => sendSignal('SIGSTOP'),
    recovers: true,
  },
  'read-only': {
    commit: 'on',
    names: '',
    fail: ({ setConfig }) => setConfig('default_transaction_read_only', 'on'),
  },
}

/** Each test uses one pair, because it promotes the standby. */
const unusedPairs: Resource<Pair>[] = []
for (let i = 0; i <= Object.keys(scenarios).length; i++) unusedPairs.push(requireOnCi(await createPair()))
const getUnusedPair = () => unusedPairs.shift() ?? { absent: 'no pair of servers is left' }

describe('a server during a PostgreSQL failover', () => {
  for (const [when, scenario] of Object.entries(scenarios))
    testWith(getUnusedPair())(`recovers within 3 s of a promotion (primary ${when})`, (t, pair) =>
      failOver(t, pair, scenario),
    )

  testWith(getUnusedPair())(
    'leaves an old primary that stays writable within 10 s',
    async (t, { primary, standby }) => {
      const { proxy, server, load } = await startBehindProxy(primary)
      await load.waitForMore(1000, 'create')
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
      t.diagnostic(`the old primary received its last creation after ${(lastAt - promotedAt).toFixed()} ms`)
      assert.ok(lastAt - promotedAt < 10_000)
      assert.deepEqual(await load.end(), {})
      await stop(server)
    },
  )
})

/** Starts a server whose connections to the primary go through a proxy, and clients that create animals. */
async function startBehindProxy(primary: Pair['primary']) {
  const proxy = await createTcpProxy(primary.port)
  const address = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`
  const server = await launchServer(`--port 0 --log silent --postgres ${address}`, {
    env: unlimitedEnv,
    program,
  })
  return { proxy, server, load: startLoad(server.base, { createClients: 16 }) }
}

async function failOver(
  t: TestContext,
  { primary, standby }: Pair,
  { commit, names, fail, recovers = false }: Scenario,
): Promise<void> {
  await primary.setConfig('synchronous_standby_names', names)
  await primary.setConfig('synchronous_commit', commit)
  const { proxy, server, load } = await startBehindProxy(primary)
  const ownWrites = readOwnWrites(server.base)
  await load.waitForMore(1000, 'create')
  const { create } = await runFault(t, load, server.base, {
    fail: () => fail(primary),
    durationMs: 2_000, // the outage before the promotion
    async repair() {
      await standby.promote()
      proxy.target = standby.port
    },
    losesCreations: commit === 'off',
  })
  assert.ok(create.recoveryMs < 3_000, `${create.recoveryMs} ms`)
  const { found, missing } = await ownWrites.end()
  t.diagnostic(`${missing} of ${found + missing} animals not found after the 201 response`)
  if (commit === 'on') assert.equal(missing, 0)
  const { 503: _, ...others } = await load.end()
  assert.deepEqual(others, {})
  if (recovers) {
    await primary.sendSignal('SIGCONT')
    // Creations that wait for the former standby never finish. They occupy at most one pool's connections.
    assert.ok((await countClients(primary)) <= 10)
  }
  await stop(server)
}

/** Creates animals and then gets each of them, until `end` returns how many were found and missing. */
function readOwnWrites(base: string) {
  const agent = new Agent({ keepAlive: true })
  const options = { key: 'the-key-of-the-tests', agent }
  const counts = { found: 0, missing: 0 }
  let isOver = false
  async function client(): Promise<void> {
    for (; !isOver; await setTimeout(10)) {
      const body = '{"name":"Own","categoryId":1}'
      const created = await send(`${base}/pets`, { ...options, method: 'POST', body })
      if (created.status !== 201) continue
      const { status } = await send(`${base}/pets/${JSON.parse(created.body).id}`, options)
      if (status === 200) counts.found++
      if (status === 404) counts.missing++
    }
  }
  const clients = [client(), client(), client(), client()]
  return {
    async end() {
      isOver = true
      await Promise.all(clients)
      agent.destroy()
      return counts
    },
  }
}

/** Counts the clients that are connected to a server. */
async function countClients({ url }: PrivatePostgres): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const others = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  const { rows } = await client.query(others)
  await client.end()
  return rows.length
}
