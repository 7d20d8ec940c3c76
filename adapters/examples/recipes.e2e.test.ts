import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { sha256 } from 'pet-adoption-service'
import { createPostgresKeyStore } from 'pet-adoption-service/postgres'
import pg from 'pg'
import { accepts, freePort } from '../contracts/testing/free-port.ts'
import { allOf, type Part, partValue, testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { temporaryFiles } from '../contracts/testing/sqlite.ts'
import { temporaryDatabases } from '../standalone/testing/storages.ts'
import { lacks } from '../testing/machine.ts'
import { bun, deno, nodeWithSqlite, root } from './testing/parts.ts'
import { assertFollowsEveryRule, key } from './testing/rules.ts'
import { nodeWithTypeScript, serving } from './testing/serving.ts'

const createCommand = (recipe: string) => [...nodeWithTypeScript, `adapters/examples/${recipe}.ts`] as const
const [databases, redis] = [await temporaryDatabases(), await createPrivateRedis()]
const storages = allOf(databases, redis)
const authorization = { Authorization: `Bearer ${key}` }

test('the example of a test run declares a test for every rule, and all pass', () => {
  const [program, ...args] = nodeWithTypeScript
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // so that its tests run as they do outside of a test
  const options = { cwd: root, env, encoding: 'utf8' } as const
  const output = execFileSync(program, [...args, 'adapters/examples/conformance.ts'], options)
  assert.match(output, /^. fail 0$/m)
  assert.match(output, /LIST-1: .*\n[\s\S]*CREATE-25: /)
})

const newFile = temporaryFiles()
const onFile = async () => ({ FILE: newFile() })
const onStorages = async () => {
  const [newDatabase, { port }] = partValue(storages)
  return { DATABASE_URL: await newDatabase(), REDIS_URL: `redis://127.0.0.1:${port}` }
}
const node: Part<string> = { value: process.execPath }
const file = 'adapters/examples/sqlite.ts'
const network = ['run', '--allow-net', '--allow-env']
for (const [where, program, requires, env, ...args] of [
  ['on a SQLite file, on Node', nodeWithSqlite, nodeWithSqlite, onFile, ...createCommand('sqlite').slice(1)],
  ['on a SQLite file, on Deno', deno, deno, onFile, ...network, '--allow-read', '--allow-write', file],
  ['on PostgreSQL and Redis, on Node', node, storages, onStorages, ...createCommand('fleet').slice(1)],
  ['on PostgreSQL and Redis, on Bun', bun, storages, onStorages, 'adapters/examples/bun/storage.ts'],
  ['on PostgreSQL and Redis, on Deno', deno, storages, onStorages, ...network, 'adapters/examples/fleet.ts'],
] as const)
  testWith(allOf<[string, unknown]>(program, requires))(
    `${where}, the service follows every rule`,
    async (t, [path]) => {
      const { origin } = await serving(t, [path, ...args], { env: await env() })
      await assertFollowsEveryRule(origin)
    },
  )

testWith(databases)(
  'with the keys of PostgreSQL, the service follows every rule, and accepts a key that is issued while it runs',
  async (t, newDatabase) => {
    const DATABASE_URL = await newDatabase()
    const { origin } = await serving(t, createCommand('database-keys'), { env: { DATABASE_URL } })
    assert.equal((await fetch(`${origin}/v1/pets`, { headers: authorization })).status, 401)
    const client = new pg.Client(DATABASE_URL)
    await client.connect()
    t.after(() => client.end())
    const keys = createPostgresKeyStore({ client })
    await keys.update({ id: 'shelter' }, () => [{ id: 'shelter', sha256: sha256(key), plan: 'pro' }])
    await assertFollowsEveryRule(origin)
  },
)

test('a shutdown finishes the request in flight and ends the process', {
  skip: lacks.signals,
}, async (t) => {
  const program = await serving(t, createCommand('shutdown'))
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 })
  const creation = request(`${program.origin}/v1/pets`, {
    method: 'POST', // its agent leaves the connection open
    headers: { ...authorization, 'Content-Length': body.length, Expect: '100-continue' },
  })
  creation.flushHeaders()
  await once(creation, 'continue')
  const ended = program.end()
  while (await accepts(Number(new URL(program.origin).port)));
  creation.end(body)
  const [response]: IncomingMessage[] = await once(creation, 'response')
  response?.resume()
  assert.equal(response?.statusCode, 201)
  await ended
  await program.stderr.until(/^every request has its response\n$/)
})

test('the hooks report each response, and a Redis that is away', async (t) => {
  const env = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
  const program = await serving(t, createCommand('hooks'), { env })
  const { status } = await fetch(`${program.origin}/v1/pets`, { headers: authorization })
  assert.equal(status, 200)
  await program.stderr.until(/"event":"redis-away"/)
  await program.stderr.until(/"event":"response",.*"status":200/)
})

test('a response has the trace id of its request, or a new one', async (t) => {
  const program = await serving(t, createCommand('tracing'))
  const sent = '4bf92f3577b34da6a3ce929d0e0e4736'
  const valid = `00-${sent}-00f067aa0ba902b7-01`
  for (const traceparent of [valid, valid.replace(sent, '0'.repeat(32)), valid.replace('00', 'ff'), sent]) {
    const { headers } = await fetch(`${program.origin}/v1/pets`, { headers: { traceparent } })
    const traceId = headers.get('X-Request-Id') ?? ''
    assert.match(traceId, /^[\da-f]{32}$/)
    assert.equal(traceId === sent, traceparent === valid)
    await program.stderr.until(new RegExp(`"traceId":"${traceId}",.*"status":401`))
  }
})
