import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, it } from 'node:test'
import * as ioredis from 'ioredis'
import * as redis from 'redis'
import { createKeyStore, createPetService } from '../../core/index.ts'
import { findFreePort } from '../contracts/testing/free-port.ts'
import { runCommand } from '../contracts/testing/private-cluster.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { combineResources, testWith } from '../contracts/testing/resource.ts'
import {
  type BackendEvent,
  type OpenRedisOptions,
  openRedis,
  type RedisDriver,
  type StartupError,
} from './index.ts'

const alone = await createPrivateRedis('--requirepass', 'the-password')
const replica = await createPrivateRedis('--replicaof', `127.0.0.1 ${await findFreePort()}`)
const inCluster = await createPrivateRedis(
  '--cluster-enabled',
  'yes',
  '--cluster-port',
  String(await findFreePort()),
)
const plain = await createPrivateRedis()
const servers = combineResources(alone, replica, inCluster, plain)

const limits = [{ requests: 2, windowMs: 3_600_000 }]

/** Opens Redis and records the events. */
async function openWithEvents(url: string, options: Partial<OpenRedisOptions> = {}) {
  const events: BackendEvent[] = []
  const onEvent = (event: BackendEvent) => events.push(event)
  return { ...(await openRedis({ driver: ioredis, url, onEvent, ...options })), events }
}

type Ports = Readonly<Record<'alone' | 'replica' | 'inCluster' | 'plain', number>>

/** Servers that cannot be used, with the expected message. */
const unusableServers: Readonly<Record<string, readonly [(ports: Ports) => string, RegExp]>> = {
  'a server in cluster mode': [
    ({ inCluster }) => `redis://127.0.0.1:${inCluster}`,
    /^127\.0\.0\.1:\d+ is in cluster mode: use an address like redis\+cluster:\/\/HOST:PORT,HOST:PORT$/,
  ],
  'a replica': [
    ({ replica }) => `redis://127.0.0.1:${replica}`,
    /is a replica of 127\.0\.0\.1:\d+ and cannot count requests: use the address of the master, or .*redis\+sentinel:/,
  ],
  'a server that is not in a cluster': [
    ({ plain }) => `redis+cluster://127.0.0.1:${plain}`,
    /cluster support disabled: use an address like redis:\/\/HOST:PORT$/,
  ],
  'a server that is not a Sentinel': [
    ({ plain }) => `redis+sentinel://127.0.0.1:${plain}/limits`,
    /failed to connect to sentinel 127\.0\.0\.1:\d+ because .*unknown command/,
  ],
  'a missing database': [
    ({ plain }) => `redis://127.0.0.1:${plain}/99`,
    /DB index is out of range: use an existing database number/,
  ],
  'a wrong password': [
    ({ alone }) => `redis://:not-it@127.0.0.1:${alone}`,
    /WRONGPASS.*: check the password in the address/,
  ],
  'a missing password': [({ alone }) => `redis://127.0.0.1:${alone}`, /NOAUTH/],
  'a wrong cluster password': [({ alone }) => `redis+cluster://:not-it@127.0.0.1:${alone}`, /WRONGPASS/],
}

describe('openRedis', () => {
  for (const [what, [createUrl, message]] of Object.entries(unusableServers))
    testWith(servers)(`rejects ${what} with advice`, async (_, all) => {
      const [alone, replica, inCluster, plain] = all.map(({ port }) => port) as [
        number,
        number,
        number,
        number,
      ] // `all` has one entry per server
      await assert.rejects(
        openRedis({ driver: ioredis, url: createUrl({ alone, replica, inCluster, plain }) }),
        ({ name, code, message: text }: StartupError) =>
          name === 'StartupError' && code === 'unusable' && message.test(text) && !text.includes('not-it'),
      )
    })

  it('rejects invalid options', async () => {
    for (const [options, message] of [
      [{ driver: redis }, /options\.driver must be the package ioredis; .* createRedisLimiter/],
      [{ url: 5 }, /options\.url must be a string/],
      [{ failureMode: 'fail' }, /options\.failureMode must be one of local/],
      [{ onFault() {} }, /unknown option "options\.onFault"/],
    ] as const)
      await assert.rejects(
        openRedis({ driver: ioredis, url: 'redis://127.0.0.1', ...options } as never), // invalid on purpose
        { name: 'TypeError', message },
      )
    await assert.rejects(openRedis({ driver: ioredis, url: '127.0.0.1' }), { code: 'invalid_address' })
  })

  for (const [form, failureMode, meaning, decisions] of [
    ['redis://127.0.0.1:PORT', 'local', 'each process counts requests on its own', [1, 0]],
    ['redis+cluster://127.0.0.1:PORT', 'open', 'requests are not counted', [2, 2]],
    [
      'redis+sentinel://127.0.0.1:PORT/limits',
      'closed',
      'requests are rejected with 503',
      ['LimiterUnavailableError', 'LimiterUnavailableError'],
    ],
  ] as const)
    it(`starts in ${failureMode} mode while ${form} is unavailable`, async () => {
      const url = form.replace('PORT', String(await findFreePort()))
      const { limiter, check, metrics, close, events } = await openWithEvents(url, { failureMode })
      const decide = async () => limiter.consume('key:a', limits)
      for (const each of decisions)
        assert.equal(
          await decide().then(
            ({ remaining }) => remaining,
            ({ name }) => name,
          ),
          each,
        )
      assert.deepEqual(metrics(), { up: 0 })
      const { reads, writes } = await check()
      for (const error of [reads, writes])
        assert.match(String(error), /ECONNREFUSED|failed to connect to sentinel|tried once/)
      await close()
      const [{ level, event, message, cause } = assert.fail()] = events
      assert.deepEqual([level, event], ['warning', 'redis'])
      assert.match(message, new RegExp(`^Redis is unavailable, so ${meaning}$`))
      assert.match(String(cause), /ECONNREFUSED|failed to connect to sentinel/)
    })

  it('reports an outage to the service if there is no onEvent', async () => {
    const causes: unknown[] = []
    const { limiter, close } = await openRedis({
      driver: ioredis,
      url: `redis://127.0.0.1:${await findFreePort()}`,
    })
    createPetService({ keys: createKeyStore([]), limiter, onError: (cause) => causes.push(cause) })
    await close()
    assert.match(causes.join(), /ECONNREFUSED/)
  })

  testWith(plain)('warns about a maxmemory-policy that evicts keys', async (_, { port }) => {
    for (const [policy, warns] of [
      ['volatile-lru', true],
      ['noeviction', false],
    ] as const) {
      await runCommand({ port }, 'CONFIG', 'SET', 'maxmemory-policy', policy)
      const { close, events } = await openWithEvents(`redis://127.0.0.1:${port}`)
      await close()
      const messages = events.map(({ message }) => message).join()
      assert.equal(/maxmemory-policy to noeviction instead of volatile-lru/.test(messages), warns)
    }
  })

  for (const [what, error, cause] of [
    ['a server that does not respond', undefined, /^Error: limits\.test:6380 did not accept a connection$/],
    ['an error from the driver', 'connect ECONNREFUSED', /^Error: connect ECONNREFUSED$/],
  ] as const)
    it(`reports ${what}`, async () => {
      class Redis extends EventEmitter {
        constructor() {
          super()
          queueMicrotask(() => (error ? this.emit('error', new Error(error)) : this.emit('close')))
        }
        call = () =>
          Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"))
        connect = async () => {}
        quit = async () => {}
        disconnect() {}
      }
      const driver: RedisDriver = { ...ioredis, Redis }
      const { close, events } = await openWithEvents('redis://limits.test:6380', { driver })
      await close()
      assert.match(String(events[0]?.cause), cause)
    })
})
