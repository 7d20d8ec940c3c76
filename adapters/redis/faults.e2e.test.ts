import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { runCommand } from '../contracts/testing/private-cluster.ts'
import { createPrivateRedis, type PrivateRedis } from '../contracts/testing/private-redis.ts'
import { requireOnCi, testWith } from '../contracts/testing/resource.ts'
import { openBackends } from './testing/open-backends.ts'

const test = testWith(requireOnCi(await createPrivateRedis()))

const outageMs = 3_000
/** Arguments for `redis-cli` after the password has changed. */
const passwordFlags = ['--no-auth-warning', '-a', 'another-password']

/**
 * Lets Redis fail under load from two backends, and checks how many requests are allowed during and after the outage.
 */
async function runOutage(
  t: TestContext,
  { port }: PrivateRedis,
  fail: () => unknown,
  repair: () => unknown,
  losesData = false,
): Promise<void> {
  const { backends, newKey, countAdmitted, assertExactLimit, waitForUpMetric, startLoad, close } =
    await openBackends(`redis://127.0.0.1:${port}`, 2)
  const window = newKey()
  let admittedInWindow = await countAdmitted(window, 80)
  assert.equal(admittedInWindow, 60)
  const endLoad = startLoad()
  await fail()
  await waitForUpMetric(0)
  const meanwhile = await countAdmitted(newKey(), 80)
  admittedInWindow += await countAdmitted(window, 80)
  await setTimeout(outageMs)
  const repairedAt = performance.now()
  await repair()
  await waitForUpMetric(1)
  const sharedMs = performance.now() - repairedAt
  const longestMs = await endLoad()
  t.diagnostic(
    `two processes allowed ${meanwhile} requests with a limit of 60; shared again after ${sharedMs.toFixed()} ms`,
  )
  t.diagnostic(`the slowest request took ${longestMs.toFixed()} ms`)
  assert.ok(longestMs < 1_500)
  assert.ok(meanwhile > 60 && meanwhile <= 120)
  assert.ok(sharedMs < 5_000, `${sharedMs} ms`)
  admittedInWindow += await countAdmitted(window, 80)
  const maxAdmitted = (backends.length + (losesData ? 2 : 1)) * 60
  t.diagnostic(
    `${admittedInWindow} requests allowed before, during and after the outage; maximum ${maxAdmitted}`,
  )
  assert.ok(admittedInWindow <= maxAdmitted, `${admittedInWindow} of ${maxAdmitted}`)
  await assertExactLimit()
  await close()
}

test('limits are shared again after Redis was killed', (t, redis) =>
  runOutage(t, redis, redis.stop, redis.start, true))

test('limits are shared again after Redis hung', (t, redis) => runOutage(t, redis, redis.pause, redis.resume))

test('limits are shared again after Redis rejected the password', (t, redis) =>
  runOutage(
    t,
    redis,
    async () => {
      await runCommand(redis, 'CONFIG', 'SET', 'requirepass', 'another-password')
      await runCommand(redis, ...passwordFlags, 'CLIENT', 'KILL', 'TYPE', 'normal')
    },
    () => runCommand(redis, ...passwordFlags, 'CONFIG', 'SET', 'requirepass', ''),
  ))

test('a full Redis continues to share limits', async (_, redis) => {
  const { backends, countAdmitted, assertExactLimit, newKey, close } = await openBackends(
    `redis://127.0.0.1:${redis.port}`,
    2,
  )
  await runCommand(redis, 'CONFIG', 'SET', 'maxmemory', '1')
  assert.equal(await countAdmitted(newKey(), 80), 60)
  assert.equal(await countAdmitted('address:192.0.2.1', 80), 60)
  assert.ok(backends.every(({ metrics }) => metrics().up === 1))
  await runCommand(redis, 'CONFIG', 'SET', 'maxmemory', '0')
  await assertExactLimit()
  await close()
})
