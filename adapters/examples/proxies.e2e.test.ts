import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent, createServer, type RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import { findFreePort } from '../contracts/testing/free-port.ts'
import { createPrivateRedis, type PrivateRedis } from '../contracts/testing/private-redis.ts'
import { combineResources, type Resource, requireOnCi, testWith } from '../contracts/testing/resource.ts'
import { createFileNamer } from '../contracts/testing/sqlite.ts'
import { createTemporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { createKeyRecord } from '../standalone/keys/key-list.ts'
import { launchServer } from '../standalone/testing/launch.ts'
import { countResults, startLoad } from '../standalone/testing/load.ts'
import { send } from '../standalone/testing/request.ts'
import { closeServer, listen } from '../testing/listen.ts'
import { readText } from './testing/documents.ts'
import { createNginxConfig } from './testing/nginx.ts'
import { caddy, haproxy, nginx, nodeWithSqlite } from './testing/parts.ts'
import { apiKey, assertFollowsEveryRule } from './testing/rules.ts'
import { startForTest } from './testing/serving.ts'

/** An API key whose limits the tests never reach. */
const loadKey = 'the-key-of-a-large-load'

const folder = createTemporaryFolder()

interface Proxy {
  readonly program: Resource<string>
  readonly args: readonly string[]
  /** A separate Redis, because the tests of both proxies use the same addresses. */
  readonly redis: Resource<PrivateRedis>
  /** Returns a complete configuration, which writes only to the test's folder. */
  toConfig(text: string): string
}

const proxies: Readonly<Record<string, Proxy>> = {
  'haproxy.cfg': {
    program: haproxy,
    args: ['-db', '-f', `${folder}/haproxy.cfg`],
    redis: await createPrivateRedis(),
    toConfig: (text) => text,
  },
  'nginx.conf': {
    program: nginx,
    args: ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'],
    redis: await createPrivateRedis(),
    toConfig: (text) => createNginxConfig(text, folder),
  },
}

for (const [file, { program, args, redis, toConfig }] of Object.entries(proxies)) {
  testWith(requireOnCi(combineResources(program, nodeWithSqlite, redis)))(
    `two servers behind ${file} follow every rule and restart without loss`,
    async (t, [proxy, node, redis]) => {
      const servers = await startTwoServers(node, redis.port)
      const port = await findFreePort()
      const text = readText(`adapters/examples/proxies/${file}`)
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${servers.ports[0]}`)
        .replaceAll('127.0.0.1:8082', `127.0.0.1:${servers.ports[1]}`)
        .replace(/bind :8081|listen 443 ssl/, (line) => `${line.split(' ', 1)} 127.0.0.1:${port}`)
        .replaceAll(/^ *ssl_.*$/gm, '') // certificates are tested in tls.e2e.test.ts
      writeFileSync(`${folder}/${file}`, toConfig(text))
      const { origin } = await startForTest(t, [proxy, ...args], { port })
      await assertFollowsEveryRule(origin)
      await assertLimitsPerAddress(origin)
      await assertPassesOversizedRequests(origin)
      await assertRestartsLoseNothing(t, origin, servers)
    },
  )
}

testWith(requireOnCi(haproxy))('haproxy.cfg passes requests on if no server is ready', async (t, program) => {
  const respond: RequestListener = (_req, res) => {
    res
      .writeHead(503, { 'Retry-After': '1', 'Content-Type': 'application/json' })
      .end('{"code":"service_unavailable"}')
  }
  const servers = [createServer(respond), createServer(respond)]
  const [one, two] = await Promise.all(servers.map(listen))
  t.after(() => Promise.all(servers.map(closeServer)))
  const port = await findFreePort()
  const text = readText('adapters/examples/proxies/haproxy.cfg')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${one}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${two}`)
    .replace('bind :8081', `bind 127.0.0.1:${port}`)
  writeFileSync(`${folder}/unready.cfg`, text)
  const { origin, stderr } = await startForTest(t, [program, '-db', '-f', `${folder}/unready.cfg`], {
    port,
  })
  await stderr.until(/backend 'servers' has no server available|backend servers has no server available/)
  const response = await fetch(`${origin}/v1/pets`)
  assert.equal(response.headers.get('retry-after'), '1')
  assert.equal(Object(await response.json()).code, 'service_unavailable')
})

testWith(requireOnCi(caddy))(
  'a server behind the Caddyfile restarts without failed reads',
  async (t, program) => {
    const [serverPort, port] = [await findFreePort(), await findFreePort()]
    const start = () =>
      launchServer(`--port ${serverPort} --memory --trust-proxy 1 --log silent`, {
        env: {
          PET_ADOPTION_API_KEY: loadKey,
          PET_ADOPTION_PLAN: 'enterprise',
          PET_ADOPTION_MINUTE: '100000000',
          PET_ADOPTION_DAY: '100000000',
        },
      })
    let server = await start()
    const text = readText('adapters/standalone/container/Caddyfile')
    writeFileSync(`${folder}/Caddyfile`, text.replace('{\n', '{\n\tadmin off\n'))
    const env = {
      SITE: `http://127.0.0.1:${port}`,
      UPSTREAM: `127.0.0.1:${serverPort}`,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    }
    const args = ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile']
    const { origin } = await startForTest(t, [program, ...args], { port, env })
    const load = startLoad(`${origin}/v1`, {
      key: loadKey,
      unpooledClients: 8,
      listClients: 4,
      createClients: 4,
    })
    for (let restart = 0; restart < 4; restart++) {
      await load.waitForMore(200)
      server.child.kill('SIGTERM')
      assert.equal(await server.end, 0)
      server = await start()
    }
    await load.waitForMore(200)
    const failures = await load.end()
    t.diagnostic(`4 restarts, ${load.requests.length} requests: failures ${JSON.stringify(failures)}`)
    const reads = load.requests.filter(({ kind }) => kind === 'list')
    assert.deepEqual(countResults(reads), { 200: reads.length })
    // Before version 2.11.2, Caddy cannot retry a POST whose connection was refused.
    assert.deepEqual(
      Object.keys(failures).filter((result) => result !== '502'),
      [],
    )
  },
)

type TwoServers = Awaited<ReturnType<typeof startTwoServers>>

/** Starts two servers with one SQLite file and one Redis, on a Node that has SQLite. */
async function startTwoServers(node: string, redisPort: number) {
  const newFile = createFileNamer()
  const [data, keys] = [newFile(), newFile('keys.json')]
  const records = [
    createKeyRecord('rules', apiKey, { plan: 'pro' }),
    createKeyRecord('load', loadKey, { plan: 'enterprise', limits: { minute: 1e8, day: 1e8 } }),
  ]
  writeFileSync(keys, JSON.stringify({ keys: records }))
  const ports = [await findFreePort(), await findFreePort()] as const
  const start = (which: 0 | 1) => {
    const flags = `--port ${ports[which]} --trust-proxy 1 --data ${data} --keys ${keys} --metrics-listen 127.0.0.1:0 --log json`
    return launchServer(`${flags} --redis redis://127.0.0.1:${redisPort}`, { node })
  }
  const servers = [await start(0), await start(1)]
  return {
    ports,
    /** Stops a server with a signal, starts it again, and waits until the proxy uses it. */
    async restart(which: 0 | 1, signal: NodeJS.Signals) {
      const old = servers[which] ?? assert.fail()
      old.child.kill(signal)
      assert.equal(await old.end, signal === 'SIGKILL' ? signal : 0)
      const server = await start(which)
      servers[which] = server
      await server.stdout.until(/"operation":"listPets"/)
    },
  }
}

/** Asserts that a forged `X-Forwarded-For` header does not change the client address. */
async function assertLimitsPerAddress(origin: string): Promise<void> {
  for (const [localAddress, forwardedFor, remaining] of [
    ['127.0.0.2', '198.51.100.1', '59'],
    ['127.0.0.2', '198.51.100.2', '58'],
    ['127.0.0.3', '198.51.100.1', '59'],
  ] as const) {
    const options = { agent: new Agent({ localAddress }), headers: { 'X-Forwarded-For': forwardedFor } }
    const { headers } = await send(`${origin}/v1/pets`, options)
    assert.equal(headers['x-ratelimit-remaining'], remaining)
  }
}

/** Asserts that the proxy passes oversized requests to the service, but no requests for metrics. */
async function assertPassesOversizedRequests(origin: string): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}` }
  const post = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } }
  for (const [status, code, query, init] of [
    [413, 'body_too_large', '', { ...post, body: ' '.repeat(100_000) }],
    [431, 'headers_too_large', `?status=${'x'.repeat(20_000)}`, { headers }],
  ] as const) {
    const response = await fetch(`${origin}/v1/pets${query}`, init)
    assert.deepEqual([response.status, Object(await response.json()).code], [status, code])
  }
  for (const path of ['/metrics', '/%6Detrics']) assert.equal((await fetch(`${origin}${path}`)).status, 404)
}

/** Asserts that restarts lose no request, and that a killed server loses at most two requests per client. */
async function assertRestartsLoseNothing(t: TestContext, origin: string, servers: TwoServers): Promise<void> {
  const clients = { fresh: 8, lists: 4, creates: 4 }
  /** Runs actions in order while clients list and create animals. Returns how often each failure has occurred. */
  async function countFailuresDuring(what: string, actions: readonly (() => Promise<void>)[]) {
    const load = startLoad(`${origin}/v1`, { key: loadKey, ...clients })
    for (const action of actions) {
      await load.waitForMore(200)
      await action()
    }
    await load.waitForMore(200)
    const failures = await load.end()
    t.diagnostic(`${what}, ${load.requests.length} requests: failures ${JSON.stringify(failures)}`)
    return failures
  }
  const restarts = ([0, 1, 0, 1] as const).map((which) => () => servers.restart(which, 'SIGTERM'))
  assert.deepEqual(await countFailuresDuring('4 restarts', restarts), {})
  const failures = await countFailuresDuring('1 killed server', [() => servers.restart(0, 'SIGKILL')])
  const lost = Object.values(failures).reduce((sum, count) => sum + count, 0)
  assert.ok(lost <= 2 * (clients.fresh + clients.lists + clients.creates), `${lost} requests`)
  for (const failure of Object.keys(failures)) assert.match(failure, /^(?:50[234]|ECONNRESET)$/)
}
