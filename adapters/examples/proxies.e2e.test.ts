import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent, createServer, type RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import { freePort } from '../contracts/testing/free-port.ts'
import { allOf, type Part, required, testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis, type PrivateRedis } from '../contracts/testing/private-redis.ts'
import { temporaryFiles } from '../contracts/testing/sqlite.ts'
import { temporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { createKeyRecord } from '../standalone/keys/key.ts'
import { launchServer } from '../standalone/testing/launch.ts'
import { startLoad } from '../standalone/testing/load.ts'
import { send } from '../standalone/testing/request.ts'
import { listen, shut } from '../testing/listen.ts'
import { readText } from './testing/documents.ts'
import { completeNginx } from './testing/nginx.ts'
import { haproxy, nginx, nodeWithSqlite } from './testing/parts.ts'
import { assertFollowsEveryRule, key } from './testing/rules.ts'
import { serving } from './testing/serving.ts'

/** A key whose limits no load reaches. */
const loadKey = 'the-key-of-a-large-load'

const folder = temporaryFolder()

interface Proxy {
  readonly program: Part<string>
  readonly args: readonly string[]
  /** Its own, since the servers behind both proxies count the same addresses. */
  readonly redis: Part<PrivateRedis>
  /** Returns its whole configuration, which writes only to the folder of the test. */
  complete(text: string): string
}

const proxies: Readonly<Record<string, Proxy>> = {
  'haproxy.cfg': {
    program: haproxy,
    args: ['-db', '-f', `${folder}/haproxy.cfg`],
    redis: await createPrivateRedis(),
    complete: (text) => text,
  },
  'nginx.conf': {
    program: nginx,
    args: ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'],
    redis: await createPrivateRedis(),
    complete: (text) => completeNginx(text, folder),
  },
}

for (const [file, { program, args, redis, complete }] of Object.entries(proxies)) {
  testWith(required(allOf(program, nodeWithSqlite, redis)))(
    `behind ${file}, two servers follow every rule, their restarts lose no request, and a kill only those in flight`,
    async (t, [proxy, node, redis]) => {
      const servers = await startTwoServers(node, redis.port)
      const port = await freePort()
      const text = readText(`adapters/examples/proxies/${file}`)
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${servers.ports[0]}`)
        .replaceAll('127.0.0.1:8082', `127.0.0.1:${servers.ports[1]}`)
        .replace(/bind :8081|listen 443 ssl/, (line) => `${line.split(' ', 1)} 127.0.0.1:${port}`)
        .replaceAll(/^ *ssl_.*$/gm, '') // tls.e2e.test.ts tests them
      writeFileSync(`${folder}/${file}`, complete(text))
      const { origin } = await serving(t, [proxy, ...args], { port })
      await assertFollowsEveryRule(origin)
      await assertCountsByAddress(origin)
      await assertPassesBounds(origin)
      await assertLosesNothing(t, origin, servers)
    },
  )
}

testWith(required(haproxy))(
  'passes requests on if no server is ready, behind haproxy.cfg',
  async (t, program) => {
    const respond: RequestListener = (_req, res) => {
      res
        .writeHead(503, { 'Retry-After': '1', 'Content-Type': 'application/json' })
        .end('{"code":"service_unavailable"}')
    }
    const servers = [createServer(respond), createServer(respond)]
    const [one, two] = await Promise.all(servers.map(listen))
    t.after(() => Promise.all(servers.map(shut)))
    const port = await freePort()
    const text = readText('adapters/examples/proxies/haproxy.cfg')
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${one}`)
      .replaceAll('127.0.0.1:8082', `127.0.0.1:${two}`)
      .replace('bind :8081', `bind 127.0.0.1:${port}`)
    writeFileSync(`${folder}/unready.cfg`, text)
    const { origin, stderr } = await serving(t, [program, '-db', '-f', `${folder}/unready.cfg`], { port })
    await stderr.until(/backend 'servers' has no server available|backend servers has no server available/)
    const response = await fetch(`${origin}/v1/pets`)
    assert.equal(response.headers.get('retry-after'), '1')
    assert.equal(Object(await response.json()).code, 'service_unavailable')
  },
)

type TwoServers = Awaited<ReturnType<typeof startTwoServers>>

/** Starts two servers on one SQLite file and one Redis, with a Node that has SQLite. They end with the test file. */
async function startTwoServers(node: string, redisPort: number) {
  const newFile = temporaryFiles()
  const [data, keys] = [newFile(), newFile('keys.json')]
  const records = [
    createKeyRecord('rules', key, { plan: 'pro' }),
    createKeyRecord('load', loadKey, { plan: 'enterprise', limits: { minute: 1e8, day: 1e8 } }),
  ]
  writeFileSync(keys, JSON.stringify({ keys: records }))
  const ports = [await freePort(), await freePort()] as const
  const start = (which: 0 | 1) => {
    const flags = `--port ${ports[which]} --trust-proxy 1 --data ${data} --keys ${keys} --metrics-listen 127.0.0.1:0 --log json`
    return launchServer(`${flags} --redis redis://127.0.0.1:${redisPort}`, { node })
  }
  const servers = [await start(0), await start(1)]
  return {
    ports,
    /** Ends one by a signal, and starts it again. Resolves when the proxy uses it again. */
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

/** Asserts that anonymous clients count by the address that the proxy sees, whatever they claim. */
async function assertCountsByAddress(origin: string): Promise<void> {
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

/** Asserts that requests beyond the bounds of the service get its responses, and that `/metrics` is not passed on. */
async function assertPassesBounds(origin: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` }
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
