import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { mapPart, type Part, testWith } from '../../contracts/testing/part.ts'
import { createPrivateCluster } from '../../contracts/testing/private-cluster.ts'
import type { PrivateRedis } from '../../contracts/testing/private-redis.ts'
import { createPrivateSentinel } from '../../contracts/testing/private-sentinel.ts'
import { endure } from '../faults/testing/endure.ts'
import { stop } from '../testing/command.ts'
import type { LaunchedServer } from '../testing/launch.ts'
import { limitedServers, loadKey } from '../testing/limited.ts'
import { startLoad } from '../testing/load.ts'
import { send } from '../testing/request.ts'

const startLimited = limitedServers()

/** What fails over, in a form that a cluster and Sentinels have in common. */
interface FailingOver {
  readonly address: string
  /** Returns the master that counts a key, as a server other than `except` knows. */
  master(key: string, except?: PrivateRedis): Promise<PrivateRedis>
}

const cluster = mapPart(
  await createPrivateCluster(),
  ({ servers, masterOf }): FailingOver => ({
    address: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`,
    master: (key, except) => masterOf(key, except),
  }),
)
const sentinel = mapPart(
  await createPrivateSentinel(),
  ({ ports, masterName, master }): FailingOver => ({
    address: `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join()}/${masterName}`,
    master,
  }),
)
const kinds: Readonly<Record<string, Part<FailingOver>>> = { 'a Redis Cluster': cluster, Sentinel: sentinel }

async function hasMode({ base }: LaunchedServer, mode: 'shared' | 'local'): Promise<boolean> {
  const { body } = await send(new URL('/metrics', base).href)
  return (
    body.includes(`\npet_adoption_limiter_mode{mode="${mode}"} 1\n`) &&
    body.includes(`\npet_adoption_redis_up ${mode === 'shared' ? 1 : 0}\n`)
  )
}

/** Returns how often a server has found Redis again. On a busy machine, it may lose it also before the failover. */
function recoveries({ stdout }: LaunchedServer): number {
  return stdout.text.split('Redis is available again: limits are shared').length - 1
}

/** How many failovers there were: each has keys of its own. */
let runs = 0

/** Fails the master of a key over under load, and checks what three servers admit before, meanwhile and afterwards. */
async function failOver(
  t: TestContext,
  { address, master }: FailingOver,
  fail: (master: PrivateRedis) => void | Promise<void>,
  back: (master: PrivateRedis) => void | Promise<void>,
): Promise<void> {
  const run = ++runs
  const idsOf = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${name}-${run}-${i}`)
  const [[id = ''], earlier, soon, later] = [
    idsOf('meanwhile', 1),
    idsOf('earlier', 12),
    idsOf('soon', 6),
    idsOf('later', 6),
  ]
  const { servers, admitted, assertExact } = await startLimited(3, address, [
    id,
    ...earlier,
    ...soon,
    ...later,
  ])
  for (const each of earlier) await assertExact(each)

  const old = await master(`pet-adoption:key:${id}`)
  let failedAt = 0
  let seconds = 0
  let overAdmitted = 0
  let before: readonly number[] = []
  const [base = '', ...otherBases] = servers.map((server) => server.base)
  const others = otherBases.map((other) => startLoad(other, { key: loadKey, lists: 1, creates: 0 }))
  const { list, create } = await endure(
    t,
    startLoad(base, { key: loadKey, lists: 1, creates: 1 }),
    base,
    {
      async fail() {
        failedAt = performance.now()
        await fail(old)
        for (const server of servers) while (!(await hasMode(server, 'local'))) await setTimeout(200)
        before = servers.map(recoveries)
        overAdmitted = (await admitted(id, 80)) - 60
      },
      ms: 0,
      async repair() {
        for (const [i, server] of servers.entries())
          while (recoveries(server) === before[i]) await setTimeout(20)
        seconds = (performance.now() - failedAt) / 1000
      },
    },
    loadKey,
  )
  for (const other of others) assert.deepEqual(await other.end(), {})
  t.diagnostic(
    `shared again after ${seconds.toFixed(1)} s; ${overAdmitted} of 60 admitted too many meanwhile`,
  )
  assert.deepEqual([Object.keys(list.results), Object.keys(create.results)], [['200'], ['201']])
  while ((await master(`pet-adoption:key:${id}`, old)).port === old.port) await setTimeout(100)
  assert.ok(overAdmitted <= 2 * 60, `${overAdmitted} too many`)
  assert.ok(seconds < 15, `${seconds} s`)

  // The Sentinel that led the failover tells it last, and the driver then connects once more.
  await setTimeout(Math.max(0, failedAt + 12_000 - performance.now()))
  for (const each of soon) await assertExact(each)
  await back(old)
  await setTimeout(3000)
  for (const server of servers) assert.ok(await hasMode(server, 'shared'))
  for (const each of later) await assertExact(each)
  await stop(...servers)
}

for (const [name, part] of Object.entries(kinds)) {
  const test = testWith(part)
  test(`three servers on ${name} whose master stands still admit exactly a limit before and after`, (t, redis) =>
    failOver(
      t,
      redis,
      (master) => master.pause(),
      (master) => master.resume(),
    ))

  test(`three servers on ${name} whose master is killed admit exactly a limit before and after`, (t, redis) =>
    failOver(
      t,
      redis,
      (master) => master.stop(),
      (master) => master.start(),
    ))
}
