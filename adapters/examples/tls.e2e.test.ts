import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { findFreePort } from '../contracts/testing/free-port.ts'
import { createNetworkNamespace } from '../contracts/testing/network-namespace.ts'
import { combineResources, type Resource, requireOnCi, testWith } from '../contracts/testing/resource.ts'
import { createTemporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { createKeyRecord } from '../standalone/keys/key-list.ts'
import { launchServer } from '../standalone/testing/launch.ts'
import { readText } from './testing/documents.ts'
import { createNginxConfig } from './testing/nginx.ts'
import { caddy, nft, nginx } from './testing/parts.ts'
import { apiKey } from './testing/rules.ts'
import { type CommandLine, startForTest } from './testing/serving.ts'

const folder = createTemporaryFolder()
const [certificate, privateKey] = [`${folder}/certificate.pem`, `${folder}/key.pem`]
const subject = '-subj /CN=localhost -addext subjectAltName=DNS:localhost'
const opensslArguments = `req -x509 -newkey rsa:2048 -nodes -days 2 ${subject} -keyout ${privateKey} -out ${certificate}`
const { error } = spawnSync('openssl', opensslArguments.split(' '))
const openssl: Resource<string> = error
  ? { absent: 'openssl is not installed' }
  : { value: readFileSync(certificate, 'utf8') }
const network = await createNetworkNamespace()

const proxyPort = await findFreePort()
const plainPort = await findFreePort()
const serverPort = await findFreePort()

const keys = `${folder}/keys.json`
writeFileSync(keys, JSON.stringify({ keys: [createKeyRecord('shelter', apiKey, { plan: 'pro' })] }))
await launchServer(`--port ${serverPort} --trust-proxy 1 --memory --keys ${keys} --log silent`)

let clientCount = 1
/** Returns a client address that no test has used. */
const nextClientAddress = () => `127.0.0.${++clientCount}`

interface Proxy {
  readonly command: CommandLine
  readonly env: Readonly<Record<string, string>>
}

/** Configures Caddy with the example file, a test certificate and additional global options. */
function configureCaddy(program: string, options: string): Proxy {
  const site = readText('adapters/standalone/container/Caddyfile')
  const withCertificate = site.replace('{$SITE} {\n', `$&\ttls ${certificate} ${privateKey}\n`)
  writeFileSync(`${folder}/Caddyfile`, withCertificate.replace('{\n', `{\n\tadmin off\n\t${options}\n`))
  return {
    command: [program, 'run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'],
    env: {
      SITE: 'localhost',
      UPSTREAM: `127.0.0.1:${serverPort}`,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
  }
}

/** Configures nginx with the example file, a test certificate and test ports. */
function configureNginx(program: string): Proxy {
  const block = readText('adapters/examples/proxies/nginx.conf')
    .replace('127.0.0.1:8080', `127.0.0.1:${serverPort}`)
    .replace(/^.*127\.0\.0\.1:8082.*$/m, '') // this test starts only one server
    .replace('listen 443 ssl', `listen 127.0.0.1:${proxyPort} ssl`)
    .replace(/(?<=ssl_certificate ).*(?=;)/, certificate)
    .replace(/(?<=ssl_certificate_key ).*(?=;)/, privateKey)
  writeFileSync(`${folder}/nginx.conf`, createNginxConfig(block, folder))
  return { command: [program, '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], env: {} }
}

const configureCaddyPorts = (program: string) =>
  configureCaddy(program, `http_port ${plainPort}\n\thttps_port ${proxyPort}`)

/** Creates an HTTPS request to the proxy. */
function open(ca: string, { headers, ...options }: RequestOptions): ClientRequest {
  const target = {
    host: '127.0.0.1',
    port: proxyPort,
    path: '/v1/pets',
    servername: 'localhost',
    agent: false,
  }
  return request({ ...target, ca, ...options, headers: { Host: 'localhost', ...headers } })
}

async function readResponse(sent: ClientRequest) {
  const [response]: IncomingMessage[] = await once(sent, 'response')
  assert.ok(response)
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

const send = (ca: string, options: RequestOptions) => readResponse(open(ca, options).end())

for (const [name, program, configure] of [
  ['nginx', nginx, configureNginx],
  ['Caddy', caddy, configureCaddyPorts],
] as const)
  describe(`the example configuration for ${name}`, () => {
    /** Defines a test that runs behind the proxy, once the port accepts connections. */
    function test(
      title: string,
      body: (ca: string, t: TestContext) => Promise<void>,
      port = proxyPort,
    ): void {
      testWith(requireOnCi(combineResources(program, openssl)))(title, async (t, [program, ca]) => {
        const { command, env } = configure(program)
        await startForTest(t, command, { port, env })
        await body(ca, t)
      })
    }

    test('serves the interface over HTTPS', async (ca) => {
      const { status, body } = await send(ca, { headers: { Authorization: `Bearer ${apiKey}` } })
      assert.deepEqual([status, JSON.parse(body)], [200, []])
    })

    test('limits each client address, whatever X-Forwarded-For contains', async (ca) => {
      const [one, other] = [nextClientAddress(), nextClientAddress()]
      for (const [localAddress, claimed, remaining] of [
        [one, '198.51.100.1', '59'],
        [one, '198.51.100.2', '58'],
        [other, '198.51.100.1', '59'],
      ] as const) {
        const { status, headers } = await send(ca, { localAddress, headers: { 'X-Forwarded-For': claimed } })
        assert.deepEqual([status, headers['x-ratelimit-remaining']], [401, remaining])
      }
    })

    if (name === 'nginx')
      test('rejects the 101st pending request from a client with 429', async (ca, t) => {
        const [crowded, other] = [nextClientAddress(), nextClientAddress()]
        const statusFor = async (localAddress: string) => (await send(ca, { localAddress })).status
        const headers = { 'Content-Length': 2, Expect: '100-continue' }
        const posts = Array.from({ length: 100 }, () =>
          open(ca, { method: 'POST', localAddress: crowded, headers }).on('error', () => {}),
        )
        t.after(() => posts.forEach((post) => void post.destroy()))
        for (const post of posts) post.flushHeaders()
        await Promise.all(posts.map((post) => once(post, 'continue')))
        assert.equal(await statusFor(crowded), 429)
        assert.equal(await statusFor(other), 401)
        const [first = assert.fail()] = posts
        assert.equal((await readResponse(first.end('{}'))).status, 401)
        assert.equal(await statusFor(crowded), 401)
      })
    else
      test(
        'redirects HTTP to HTTPS',
        async () => {
          const target = { host: '127.0.0.1', port: plainPort, path: '/v1/pets', agent: false }
          const { status, headers } = await readResponse(get({ ...target, headers: { Host: 'localhost' } }))
          assert.deepEqual([status, headers.location], [308, 'https://localhost/v1/pets'])
        },
        plainPort, // Caddy opens its ports one after the other
      )
  })

describe('connections.nft', () => {
  testWith(combineResources(caddy, openssl, nft, network))(
    'rejects the 101st connection from an address until one closes',
    async (t, [program, ca, nft, space]) => {
      const sockets: Socket[] = []
      t.after(() => sockets.forEach((socket) => void socket.destroy())) // Caddy waits for open connections when it stops
      const [crowded, other] = [space.secondOuterAddress, space.outerAddress] // clients connect from these addresses
      const [, ...inside] = space.commandPrefix.split(' ')
      for (
        let i = 0;
        i < 2;
        i++ // the second time replaces the rules
      )
        execFileSync('ip', [...inside, nft, '-f', 'adapters/examples/proxies/connections.nft'])
      const { command, env } = configureCaddy(program, 'auto_https disable_redirects')
      await startForTest(t, ['ip', ...inside, ...command], { port: 443, host: space.innerAddress, env })

      const open = async (localAddress: string): Promise<Socket> => {
        const socket = connect({ host: space.innerAddress, port: 443, localAddress })
        sockets.push(socket)
        await once(socket, 'connect')
        await once(connectTls({ socket, ca, servername: 'localhost' }), 'secureConnect')
        return socket
      }
      const canOpen = () =>
        open(crowded).then(
          () => true,
          () => false,
        )
      const [first = assert.fail()] = await Promise.all(Array.from({ length: 100 }, () => open(crowded)))
      await assert.rejects(open(crowded), { code: 'ECONNREFUSED' })
      await open(other)
      first.destroy()
      for (const deadline = Date.now() + 10_000; !(await canOpen()); await sleep(20))
        assert.ok(Date.now() < deadline)
      await assert.rejects(open(crowded), { code: 'ECONNREFUSED' })
    },
  )
})
