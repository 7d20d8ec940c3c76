import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createPrivateCluster, runCommand } from '../contracts/testing/private-cluster.ts'
import type { PrivateRedis } from '../contracts/testing/private-redis.ts'
import { createPrivateSentinel } from '../contracts/testing/private-sentinel.ts'
import { mapResource, type Resource, testWith } from '../contracts/testing/resource.ts'
import { openBackends } from './testing/open-backends.ts'

/** A Redis whose master can fail. */
interface FailoverTarget {
  readonly address: string
  /** Returns the master that stores a key. A server other than `except` names the master. */
  findMaster(key: string, except?: PrivateRedis): Promise<PrivateRedis>
}

const cluster = mapResource(
  await createPrivateCluster(),
  ({ servers, findMaster, waitUntilSettled }): FailoverTarget => ({
    address: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`,
    async findMaster(key, except) {
      await waitUntilSettled(except)
      return findMaster(key, except)
    },
  }),
)
const sentinels = await createPrivateSentinel()
const sentinel = mapResource(
  sentinels,
  ({ ports, masterName, findMaster }): FailoverTarget => ({
    address: `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join()}/${masterName}`,
    findMaster,
  }),
)
const targets: Readonly<Record<string, Resource<FailoverTarget>>> = {
  'a Redis Cluster': cluster,
  Sentinel: sentinel,
}

/** Lets the master fail under load, and checks how many requests are allowed before, during and after the failover. */
async function failOver(
  t: TestContext,
  { address, findMaster }: FailoverTarget,
  fail: 'pause' | 'stop',
  back: 'resume' | 'start',
): Promise<void> {
  const { backends, newKey, countAdmitted, assertExactLimit, waitForUpMetric, startLoad, close } =
    await openBackends(address, 3)
  for (let i = 0; i < 5; i++) await assertExactLimit()
  const key = newKey()
  await assertExactLimit(key)
  const endLoad = startLoad()
  const old = await findMaster(`pet-adoption:${key}`)
  const failedAt = performance.now()
  await old[fail]()
  await waitForUpMetric(0)
  const excessCount = await countAdmitted(key, 80)
  await waitForUpMetric(1)
  const seconds = (performance.now() - failedAt) / 1000
  t.diagnostic(
    `shared again after ${seconds.toFixed(1)} s; ${excessCount} requests above the limit of 60 allowed in the meantime`,
  )
  // Each process allows the full limit on its own, and the new master, which starts at zero, allows it once more.
  assert.ok(excessCount <= backends.length * 60, `${excessCount} requests above the limit`)
  assert.ok(seconds < 15, `${seconds} s`)

  while ((await findMaster(`pet-adoption:${key}`, old)).port === old.port) await setTimeout(100)
  await setTimeout(6000) // wait until connections to the old master are replaced
  for (let i = 0; i < 5; i++) await assertExactLimit()
  await old[back]()
  await setTimeout(3000)
  await waitForUpMetric(1)
  for (let i = 0; i < 5; i++) await assertExactLimit()
  const longestMs = await endLoad()
  t.diagnostic(`the slowest request took ${longestMs.toFixed()} ms`)
  assert.ok(longestMs < 1_500)
  await close()
}

for (const [name, part] of Object.entries(targets))
  for (const [what, fail, back] of [
    ['hangs', 'pause', 'resume'],
    ['is killed', 'stop', 'start'],
  ] as const)
    testWith(part)(`${name} enforces exact limits after its master ${what}`, (t, redis) =>
      failOver(t, redis, fail, back),
    )

testWith(sentinels)(
  'Sentinel shares limits on a new master while the old one still runs',
  async (t, { ports, masterName, findMaster }) => {
    const address = `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join()}/${masterName}`
    const { newKey, countAdmitted, assertExactLimit, close } = await openBackends(address, 3)
    await assertExactLimit()
    const old = await findMaster()
    const [first = 0] = ports
    while ((await runCommand({ port: first }, 'SENTINEL', 'FAILOVER', masterName).catch(String)) !== 'OK')
      await setTimeout(500)
    const failedAt = performance.now()
    while ((await findMaster()).port === old.port) await setTimeout(50)
    while ((await countAdmitted(newKey())) !== 60) await setTimeout(50)
    const seconds = (performance.now() - failedAt) / 1000
    t.diagnostic(`shared again after ${seconds.toFixed(1)} s`)
    assert.ok(seconds < 15, `${seconds} s`)
    await close()
  },
)
