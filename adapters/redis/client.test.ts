import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { createClient, createCluster } from 'redis'
import { ioredisClient, nodeRedisClient, nodeRedisCluster } from '../redis.ts'

const clients = {
  nodeRedisClient: createClient(),
  nodeRedisCluster: createCluster({ rootNodes: [{ url: 'redis://127.0.0.1:6379' }] }),
  ioredisClient: new Redis({ lazyConnect: true }),
}
const wrappers = { nodeRedisClient, nodeRedisCluster, ioredisClient }
type Wrapper = keyof typeof wrappers
const names = Object.keys(wrappers) as Wrapper[] // those of the object above

/** Calls a wrapper with any value, as a caller in JavaScript may. */
function wrap(wrapper: Wrapper, client: unknown): unknown {
  return wrappers[wrapper](client as never)
}

for (const wrapper of names)
  for (const right of names.filter((name) => name !== wrapper))
    test(`${wrapper} rejects the client of ${right}, and names that wrapper`, () => {
      assert.throws(() => wrap(wrapper, clients[right]), {
        name: 'TypeError',
        message: new RegExp(`^${wrapper} requires .*: use ${right}$`),
      })
    })

for (const wrapper of names)
  for (const client of [undefined, null, 'redis://127.0.0.1', {}, { send() {} }])
    test(`${wrapper} rejects ${JSON.stringify(client)}`, () => {
      assert.throws(() => wrap(wrapper, client), {
        name: 'TypeError',
        message: new RegExp(`^${wrapper} requires a .* of the package i?oredis$|^${wrapper} requires a`),
      })
    })

for (const wrapper of ['nodeRedisClient', 'nodeRedisCluster'] as const)
  test(`${wrapper} rejects a client that is not connected`, () => {
    assert.throws(
      () => wrap(wrapper, clients[wrapper]),
      /requires an open client: call its connect\(\) first/,
    )
  })

test('ioredisClient accepts a client that connects with its first command, and rejects one that was ended', () => {
  const client = new Redis({ lazyConnect: true })
  assert.equal(typeof ioredisClient(client).send, 'function')
  client.disconnect()
  assert.throws(() => ioredisClient(client), /requires an open client/)
})
