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
import { freePort } from '../contracts/testing/free-port.ts'
import { createNetworkNamespace } from '../contracts/testing/network-namespace.ts'
import { allOf, type Part, required, testWith } from '../contracts/testing/part.ts'
import { temporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { createKeyRecord } from '../standalone/keys/key.ts'
import { launchServer } from '../standalone/testing/launch.ts'
import { readText } from './testing/documents.ts'
import { completeNginx } from './testing/nginx.ts'
import { caddy, nft, nginx } from './testing/parts.ts'
import { key } from './testing/rules.ts'
import { type CommandLine, serving } from './testing/serving.ts'

const folder = temporaryFolder()
const [certificate, privateKey] = [`${folder}/certificate.pem`, `${folder}/key.pem`]
const subject = '-subj /CN=localhost -addext subjectAltName=DNS:localhost'
const words = `req -x509 -newkey rsa:2048 -nodes -days 2 ${subject} -keyout ${privateKey} -out ${certificate}`
const { error } = spawnSync('openssl', words.split(' '))
const openssl: Part<string> = error
  ? { absent: 'this machine has no openssl' }
  : { value: readFileSync(certificate, 'utf8') }
const network = await createNetworkNamespace()

const proxyPort = await freePort()
const plainPort = await freePort()
const serverPort = await freePort()

const keys = `${folder}/keys.json`
writeFileSync(keys, JSON.stringify({ keys: [createKeyRecord('shelter', key, { plan: 'pro' })] }))
await launchServer(`--port ${serverPort} --trust-proxy 1 --memory --keys ${keys} --log silent`)

let clients = 1
/** Returns an address of this machine that no test has sent requests from. */
const newClient = () => `127.0.0.${++clients}`

interface Proxy {
  readonly command: CommandLine
  readonly env: Readonly<Record<string, string>>
}

/** Returns Caddy with the Caddyfile of the manual, the certificate, and options of the tests. */
function configureCaddy(program: string, options: string): Proxy {
  const site = readText('adapters/standalone/container/Caddyfile')
  const withCertificate = site.replace('{\n', `{\n\ttls ${certificate} ${privateKey}\n`)
  writeFileSync(`${folder}/Caddyfile`, `{\n\tadmin off\n\t${options}\n}\n${withCertificate}`)
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

/** Returns nginx with the block of the manual, the certificate, and the ports of the tests. */
function configureNginx(program: string): Proxy {
  const block = readText('adapters/examples/proxies/nginx.conf')
    .replace('127.0.0.1:8080', `127.0.0.1:${serverPort}`)
    .replace(/^.*127\.0\.0\.1:8082.*$/m, '') // the other server
    .replace('listen 443 ssl', `listen 127.0.0.1:${proxyPort} ssl`)
    .replace(/(?<=ssl_certificate ).*(?=;)/, certificate)
    .replace(/(?<=ssl_certificate_key ).*(?=;)/, privateKey)
  writeFileSync(`${folder}/nginx.conf`, completeNginx(block, folder))
  return { command: [program, '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], env: {} }
}

const caddyOnPorts = (program: string) =>
  configureCaddy(program, `http_port ${plainPort}\n\thttps_port ${proxyPort}`)

/** Starts a request over TLS to the proxy. */
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
  ['Caddy', caddy, caddyOnPorts],
] as const)
  describe(`${name} in front of a server`, () => {
    /** Declares a test with the proxy, which gets the certificate that clients must trust. */
    function test(title: string, body: (ca: string, t: TestContext) => Promise<void>): void {
      testWith(required(allOf(program, openssl)))(title, async (t, [program, ca]) => {
        const { command, env } = configure(program)
        await serving(t, command, { port: proxyPort, env })
        await body(ca, t)
      })
    }

    test('serves it over TLS', async (ca) => {
      const { status, body } = await send(ca, { headers: { Authorization: `Bearer ${key}` } })
      assert.deepEqual([status, JSON.parse(body)], [200, []])
    })

    test('passes on the address of each client, whatever the client claims', async (ca) => {
      const [one, other] = [newClient(), newClient()]
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
      test('rejects the 101st request in flight of an address', async (ca, t) => {
        const [crowded, other] = [newClient(), newClient()]
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
      test('redirects from http to https', async () => {
        const target = { host: '127.0.0.1', port: plainPort, path: '/v1/pets', agent: false }
        const { status, headers } = await readResponse(get({ ...target, headers: { Host: 'localhost' } }))
        assert.deepEqual([status, headers.location], [308, 'https://localhost/v1/pets'])
      })
  })

describe('connections.nft', () => {
  testWith(allOf(caddy, openssl, nft, network))(
    'resets the 101st connection of an address until another one ends',
    async (t, [program, ca, nft, space]) => {
      const sockets: Socket[] = []
      t.after(() => sockets.forEach((socket) => void socket.destroy())) // before Caddy waits for them
      const [crowded, other] = [space.alsoOutside, space.outside] // from which `serving` connects
      const [, ...inside] = space.prefix.split(' ')
      for (
        let i = 0;
        i < 2;
        i++ // the second time replaces the rules
      )
        execFileSync('ip', [...inside, nft, '-f', 'adapters/examples/proxies/connections.nft'])
      const { command, env } = configureCaddy(program, 'auto_https disable_redirects')
      await serving(t, ['ip', ...inside, ...command], { port: 443, host: space.inside, env })

      const open = async (localAddress: string): Promise<Socket> => {
        const socket = connect({ host: space.inside, port: 443, localAddress })
        sockets.push(socket)
        await once(socket, 'connect')
        await once(connectTls({ socket, ca, servername: 'localhost' }), 'secureConnect')
        return socket
      }
      const opens = () =>
        open(crowded).then(
          () => true,
          () => false,
        )
      const [first = assert.fail()] = await Promise.all(Array.from({ length: 100 }, () => open(crowded)))
      await assert.rejects(open(crowded), { code: 'ECONNREFUSED' })
      await open(other)
      first.destroy()
      for (const deadline = Date.now() + 10_000; !(await opens()); await sleep(20))
        assert.ok(Date.now() < deadline)
      await assert.rejects(open(crowded), { code: 'ECONNREFUSED' })
    },
  )
})
