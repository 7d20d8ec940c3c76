import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { authorityCert, clientPair } from '../testing/certificates.ts'
import { createTestSender, readText } from '../testing/sending.ts'
import {
  type ProxyBehaviour,
  serveHttp,
  serveHttps,
  serveProxy,
  serveSockets,
  type TestProxy,
  type TestServer,
} from '../testing/servers.ts'
import { describeError } from './advice.ts'
import { parseProxy } from './proxy.ts'
import { createDeadline } from './read-body.ts'

const credentials = `Basic ${Buffer.from('me:p@ss wörd').toString('base64')}`

describe('a proxy', () => {
  let plain: TestServer
  let secure: TestServer
  const proxies: TestProxy[] = []
  before(async () => {
    plain = await serveHttp((request, response) => response.end(`${request.headers.host} ${request.url}`))
    secure = await serveHttps((request, response) => response.end(request.url), true)
  })
  after(async () => {
    for (const server of [plain, secure, ...proxies]) await server.close()
  })

  async function serve(behaviour?: ProxyBehaviour): Promise<TestProxy> {
    const proxy = await serveProxy(behaviour)
    proxies.push(proxy)
    return proxy
  }

  async function attempt(url: string, address: string): Promise<string> {
    const tls = { ca: authorityCert, ...clientPair }
    const { get, transport } = createTestSender(url, { tls, proxy: parseProxy(address) })
    await get()
    const receivedResponse = await get()
    transport.close()
    return receivedResponse.kind === 'error'
      ? describeError(receivedResponse.error)
      : readText(receivedResponse)
  }

  const http = (): string => `http://127.0.0.1:${plain.port}/v1/pets?limit=1`
  const https = (): string => `https://localhost:${secure.port}/v1/pets`

  it('receives http requests with their absolute URL', async () => {
    const proxy = await serve()
    assert.equal(await attempt(http(), `127.0.0.1:${proxy.port}`), `127.0.0.1:${plain.port} /v1/pets?limit=1`)
    assert.deepEqual(proxy.targets, [http(), http()])
  })

  it('opens a tunnel for https, with credentials if required', async () => {
    const proxy = await serve({ authorization: credentials })
    const address = `http://me:p%40ss%20w%C3%B6rd@127.0.0.1:${proxy.port}`
    assert.equal(await attempt(https(), address), '/v1/pets')
    assert.deepEqual([proxy.tunnels, proxy.targets], [[`localhost:${secure.port}`], []])
    assert.match(await attempt(http(), address), /\/v1\/pets/)
  })

  it('counts as connected when the TLS handshake is complete', async () => {
    const [mute, proxy] = [await serveSockets(() => {}), await serve()]
    const route = { proxy: parseProxy(`127.0.0.1:${proxy.port}`) }
    const { get, transport } = createTestSender(`https://127.0.0.1:${mute.port}/v1/pets`, route)
    let opened = 0
    const beforeSend = async (): Promise<void> => void opened++
    const receivedResponse = await get({ beforeSend, deadline: createDeadline(200) })
    transport.close()
    await mute.close()
    assert.deepEqual([receivedResponse.kind, proxy.tunnels.length, opened], ['error', 1, 0])
  })

  it('is named in the error if it rejects the credentials', async () => {
    const proxy = await serve({ authorization: credentials })
    for (const url of [http(), https()]) {
      assert.match(
        await attempt(url, `http://127.0.0.1:${proxy.port}`),
        /^the proxy http:\/\/127\.0\.0\.1:\d+ rejected the request to \S+: 407 .*HTTPS_PROXY=http:\/\/USER:PASSWORD@HOST:PORT$/,
      )
    }
    const proxyError = await attempt(https(), `http://me:s3cret@127.0.0.1:${proxy.port}`)
    assert.match(proxyError, /407 .*does not accept the credentials$/)
    assert.ok(!proxyError.includes('s3cret'))
  })

  it('is named in the error if it returns its own error page', async () => {
    const errorPage = { 'content-type': 'text/html' }
    const proxy = await serve({ page: { status: 403, headers: errorPage } })
    assert.match(
      await attempt(http(), `http://127.0.0.1:${proxy.port}`),
      /^the proxy \S+ rejected the request to 127\.0\.0\.1:\d+: 403 Forbidden; .*NO_PROXY$/,
    )
    const squid = await serve({ page: { status: 400, headers: { 'x-squid-error': 'ERR_INVALID_URL 0' } } })
    assert.match(await attempt(http(), `http://127.0.0.1:${squid.port}`), /400 Bad Request; .*NO_PROXY$/)
  })

  it('may forward error responses from the deployment', async () => {
    const failingServer = await serveHttp((request, response) =>
      response.writeHead(request.url === '/a' ? 403 : 404, { 'content-type': 'application/json' }).end('{}'),
    )
    const forwardingProxy = await serve()
    const url = `http://127.0.0.1:${failingServer.port}`
    for (const path of ['/a', '/b'])
      assert.equal(await attempt(url + path, `http://127.0.0.1:${forwardingProxy.port}`), '{}')
    await failingServer.close()
  })

  it('is named in the error if it cannot open a tunnel', async () => {
    const proxy = await serve({ rejection: '502 Bad Gateway' })
    assert.match(
      await attempt(https(), `http://127.0.0.1:${proxy.port}`),
      /^the proxy \S+ rejected the request to localhost:\d+: 502 Bad Gateway; .*NO_PROXY/,
    )
  })
})

describe('an unavailable proxy', () => {
  it('is named in the error', async () => {
    const silentServer = await serveSockets((socket) => socket.end())
    const sshServer = await serveSockets((socket) => socket.end('SSH-2.0-x\r\n'))
    const unresponsiveServer = await serveSockets(() => {})
    await unresponsiveServer.close()
    for (const [{ port }, message] of [
      [unresponsiveServer, /ECONNREFUSED/],
      [silentServer, /closed/],
      [sshServer, /not HTTP/],
    ] as const) {
      const { get } = createTestSender('https://pets.test/v1', { proxy: parseProxy(`127.0.0.1:${port}`) })
      const receivedResponse = await get()
      assert.ok(
        receivedResponse.kind === 'error' && receivedResponse.failure === 'other',
        'it is not the deployment that closes',
      )
      const errorText = describeError(receivedResponse.error)
      assert.match(errorText, /^the proxy http:\/\/127\.0\.0\.1:\d+ failed: /)
      assert.match(errorText, message)
    }
    await silentServer.close()
    await sshServer.close()
  })
})

describe('a proxy URL', () => {
  it('has defaults for the scheme and the port', () => {
    const { host, port, origin } = parseProxy('proxy.test')
    assert.deepEqual([host, port, origin], ['proxy.test', 80, 'http://proxy.test'])
    assert.equal(parseProxy('http://[::1]:8443').host, '::1')
  })

  it('may contain credentials, which are redacted', () => {
    const { authorization, secrets, ...rest } = parseProxy('http://me:p%40ss@proxy.test:3128')
    assert.equal(authorization, `Basic ${btoa('me:p@ss')}`)
    assert.deepEqual(secrets, ['me:p@ss', btoa('me:p@ss'), 'p@ss'])
    assert.ok(!JSON.stringify(rest).includes('ss'))
  })

  it('must have the scheme http', () => {
    for (const text of [
      'socks5://me:s3cret@proxy.test',
      'https://me:s3cret@proxy.test',
      'http://',
      'http://s3cret:x y@',
      '',
    ]) {
      assert.throws(
        () => parseProxy(text),
        (error) =>
          error instanceof TypeError && /^proxy must be/.test(error.message) && !/s3cret/.test(error.message),
      )
    }
  })
})
