import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
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
  /** What happens to the primary, whose connections stay where it does not end. */
  fail(primary: PrivatePostgres): Promise<void>
  readonly recovers?: boolean
}

const kill = ({ signal }: PrivatePostgres) => signal('SIGKILL')

const scenarios: Readonly<Record<string, Scenario>> = {
  'that has each commit is promoted': { commit: 'on', names: 'standby', fail: kill },
  'that lacks the last commits is promoted': { commit: 'off', names: '', fail: kill },
  'is promoted while the primary stands still': {
    commit: 'on',
    names: 'standby',
    fail: ({ signal }) => signal('SIGSTOP'),
    recovers: true,
  },
  'is promoted after the primary became read-only': {
    commit: 'on',
    names: '',
    fail: ({ set }) => set('default_transaction_read_only', 'on'),
  },
}

const pairs: Part<Pair>[] = []
for (const _ of Object.keys(scenarios)) pairs.push(required(await createPair()))

for (const [index, [name, scenario]] of Object.entries(scenarios).entries())
  testWith(pairs[index] ?? { absent: 'there is no pair' })(
    `a server behind one address creates animals again within three seconds when a standby ${name}`,
    (t, pair) => failOver(t, pair, scenario),
  )

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
    // Those that wait for a standby that has become a primary do not end, and are no more than the server may have.
    assert.ok((await countClients(primary)) <= 10)
  }
  await stop(server)
}

/** Returns how many other clients a server has. */
async function countClients({ url }: PrivatePostgres): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const others = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  const { rows } = await client.query(others)
  await client.end()
  return rows.length
}
