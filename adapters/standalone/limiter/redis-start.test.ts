import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, it, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import * as ioredis from 'ioredis'
import { freePort } from '../../contracts/testing/free-port.ts'
import { allOf, testWith } from '../../contracts/testing/part.ts'
import { runCommand } from '../../contracts/testing/private-cluster.ts'
import { createPrivateRedis } from '../../contracts/testing/private-redis.ts'
import { connectTo } from '../../contracts/testing/redis.ts'
import { createTcpProxy } from '../../contracts/testing/tcp-proxy.ts'
import { unlimited } from '../testing/animals.ts'
import { fail, stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { send } from '../testing/request.ts'
import { readRedisAddress } from './redis-address.ts'
import { connectRedis } from './redis-connection.ts'

const alone = await createPrivateRedis('--requirepass', 'the-password')
const replica = await createPrivateRedis('--replicaof', `127.0.0.1 ${await freePort()}`)
const inCluster = await createPrivateRedis(
  '--cluster-enabled',
  'yes',
  '--cluster-port',
  String(await freePort()),
)
const plain = await createPrivateRedis()
/** A Sentinel, for the driver: MGET returns two values, the host and the port of the master. */
const sentinel = await createPrivateRedis('--rename-command', 'MGET', 'SENTINEL')
const servers = allOf(alone, replica, inCluster, plain)

type Ports = Readonly<Record<'alone' | 'replica' | 'inCluster' | 'plain', number>>

/** Addresses that no retry repairs, each with the error of the start. */
const refused: Readonly<Record<string, readonly [(ports: Ports) => string, RegExp]>> = {
  'a Redis in cluster mode': [
    ({ inCluster }) => `redis://127.0.0.1:${inCluster}`,
    /127\.0\.0\.1:\d+ is in cluster mode: give its address as redis\+cluster:\/\/HOST:PORT,HOST:PORT$/m,
  ],
  'a replica': [
    ({ replica }) => `redis://127.0.0.1:${replica}`,
    /is a replica of 127\.0\.0\.1:\d+, which cannot count: give the address of the master, or .*redis\+sentinel:/,
  ],
  'a Redis that is not a cluster': [
    ({ plain }) => `redis+cluster://127.0.0.1:${plain}`,
    /cluster support disabled: give its address as redis:\/\/HOST:PORT$/m,
  ],
  'a Redis that is not a Sentinel': [
    ({ plain }) => `redis+sentinel://127.0.0.1:${plain}/limits`,
    /failed to connect to sentinel 127\.0\.0\.1:\d+ because .*unknown command/,
  ],
  'a database that is not there': [
    ({ plain }) => `redis://127.0.0.1:${plain}/99`,
    /DB index is out of range: give the number/,
  ],
  'a wrong password': [({ alone }) => `redis://:not-it@127.0.0.1:${alone}`, /WRONGPASS/],
  'no password': [({ alone }) => `redis://127.0.0.1:${alone}`, /NOAUTH/],
  'a wrong password of a cluster': [({ alone }) => `redis+cluster://:not-it@127.0.0.1:${alone}`, /WRONGPASS/],
}

for (const [what, [addressOf, message]] of Object.entries(refused))
  testWith(servers)(`${what} stops the start with exit 1 and advice`, async (_, all) => {
    const [alone, replica, inCluster, plain] = all.map(({ port }) => port) as [number, number, number, number] // four parts
    const env = { REDIS_URL: addressOf({ alone, replica, inCluster, plain }) }
    const [code, told] = await fail('--port 0', { env })
    assert.deepEqual([code, told.split('\n').length], [1, 1])
    assert.match(told, message)
    assert.match(told, /^REDIS_URL/)
    assert.doesNotMatch(told, /not-it/)
  })

for (const [form, mode, meaning, status, remaining] of [
  ['redis://127.0.0.1:PORT', 'local', 'counted by each server alone', 200, ['9999999', '9999998']],
  ['redis+cluster://127.0.0.1:PORT', 'open', 'not counted', 200, ['10000000', '10000000']],
  ['redis+sentinel://127.0.0.1:PORT/limits', 'closed', 'unknown, and requests are rejected', 503, ['0', '0']],
] as const)
  test(`starts in ${mode} mode when Redis is down (${form.replace(/:.*/, '')})`, async () => {
    const address = form.replace('PORT', String(await freePort()))
    let now = Date.now()
    const flags = `--port 0 --metrics --redis ${address} --redis-down ${mode}`
    const { base, ...server } = await startServer(flags, { env: unlimited, clock: () => now })
    for (const each of remaining) {
      const response = await send(`${base}/pets`, { key: 'the-key-of-the-tests' })
      assert.deepEqual([response.status, response.headers['x-ratelimit-remaining']], [status, each])
    }
    assert.equal((await send(new URL('/readyz', base).href)).status, 200) // all servers share the limiter
    await server.stderr.until(
      new RegExp(`so limits are ${meaning}.*: .*(?:ECONNREFUSED|failed to connect to sentinel)`),
    )
    const { body } = await send(new URL('/metrics', base).href)
    assert.match(body, /^pet_adoption_redis_up 0$/m)
    assert.match(body, new RegExp(`^pet_adoption_limiter_mode\\{mode="${mode}"\\} 1$`, 'm'))
    now += 10_000
    await send(`${base}/pets`)
    await server.stderr.until(/(?:Redis is not available.*){2}/s)
    await stop(server)
    assert.equal(server.stderr.text.match(/Redis is not available/g)?.length, 2)
  })

testWith(plain)(
  'a Redis that becomes a replica is reported, and used again as a master',
  async (_, { port }) => {
    const redis = await connectTo(`redis://127.0.0.1:${port}`)
    const { base, ...server } = await startServer(`--port 0 --metrics --redis redis://127.0.0.1:${port}`)
    await send(`${base}/pets`)
    const figures = async (): Promise<string> => (await send(new URL('/metrics', base).href)).body
    assert.match(await figures(), /^pet_adoption_redis_up 1$/m)
    await redis.sendCommand(['REPLICAOF', '127.0.0.1', String(await freePort())])
    // On a busy machine, a check of reads alone may find that Redis works before the log has a line.
    for (; !/Redis is not available, .*READONLY/.test(server.stderr.text); await setTimeout(200))
      assert.ok((await send(`${base}/pets`)).status < 500)
    assert.match(await figures(), /^pet_adoption_redis_up 0$/m)
    await redis.sendCommand(['REPLICAOF', 'NO', 'ONE'])
    await server.stdout.until(/Redis is available again/)
    assert.match(await figures(), /^pet_adoption_redis_up 1$/m)
    await stop(server)
  },
)

testWith(plain)('warns of an evicting maxmemory-policy at the start', async (_, { port }) => {
  const redis = await connectTo(`redis://127.0.0.1:${port}`)
  for (const [policy, warns] of [
    ['volatile-lru', true],
    ['noeviction', false],
  ] as const) {
    await redis.sendCommand(['CONFIG', 'SET', 'maxmemory-policy', policy])
    const server = await startServer(`--port 0 --redis redis://127.0.0.1:${port}`)
    await stop(server)
    assert.equal(/maxmemory-policy noeviction instead of volatile-lru/.test(server.stderr.text), warns)
  }
})

describe('without a connection, an error names', () => {
  /** A driver whose connection stays silent, or reports an error. */
  function driverWith(error?: string): typeof ioredis {
    class Redis extends EventEmitter {
      constructor() {
        super()
        queueMicrotask(() => this.emit('connecting'))
        if (error) queueMicrotask(() => this.emit('error', new Error(error)))
      }
      call = () => Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"))
      disconnect() {}
    }
    return { Redis } as unknown as typeof ioredis // what a connection to one server uses
  }
  const silentResolver = () => new Promise(() => {})
  for (const [what, error, resolve, message] of [
    [
      'a silent resolver',
      undefined,
      silentResolver,
      /resolver does not respond for the host name limits\.test/,
    ],
    ['a silent resolver after a timeout', 'connect ETIMEDOUT', silentResolver, /resolver does not respond/],
    ['a silent server', undefined, async () => '', /^Error: limits\.test:6380 did not accept a connection$/],
    ['the error of the driver', 'connect ECONNREFUSED', silentResolver, /^Error: connect ECONNREFUSED$/],
  ] as const)
    it(what, async () => {
      const address = readRedisAddress('redis://limits.test:6380')
      const connection = connectRedis(driverWith(error), address, resolve)
      await nextTurn()
      await assert.rejects(connection.send(['PING'], ''), (cause) => message.test(String(cause)))
      connection.close()
    })
})

testWith(allOf(sentinel, alone, plain))(
  'a failover reported while the driver connects does not end it',
  async (t, [sentinel, silent, master]) => {
    const values = { 'get-master-addr-by-name': '127.0.0.1', limits: String(master.port), sentinels: '' }
    for (const [name, value] of Object.entries(values)) await runCommand(sentinel, 'SET', name, value)
    const proxy = await createTcpProxy(sentinel.port)
    const connection = connectRedis(ioredis, {
      kind: 'sentinel',
      hosts: [{ host: '127.0.0.1', port: proxy.port }],
      options: { name: 'limits' },
    })
    t.after(connection.close)
    await connection.checkStart()
    while (!(await runCommand(sentinel, 'PUBSUB', 'NUMSUB', '+switch-master')).endsWith('1'))
      await setTimeout(10)
    silent.pause()
    proxy.target = silent.port
    await master.stop()
    await setTimeout(500) // the driver waits for the silent one
    assert.equal(await runCommand(sentinel, 'PUBLISH', '+switch-master', ''), '1')
    proxy.target = sentinel.port
    silent.resume()
    await master.start()
    const counts = () =>
      connection.send(['PING'], '').then(
        () => true,
        () => false,
      )
    while (!(await counts())) await setTimeout(50)
  },
)
