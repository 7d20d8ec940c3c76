import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { createTcpProxy, type TcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { unlimited } from './testing/animals.ts'
import { stop } from './testing/command.ts'
import { baseAddressOf, start } from './testing/program.ts'
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
