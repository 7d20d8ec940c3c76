import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Part, required, testWith } from '../../contracts/testing/part.ts'
import {
  createPrivatePostgres,
  createPrivateStandby,
  type PrivatePostgres,
} from '../../contracts/testing/private-postgres.ts'
import { assertStored, readAll, startCreating, unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'

const writers = 16
/** How long there is no primary until the standby is promoted, in milliseconds. */
const noticeMs = 2_000

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
  /** What happens to the processes of the primary. */
  readonly signal: 'SIGKILL' | 'SIGSTOP'
  /** The longest time without a creation after the promotion, in milliseconds. */
  readonly mostMs: number
}

const scenarios: Readonly<Record<string, Scenario>> = {
  'that has each commit is promoted': { commit: 'on', names: 'standby', signal: 'SIGKILL', mostMs: 3_000 },
  'that lacks the last commits is promoted': { commit: 'off', names: '', signal: 'SIGKILL', mostMs: 3_000 },
  'is promoted while the primary stands still': {
    commit: 'on',
    names: 'standby',
    signal: 'SIGSTOP',
    mostMs: 6_000,
  },
}

const pairs: Part<Pair>[] = []
for (const _ of Object.keys(scenarios)) pairs.push(required(await createPair()))

for (const [index, [name, scenario]] of Object.entries(scenarios).entries())
  testWith(pairs[index] ?? { absent: 'there is no pair' })(
    `a server on two hosts creates animals again when a standby ${name}`,
    (t, pair) => failOver(t, pair, scenario),
  )

async function failOver(
  t: TestContext,
  { primary, standby }: Pair,
  { commit, names, signal, mostMs }: Scenario,
): Promise<void> {
  await primary.set('synchronous_standby_names', names)
  await primary.set('synchronous_commit', commit)
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`)
  const address = `postgres://postgres@${hosts.join()}/postgres`
  const { base, ...server } = await launchServer(`--port 0 --log json --postgres ${address}`, {
    env: unlimited,
  })
  const creators = startCreating(base, writers, 1)
  await creators.more(1000)
  await primary.signal(signal)
  const failed = performance.now()
  await setTimeout(noticeMs)
  await standby.promote()
  const promoted = performance.now()
  await creators.more(1)
  const again = performance.now()
  await creators.more(1000)
  await creators.end()

  const stored = await readAll(base)
  const ids = new Set(stored.map(({ id }) => id))
  const lost = creators.acknowledged.filter(({ id }) => !ids.has(id))
  const seconds = (from: number) => ((again - from) / 1000).toFixed(2)
  t.diagnostic(
    `synchronous_commit ${commit}, ${signal}: no creation for ${seconds(failed)} s, of which ${seconds(promoted)} s after the promotion; ${lost.length} of ${creators.acknowledged.length} acknowledged creations lost; ${creators.otherResponses.length} responses of 503`,
  )
  assert.ok(again - promoted < mostMs, `${seconds(promoted)} s`)
  assert.ok(creators.otherResponses.every(({ status }) => status === 503))
  if (commit === 'on') assertStored(stored, creators.acknowledged)
  assert.match(server.stdout.text, new RegExp(`the host that accepts changes is 127.0.0.1:${standby.port}`))
  if (signal === 'SIGSTOP') {
    await primary.signal('SIGCONT')
    await untilUnused(primary)
  }
  await stop(server)
}

/** Resolves when a server has no other client. */
async function untilUnused({ url }: PrivatePostgres): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const others = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  while ((await client.query(others)).rows.length > 0) await setTimeout(100)
  await client.end()
}
