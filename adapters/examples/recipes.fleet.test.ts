import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { sha256 } from 'pet-adoption-service'
import { createPostgresKeyStore } from 'pet-adoption-service/postgres'
import pg from 'pg'
import { freePort } from '../contracts/testing/free-port.ts'
import { allOf, mapPart, testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { temporaryFiles } from '../contracts/testing/sqlite.ts'
import { temporaryDatabases } from '../standalone/testing/storages.ts'
import { lacks } from '../testing/machine.ts'
import { remainingFor } from './testing/behind-proxy.ts'
import { deno, nodeWithSqlite, root } from './testing/parts.ts'
import { assertFollowsEveryRule, key } from './testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, type Serving, serving } from './testing/serving.ts'

const startOf = (recipe: string) => [...nodeWithTypeScript, `adapters/examples/${recipe}.ts`] as const
const authorization = { Authorization: `Bearer ${key}` }

/** Returns the objects that a program has logged on stderr, one on each line. */
function logged({ stderr }: Serving): readonly Record<string, unknown>[] {
  return stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Waits until a program has logged an object for which `matches` returns true. */
async function untilLogged(program: Serving, matches: (object: Record<string, unknown>) => boolean) {
  for (const deadline = Date.now() + 10_000; !logged(program).some(matches); await sleep(10))
    assert.ok(Date.now() < deadline, program.stderr)
}

const preload = pathToFileURL(join(root, '.ci/on-port.mjs')).href

for (const [name, part] of [
  ['node', { value: nodeWithTypeScript }],
  ['deno', mapPart(deno, (program): CommandLine => [program, 'run', '--allow-net', '--allow-env'])],
] as const)
  testWith(part)(`the example for ${name} in the README follows every rule`, async (t, start) => {
    const flag = name === 'deno' ? '--preload' : '--import'
    const { origin } = await serving(t, [...start, flag, preload, `adapters/examples/${name}.ts`])
    await assertFollowsEveryRule(origin)
  })

/** Runs an example to its end. Returns its stdout; throws if it fails. */
function outputOf(example: string): string {
  const [program, ...args] = nodeWithTypeScript
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // so that the tests of an example run as they do outside of a test
  return execFileSync(program, [...args, `adapters/examples/${example}`], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
}

test('the example of a description writes one of OpenAPI 3.1', () => {
  const { openapi, paths } = JSON.parse(outputOf('openapi.ts'))
  assert.match(openapi, /^3\.1\./)
  assert.equal(paths['/pets'].post['x-stability'], 'beta')
})

test('the example of a test run declares a test for every rule, and all pass', () => {
  const output = outputOf('conformance.ts')
  assert.match(output, /^. fail 0$/m)
  assert.match(output, /LIST-1: .*\n[\s\S]*CREATE-25: /)
})

const newFile = temporaryFiles()
testWith(nodeWithSqlite)('on a SQLite file, the service follows every rule', async (t, program) => {
  const start = [program, ...startOf('sqlite').slice(1)] as const
  const { origin } = await serving(t, start, { env: { FILE: newFile() } })
  await assertFollowsEveryRule(origin)
})

const databases = await temporaryDatabases()

testWith(allOf(databases, await createPrivateRedis()))(
  'on PostgreSQL and Redis, the service follows every rule',
  async (t, [newDatabase, { port }]) => {
    const env = { DATABASE_URL: await newDatabase(), REDIS_URL: `redis://127.0.0.1:${port}` }
    const { origin } = await serving(t, startOf('fleet'), { env })
    await assertFollowsEveryRule(origin)
  },
)

testWith(databases)(
  'with the keys of PostgreSQL, the service follows every rule, and accepts a key that is issued while it runs',
  async (t, newDatabase) => {
    const DATABASE_URL = await newDatabase()
    const { origin } = await serving(t, startOf('database-keys'), { env: { DATABASE_URL } })
    assert.equal((await fetch(`${origin}/v1/pets`, { headers: authorization })).status, 401)
    const client = new pg.Client(DATABASE_URL)
    await client.connect()
    t.after(() => client.end())
    const keys = createPostgresKeyStore({ client })
    await keys.update({ id: 'shelter' }, () => [{ id: 'shelter', sha256: sha256(key), plan: 'pro' }])
    await assertFollowsEveryRule(origin)
  },
)

test('the plans have the numbers of the option', async (t) => {
  const { origin } = await serving(t, startOf('plans'))
  const limitOf = async (headers: Record<string, string>) =>
    (await fetch(`${origin}/v1/pets`, { headers })).headers.get('x-ratelimit-limit')
  assert.deepEqual([await limitOf(authorization), await limitOf({})], ['600', '10'])
})

test('behind trusted proxies, anonymous clients are counted by the nearest address that is not of a trusted proxy', {
  skip: lacks.loopbacks,
}, async (t) => {
  const { origin } = await serving(t, startOf('proxy'))
  assert.equal(await remainingFor(origin, '127.0.0.1', '198.51.100.1, 10.1.2.3'), '59')
  assert.equal(await remainingFor(origin, '127.0.0.1', '203.0.113.7, 198.51.100.1'), '58')
  assert.equal(await remainingFor(origin, '127.0.0.2', '198.51.100.1'), '59')
  assert.equal(await remainingFor(origin, '127.0.0.2', '198.51.100.2'), '58')
  await assertFollowsEveryRule(origin)
})

test('a shutdown finishes the request in flight, accepts no new one and ends the process', {
  skip: lacks.signals,
}, async (t) => {
  const program = await serving(t, startOf('shutdown'))
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 })
  const agent = new Agent({ keepAlive: true }) // leaves its connection open
  t.after(() => agent.destroy())
  const creation = request(`${program.origin}/v1/pets`, {
    method: 'POST',
    agent,
    headers: { ...authorization, 'Content-Length': body.length, Expect: '100-continue' },
  })
  creation.flushHeaders()
  await once(creation, 'continue')
  const ended = program.end()
  for (;;) {
    const isClosed = await fetch(`${program.origin}/v1`).then(
      () => false,
      () => true,
    )
    if (isClosed) break
  }
  creation.end(body)
  const [response]: IncomingMessage[] = await once(creation, 'response')
  response?.resume()
  assert.equal(response?.statusCode, 201)
  await ended
  assert.equal(program.stderr, 'every request has its response\n')
})

test('the hooks report each response, and a Redis that is away', async (t) => {
  const env = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
  const program = await serving(t, startOf('hooks'), { env })
  const { status } = await fetch(`${program.origin}/v1/pets`, { headers: authorization })
  assert.equal(status, 200)
  await untilLogged(program, ({ event }) => event === 'redis-away')
  await untilLogged(program, ({ event, details }) => event === 'response' && Object(details).status === 200)
})

test('a response has the trace id of its request, or a new one where the request has none', async (t) => {
  const program = await serving(t, startOf('tracing'))
  const traceIdOf = async (traceparent: string) => {
    const { headers } = await fetch(`${program.origin}/v1/pets`, { headers: { traceparent } })
    return headers.get('X-Request-Id')
  }
  const sent = '4bf92f3577b34da6a3ce929d0e0e4736'
  assert.equal(await traceIdOf(`00-${sent}-00f067aa0ba902b7-01`), sent)
  const invalid = [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${sent}-00f067aa0ba902b7-01`, sent]
  for (const traceparent of invalid) {
    const created = (await traceIdOf(traceparent)) ?? ''
    assert.match(created, /^[\da-f]{32}$/)
    assert.notEqual(created, sent)
    await untilLogged(program, ({ traceId, status }) => traceId === created && status === 401)
  }
})
