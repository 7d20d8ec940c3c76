import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../contracts/testing/free-port.ts'
import { testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { createTcpProxy, type TcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { unlimited } from './testing/animals.ts'
import { stop } from './testing/command.ts'
import { baseAddressOf, start, startServer } from './testing/program.ts'
import { type ReceivedResponse, send } from './testing/request.ts'
import { temporaryDatabases } from './testing/storages.ts'

const databases = await temporaryDatabases()
const redis = await createPrivateRedis()

const readiness = async (base: string) => (await send(new URL('/readyz', base).href)).status
const remainingOf = ({ headers }: ReceivedResponse) => headers['x-ratelimit-remaining']

testWith(databases)(
  'a server whose PostgreSQL is gone or silent returns 503, and serves again when PostgreSQL is back',
  async (_t, newDatabase) => {
    const { url, proxy } = await behindProxy(await newDatabase())
    url.searchParams.set('application_name', `pets-test-${process.pid}`)
    url.searchParams.set('query_timeout', '300')
    const server = start(`--port 0 --log json --postgres ${url.href}`, { env: unlimited })
    const base = await baseAddressOf(server)
    const ask = () => send(`${base}/pets`, { key: 'the-key-of-the-tests' })
    for (const fail of [proxy.cut, async () => proxy.silence()]) {
      assert.deepEqual([(await ask()).status, await readiness(base)], [200, 200])
      await fail()
      for (const { status, headers, body } of await Promise.all([ask(), ask(), ask()])) {
        assert.deepEqual(
          [status, headers['retry-after'], JSON.parse(body).code],
          [503, '5', 'service_unavailable'],
        )
        assert.ok(headers['x-ratelimit-remaining'])
      }
      while ((await readiness(base)) !== 503) await setTimeout(50)
      await proxy.recover()
      while ((await readiness(base)) !== 200) await setTimeout(50)
    }
    assert.equal((await ask()).status, 200)
    await stop(server)
    assert.doesNotMatch(server.stderr.text, /postgres:\/\//)
    assert.deepEqual(await connectionsNamed(await newDatabase(), `pets-test-${process.pid}`), [])
  },
)

testWith(databases)(
  'a server that starts without its PostgreSQL listens with 503, and serves when PostgreSQL is there',
  async (_t, newDatabase) => {
    const { url, proxy } = await behindProxy(await newDatabase())
    await proxy.cut()
    const { base, ...server } = await startServer(`--port 0 --wait-for-storage 60 --postgres ${url.href}`)
    const { status, headers } = await send(`${base}/pets`, { key: 'a-key-that-may-be-valid' })
    assert.deepEqual([status, headers['retry-after'], await readiness(base)], [503, '5', 503])
    assert.match(
      server.stderr.text,
      /the storage is not there: .*; requests get 503 until it is, for up to 60 s/,
    )
    await proxy.recover()
    while ((await readiness(base)) !== 200) await setTimeout(50)
    const [, key] = await server.stdout.until(/^ {2}(pas_\S+)$/m) // that is made where no key was issued
    assert.equal((await send(`${base}/pets`, { key: key ?? '' })).status, 200)
    assert.equal((await send(`${base}/pets`, { key: 'a-key-that-may-be-valid' })).status, 401)
    await stop(server)
  },
)

test('a server that waits for its storage ends with 0 on SIGTERM, and with 1 and the cause after the time', async () => {
  const away = `--port 0 --postgres postgres://127.0.0.1:${await freePort()}/pets`
  const stopped = start(`${away} --wait-for-storage 60`)
  await baseAddressOf(stopped)
  await stop(stopped)
  const late = start(`${away} --wait-for-storage 1`)
  assert.equal(await late.exitCode, 1)
  assert.match(late.stderr.text, /DATABASE_URL|--postgres: .*ECONNREFUSED.* \(waited 1 s for the storage\)/)
})

testWith(databases)(
  'a server does not wait where waiting cannot help, such as for a role that does not exist',
  async (_t, newDatabase) => {
    const url = new URL(await newDatabase())
    url.username = 'nobody_has_this_name'
    const { exitCode, stdout, stderr } = start(`--port 0 --wait-for-storage 60 --postgres ${url.href}`)
    assert.equal(await exitCode, 1)
    assert.match(stderr.text, /role "nobody_has_this_name" does not exist/)
    assert.equal(stdout.text, '')
  },
)

/** Returns an address of a database that leads through a proxy. */
async function behindProxy(address: string): Promise<{ url: URL; proxy: TcpProxy }> {
  const url = new URL(address)
  const proxy = await createTcpProxy(Number(url.port))
  url.port = String(proxy.port)
  return { url, proxy }
}

async function connectionsNamed(address: string, name: string): Promise<unknown[]> {
  const client = new pg.Client(address)
  await client.connect()
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1', [name])
    if (rows.length === 0 || tries === 100) {
      await client.end()
      return rows
    }
    await setTimeout(20)
  }
}

/** The responses to two requests, and the readiness, in each mode while Redis is not available. */
const modes = {
  local: { statuses: [200, 200], remaining: ['9999999', '9999998'], ready: 200 },
  open: { statuses: [200, 200], remaining: ['10000000', '10000000'], ready: 200 },
  closed: { statuses: [503, 503], remaining: ['0', '0'], ready: 503 },
} as const

for (const [mode, expected] of Object.entries(modes))
  testWith(redis)(
    `with --redis-down ${mode}, a server goes on without a Redis that is silent or gone, and uses it again`,
    async (_t, { port }) => {
      for (const [outage, index] of [
        ['silence', 0],
        ['cut', 1],
      ] as const) {
        const proxy = await createTcpProxy(port)
        const env = { ...unlimited, PET_ADOPTION_API_KEY: `the-key-of-the-tests-${mode}-${index}` }
        const server = start(
          `--port 0 --memory --redis redis://127.0.0.1:${proxy.port} --redis-down ${mode}`,
          { env },
        )
        const base = await baseAddressOf(server)
        const ask = () => send(`${base}/pets`, { key: env.PET_ADOPTION_API_KEY })
        assert.equal((await ask()).status, 200)
        await proxy[outage]()
        const responses = [await ask(), await ask()]
        assert.deepEqual(
          responses.map(({ status }) => status),
          expected.statuses,
        )
        assert.deepEqual(responses.map(remainingOf), expected.remaining)
        assert.equal(await readiness(base), expected.ready)
        await proxy.recover()
        while (!/Redis is available again/.test(server.stdout.text)) {
          await ask()
          await setTimeout(100)
        }
        await stop(server)
      }
    },
  )
