import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { authority, clientPair } from '../testing/certificates.ts'
import { readText, sendingTo } from '../testing/sending.ts'
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
import { readProxy } from './proxy.ts'

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

  /** Sends two requests, and returns the body of the second response, or the description of the error. */
  async function attempt(url: string, address: string): Promise<string> {
    const tls = { ca: authority, ...clientPair }
    const { get, transport } = sendingTo(url, { tls, proxy: readProxy(address) })
    await get()
    const received = await get()
    transport.close()
    return received.kind === 'error' ? describeError(received.error) : readText(received)
  }

  const http = (): string => `http://127.0.0.1:${plain.port}/v1/pets?limit=1`
  const https = (): string => `https://localhost:${secure.port}/v1/pets`

  it('gets requests for http with their whole address', async () => {
    const proxy = await serve()
    assert.equal(await attempt(http(), `127.0.0.1:${proxy.port}`), `127.0.0.1:${plain.port} /v1/pets?limit=1`)
    assert.deepEqual(proxy.targets, [http(), http()])
  })

  it('opens one tunnel for https and gets its credentials', async () => {
    const proxy = await serve({ authorization: credentials })
    const address = `http://me:p%40ss%20w%C3%B6rd@127.0.0.1:${proxy.port}`
    assert.equal(await attempt(https(), address), '/v1/pets')
    assert.deepEqual([proxy.tunnels, proxy.targets], [[`localhost:${secure.port}`], []])
    assert.match(await attempt(http(), address), /\/v1\/pets/)
  })

  it('reports how to give the credentials that it requires', async () => {
    const proxy = await serve({ authorization: credentials })
    for (const url of [http(), https()]) {
      assert.match(
        await attempt(url, `http://127.0.0.1:${proxy.port}`),
        /^the proxy http:\/\/127\.0\.0\.1:\d+ refuses the connection to \S+: 407 .*HTTPS_PROXY=http:\/\/USER:PASSWORD@HOST:PORT$/,
      )
    }
    const rejected = await attempt(https(), `http://me:s3cret@127.0.0.1:${proxy.port}`)
    assert.match(rejected, /407 .*does not accept its credentials$/)
    assert.ok(!rejected.includes('s3cret'))
  })

  it('that cannot reach the deployment is an error of the proxy', async () => {
    const proxy = await serve({ refusal: '502 Bad Gateway' })
    assert.match(
      await attempt(https(), `http://127.0.0.1:${proxy.port}`),
      /^the proxy \S+ refuses the connection to localhost:\d+: 502 Bad Gateway; .*NO_PROXY/,
    )
  })
})

describe('a proxy that fails', () => {
  it('is named if it is unreachable or does not speak HTTP', async () => {
    const silent = await serveSockets((socket) => socket.end())
    const strange = await serveSockets((socket) => socket.end('SSH-2.0-x\r\n'))
    const gone = await serveSockets(() => {})
    await gone.close()
    for (const [{ port }, message] of [
      [gone, /ECONNREFUSED/],
      [silent, /closed/],
      [strange, /not HTTP/],
    ] as const) {
      const { get } = sendingTo('https://pets.test/v1', { proxy: readProxy(`127.0.0.1:${port}`) })
      const received = await get()
      assert.ok(
        received.kind === 'error' && received.failure === 'other',
        'it is not the deployment that closes',
      )
      const text = describeError(received.error)
      assert.match(text, /^the proxy http:\/\/127\.0\.0\.1:\d+ fails: /)
      assert.match(text, message)
    }
    await silent.close()
    await strange.close()
  })
})

describe('the address of a proxy', () => {
  it('may lack a scheme and a port', () => {
    const { host, port, origin } = readProxy('proxy.test')
    assert.deepEqual([host, port, origin], ['proxy.test', 80, 'http://proxy.test'])
    assert.equal(readProxy('http://[::1]:8443').host, '::1')
  })

  it('has its credentials nowhere but in its header and its secrets', () => {
    const { authorization, secrets, ...rest } = readProxy('http://me:p%40ss@proxy.test:3128')
    assert.equal(authorization, `Basic ${btoa('me:p@ss')}`)
    assert.deepEqual(secrets, ['me:p@ss', btoa('me:p@ss'), 'p@ss'])
    assert.ok(!JSON.stringify(rest).includes('ss'))
  })

  it('of another kind is an error that does not quote it', () => {
    for (const text of [
      'socks5://me:s3cret@proxy.test',
      'https://me:s3cret@proxy.test',
      'http://',
      'http://s3cret:x y@',
      '',
    ]) {
      assert.throws(
        () => readProxy(text),
        (error) =>
          error instanceof TypeError && /^proxy must be/.test(error.message) && !/s3cret/.test(error.message),
      )
    }
  })
})
