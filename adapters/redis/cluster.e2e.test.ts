import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  createPrivateCluster,
  type PrivateCluster,
  runCommand,
} from '../contracts/testing/private-cluster.ts'
import { testWith } from '../contracts/testing/resource.ts'
import { openBackends } from './testing/open-backends.ts'

const cluster = await createPrivateCluster()
const test = testWith(cluster)
const limits = [{ requests: 1_000_000, windowMs: 3_600_000 }]

function createUrl({ servers }: PrivateCluster): string {
  return `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`
}

test('a silent cluster server delays only requests for its keys', async (t, cluster) => {
  const { backends, newKey } = await openBackends(createUrl(cluster), 2)
  const [one, other] = backends.map(({ limiter }) => limiter)
  const master = await cluster.findMaster('pet-adoption:key:silent')
  const others: string[] = []
  while (others.length < 20) {
    const key = newKey()
    if ((await cluster.findMaster(`pet-adoption:${key}`)) !== master) others.push(key)
  }
  master.pause()
  t.after(() => master.resume())
  const startedAt = performance.now()
  const silent = Array.from({ length: 100 }, async () => {
    await one?.consume('key:silent', limits)
    return performance.now() - startedAt
  })
  for (const key of others) assert.equal((await one?.consume(key, limits))?.remaining, 999_999)
  // The other backend has not counted anything, so these values come from Redis.
  for (const key of others) assert.equal((await other?.peek(key, limits))?.remaining, 999_999)
  const waits = await Promise.all(silent)
  assert.ok(Math.min(...waits) >= 90 && Math.max(...waits) < 1_000, waits.join())
  master.resume()
  await cluster.waitUntilSettled()
})

test('a cluster counts every request while a slot moves to another server', async (_, cluster) => {
  const { backends } = await openBackends(createUrl(cluster), 2)
  const movingKey = 'key:329' // in slot 36, which is among the first slots that move
  const key = `pet-adoption:${movingKey}`
  const from = await cluster.findMaster(key)
  const id = async (port: number) => runCommand({ port }, 'CLUSTER', 'MYID')
  const ports = new Set<number>()
  for (let i = 0; ports.size < 3; i++) ports.add((await cluster.findMaster(`any-${i}`)).port)
  const target = [...ports].find((port) => port !== from.port) ?? assert.fail()
  let used = 0
  let isMoving = true
  const load = backends.map(async ({ limiter }) => {
    while (isMoving) {
      if ((await limiter.consume(movingKey, limits)).allowed) used++
      await setTimeout(1)
    }
  })
  await promisify(execFile)('redis-cli', [
    ...['--cluster', 'reshard', `127.0.0.1:${from.port}`, '--cluster-yes'],
    ...['--cluster-from', await id(from.port), '--cluster-to', await id(target), '--cluster-slots', '100'],
  ])
  isMoving = false
  await Promise.all(load)
  assert.equal((await cluster.findMaster(key)).port, target)
  const { remaining } = (await backends[0]?.limiter.peek(movingKey, limits)) ?? assert.fail()
  assert.equal(1_000_000 - remaining, used)
})
