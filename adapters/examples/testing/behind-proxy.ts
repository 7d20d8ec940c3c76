import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import type { TestContext } from 'node:test'
import { startLoad } from '../../standalone/testing/load.ts'
import { send } from '../../standalone/testing/request.ts'
import { assertFollowsEveryRule, key } from './rules.ts'
import { loadKey, type TwoServers } from './two-servers.ts'

/**
 * Asserts that two servers behind a proxy follow every rule and get the addresses of clients, that requests beyond the
 * bounds reach them, that their restarts lose no request, and that a kill loses only those in flight.
 */
export async function assertServesAsOne(t: TestContext, origin: string, servers: TwoServers): Promise<void> {
  await assertFollowsEveryRule(origin)
  await assertCountsByAddress(origin)
  await assertPassesBounds(origin)
  await assertLosesNothing(t, origin, servers)
}

/** Returns how many requests remain for an anonymous client after one with `X-Forwarded-For`. */
async function remainingFor(origin: string, localAddress: string, forwardedFor: string): Promise<unknown> {
  const agent = new Agent({ localAddress })
  const response = await send(`${origin}/v1/pets`, { agent, headers: { 'X-Forwarded-For': forwardedFor } })
  return response.headers['x-ratelimit-remaining']
}

/** Asserts that anonymous clients count by the address that the proxy sees, whatever they claim. */
async function assertCountsByAddress(origin: string): Promise<void> {
  assert.equal(await remainingFor(origin, '127.0.0.2', '198.51.100.1'), '59')
  assert.equal(await remainingFor(origin, '127.0.0.2', '198.51.100.2'), '58')
  assert.equal(await remainingFor(origin, '127.0.0.3', '198.51.100.1'), '59')
}

/** Asserts that requests beyond the bounds of the service get its responses, and that `/metrics` is not passed on. */
async function assertPassesBounds(origin: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` }
  const large = await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: ' '.repeat(100_000),
  })
  assert.deepEqual([large.status, Object(await large.json()).code], [413, 'body_too_large'])
  const long = await fetch(`${origin}/v1/pets?status=${'x'.repeat(20_000)}`, { headers })
  assert.deepEqual([long.status, Object(await long.json()).code], [431, 'headers_too_large'])
  for (const path of ['/metrics', '/%6Detrics']) assert.equal((await fetch(`${origin}${path}`)).status, 404)
}

/** Asserts that restarts of the servers by turns lose no request, and a kill at most two of each client. */
async function assertLosesNothing(t: TestContext, origin: string, servers: TwoServers): Promise<void> {
  const clients = { fresh: 8, lists: 4, creates: 4 }
  /** Runs actions, one after the other, while clients list and add animals. Returns how often each failure occurred. */
  async function failuresWhile(what: string, actions: readonly (() => Promise<void>)[]) {
    const load = startLoad(`${origin}/v1`, { key: loadKey, ...clients })
    for (const action of actions) {
      await load.more(200)
      await action()
    }
    await load.more(200)
    const failures = await load.end()
    t.diagnostic(`${what}, ${load.exchanges.length} requests: failures ${JSON.stringify(failures)}`)
    return failures
  }
  const restarts = ([0, 1, 0, 1] as const).map((which) => () => servers.restart(which, 'SIGTERM'))
  assert.deepEqual(await failuresWhile('4 restarts', restarts), {})
  const failures = await failuresWhile('1 killed server', [() => servers.restart(0, 'SIGKILL')])
  const lost = Object.values(failures).reduce((sum, count) => sum + count, 0)
  assert.ok(lost <= 2 * (clients.fresh + clients.lists + clients.creates), `${lost} requests`)
  for (const failure of Object.keys(failures)) assert.match(failure, /^(?:50[234]|ECONNRESET)$/)
}
