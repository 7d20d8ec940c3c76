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

/** A cluster or a group of Sentinels that can fail over. */
interface FailingOver {
  readonly address: string
  /** Returns the master that counts a key, as a server other than `except` knows. */
  master(key: string, except?: PrivateRedis): Promise<PrivateRedis>
}

const cluster = mapPart(
  await createPrivateCluster(),
  ({ servers, masterOf, settled }): FailingOver => ({
    address: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`,
    async master(key, except) {
      await settled(except)
      return masterOf(key, except)
    },
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

async function isShared({ base }: LaunchedServer): Promise<boolean> {
  const { body } = await send(new URL('/metrics', base).href)
  return (
    /^pet_adoption_limiter_mode\{mode="shared"\} 1$/m.test(body) && /^pet_adoption_redis_up 1$/m.test(body)
  )
}

/** Returns how often a server has found Redis again. On a busy machine, it may lose it also before the failover. */
function recoveries({ stdout }: LaunchedServer): number {
  return stdout.text.split('Redis is available again: limits are shared').length - 1
}

/** Number of failovers so far. Each has keys of its own. */
let runs = 0

/** Fails the master of a key over under load, and checks what three servers admit before, meanwhile and afterwards. */
async function failOver(
  t: TestContext,
  { address, master }: FailingOver,
  fail: 'pause' | 'stop',
  back: 'resume' | 'start',
): Promise<void> {
  const run = ++runs
  const createIds = (name: string) => Array.from({ length: 6 }, (_, i) => `${name}-${run}-${i}`)
  const [meanwhile = '', ...before] = createIds('before')
  const [soon, later] = [createIds('soon'), createIds('later')]
  const ids = [meanwhile, ...before, ...soon, ...later]
  const { servers, admitted, assertExact } = await startLimited(3, address, ids)
  for (const each of before) await assertExact(each, 30)

  const key = `pet-adoption:key:${meanwhile}`
  const old = await master(key)
  let failedAt = 0
  let seconds = 0
  let overAdmitted = 0
  let recovered: readonly number[] = []
  const [base = '', ...otherBases] = servers.map((server) => server.base)
  const others = otherBases.map((other) => startLoad(other, { key: loadKey, lists: 1, creates: 0 }))
  const fault = {
    async fail() {
      failedAt = performance.now()
      await old[fail]()
      for (const server of servers) while (await isShared(server)) await setTimeout(200)
      recovered = servers.map(recoveries)
      overAdmitted = (await admitted(meanwhile, 80)) - 60
    },
    ms: 0,
    async repair() {
      for (const [i, server] of servers.entries())
        while (recoveries(server) === recovered[i]) await setTimeout(20)
      seconds = (performance.now() - failedAt) / 1000
    },
  }
  const load = startLoad(base, { key: loadKey, lists: 1, creates: 1 })
  const { list, create } = await endure(t, load, base, fault, loadKey)
  for (const other of others) assert.deepEqual(await other.end(), {})
  t.diagnostic(
    `shared again after ${seconds.toFixed(1)} s; ${overAdmitted} of 60 admitted too many meanwhile`,
  )
  assert.deepEqual([Object.keys(list.results), Object.keys(create.results)], [['200'], ['201']])
  // Each server admits a whole limit, and the new master, which has not counted, admits another one.
  const most = servers.length * 60
  assert.ok(overAdmitted <= most, `${overAdmitted} of ${most} too many`)
  assert.ok(seconds < 15, `${seconds} s`)

  while ((await master(key, old)).port === old.port) await setTimeout(100)
  await setTimeout(2000) // a Sentinel may have told it again, and the driver connects once more
  for (const each of soon) await assertExact(each, 30)
  await old[back]()
  await setTimeout(3000)
  for (const server of servers) assert.ok(await isShared(server))
  for (const each of later) await assertExact(each, 30)
  await stop(...servers)
}

for (const [name, part] of Object.entries(kinds))
  for (const [what, fail, back] of [
    ['hangs', 'pause', 'resume'],
    ['is killed', 'stop', 'start'],
  ] as const)
    testWith(part)(`${name} whose master ${what}: limits are exact before and after`, (t, redis) =>
      failOver(t, redis, fail, back),
    )
