import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { sha256 } from 'pet-adoption-service'
import { openPostgres } from 'pet-adoption-service/postgres'
import pg from 'pg'
import { acceptsConnections, findFreePort } from '../contracts/testing/free-port.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { combineResources, getResource, type Resource, testWith } from '../contracts/testing/resource.ts'
import { createFileNamer } from '../contracts/testing/sqlite.ts'
import { createTemporaryDatabases } from '../standalone/testing/storages.ts'
import { missingFeatures } from '../testing/machine.ts'
import { bun, deno, nodeWithSqlite, root } from './testing/parts.ts'
import { apiKey, assertFollowsEveryRule } from './testing/rules.ts'
import { nodeWithTypeScript, startForTest } from './testing/serving.ts'

const createCommand = (recipe: string) => [...nodeWithTypeScript, `adapters/examples/${recipe}.ts`] as const
const [databases, redis] = [await createTemporaryDatabases(), await createPrivateRedis()]
const storages = combineResources(databases, redis)
const authorization = { Authorization: `Bearer ${apiKey}` }

test('the conformance example passes', () => {
  const [program, ...args] = nodeWithTypeScript
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // otherwise the nested test run would report to this one
  const options = { cwd: root, env, encoding: 'utf8' } as const
  const output = execFileSync(program, [...args, 'adapters/examples/conformance.ts'], options)
  assert.match(output, /^. fail 0$/m)
  assert.match(output, /LIST-1: .*\n[\s\S]*CREATE-25: /)
})

const newFile = createFileNamer()
const useFile = async () => ({ FILE: newFile() })
const useStorages = async () => {
  const [newDatabase, { port }] = getResource(storages)
  const url = await newDatabase()
  const { keys, close } = await openPostgres({ driver: pg, url })
  await keys.import([{ id: 'shelter', sha256: sha256(apiKey), plan: 'pro' }])
  await close()
  return { DATABASE_URL: url, REDIS_URL: `redis://127.0.0.1:${port}` }
}
const node: Resource<string> = { value: process.execPath }
const file = 'adapters/examples/sqlite.ts'
const network = ['run', '--allow-net', '--allow-env']
for (const [where, program, requires, env, ...args] of [
  ['SQLite on Node', nodeWithSqlite, nodeWithSqlite, useFile, ...createCommand('sqlite').slice(1)],
  ['SQLite on Deno', deno, deno, useFile, ...network, '--allow-read', '--allow-write', file],
  ['PostgreSQL and Redis on Node', node, storages, useStorages, ...createCommand('fleet').slice(1)],
  ['PostgreSQL and Redis on Bun', bun, storages, useStorages, 'adapters/examples/bun/storage.ts'],
  ['PostgreSQL and Redis on Deno', deno, storages, useStorages, ...network, 'adapters/examples/fleet.ts'],
] as const)
  testWith(combineResources<[string, unknown]>(program, requires))(
    `the service follows every rule with ${where}`,
    async (t, [path]) => {
      const { origin } = await startForTest(t, [path, ...args], { env: await env() })
      await assertFollowsEveryRule(origin)
    },
  )

testWith(databases)(
  'an app with its own pool accepts a key that is imported while it runs',
  async (t, newDatabase) => {
    const DATABASE_URL = await newDatabase()
    const { origin } = await startForTest(t, createCommand('own-pool'), { env: { DATABASE_URL } })
    assert.equal((await fetch(`${origin}/v1/pets`, { headers: authorization })).status, 401)
    const { keys, close } = await openPostgres({ driver: pg, url: DATABASE_URL })
    t.after(close)
    await keys.import([{ id: 'shelter', sha256: sha256(apiKey), plan: 'pro' }])
    await assertFollowsEveryRule(origin)
  },
)

test('the shutdown example finishes a request in flight, then exits', {
  skip: missingFeatures.signals,
}, async (t) => {
  const program = await startForTest(t, createCommand('shutdown'))
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 })
  const creation = request(`${program.origin}/v1/pets`, {
    method: 'POST', // the default agent keeps the connection open
    headers: { ...authorization, 'Content-Length': body.length, Expect: '100-continue' },
  })
  creation.flushHeaders()
  await once(creation, 'continue')
  const ended = program.stop()
  while (await acceptsConnections(Number(new URL(program.origin).port)));
  creation.end(body)
  const [response]: IncomingMessage[] = await once(creation, 'response')
  response?.resume()
  assert.equal(response?.statusCode, 201)
  await ended
  await program.stderr.until(/^shutdown complete\n$/)
})

test('the hooks example logs responses and Redis failures', async (t) => {
  const env = { REDIS_URL: `redis://127.0.0.1:${await findFreePort()}` }
  const program = await startForTest(t, createCommand('hooks'), { env })
  const { status } = await fetch(`${program.origin}/v1/pets`, { headers: authorization })
  assert.equal(status, 200)
  await program.stderr.until(/"event":"redis","details":"Redis is unavailable.*ECONNREFUSED/)
  await program.stderr.until(/"event":"response",.*"status":200/)
})

test('the tracing example uses the trace ID as the request ID', async (t) => {
  const program = await startForTest(t, createCommand('tracing'))
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
