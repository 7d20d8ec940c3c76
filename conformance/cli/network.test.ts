import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Report } from '../index.ts'
import { authorityCert, clientPair } from '../testing/certificates.ts'
import { listIds } from '../testing/deployments/trial.ts'
import {
  baseUrl,
  folder,
  keys,
  type ProgramResult,
  runProgram as programIn,
  writeFile,
} from '../testing/program.ts'
import { serveHttps, serveProxy, type TestProxy, type TestServer } from '../testing/servers.ts'
import { selectProxy } from './proxy-environment.ts'
import { readRunOptions } from './run-options.ts'

const authorityPath = writeFile('ca.pem', authorityCert)
const certificatePath = writeFile('client.pem', clientPair.clientCert)
const key = writeFile('client-key.pem', clientPair.clientKey)

let secure: TestServer
let proxy: TestProxy
before(async () => {
  secure = await serveHttps(
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
    true,
  )
  proxy = await serveProxy({ authorization: `Basic ${btoa('me:pr0xy-s3cret')}` })
})
after(async () => {
  for (const server of [secure, proxy]) await server.close()
})

const program = (argv: readonly string[], env: Record<string, string> = {}): Promise<ProgramResult> =>
  programIn(argv, { env: { PET_ADOPTION_API_KEY: 'key-of-the-tests', ...env }, handler: 'network' })

const https = (): string => `https://localhost:${secure.port}/v1`
const listRule = '--only=LIST-1'
const clientFlags = ['--client-cert', certificatePath, '--client-key', key]

describe('a run over HTTPS', () => {
  it('uses the given certificates', async () => {
    const { code, out } = await program([https(), listRule, '--ca', authorityPath, ...clientFlags])
    assert.equal(code, 0, out)
  })

  it('explains which certificate flag is missing', async () => {
    const { code, out } = await program([https(), listRule])
    assert.match(out, /The run ended early: .*--ca FILE/)
    assert.equal(code, 3)
    assert.match(
      (await program([https(), listRule, '--ca', authorityPath])).out,
      /--client-cert FILE and --client-key FILE/,
    )
  })

  it('skips verification with --insecure, and notes it', async () => {
    const path = join(folder, 'insecure.json')
    const files = [...clientFlags, '--format', 'pretty', '--format', `json=${path}`]
    const { code, out } = await program([https(), listRule, '--insecure', ...files])
    assert.match(out, /Note: certificates were not verified \(--insecure\)/)
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')).network, { insecure: true })
    assert.ok(!readFileSync(path, 'utf8').includes('PRIVATE KEY'))
  })

  it('uses the proxy in HTTPS_PROXY, except for hosts in NO_PROXY', async () => {
    const address = `http://me:pr0xy-s3cret@127.0.0.1:${proxy.port}`
    const argv = [https(), listRule, '--ca', authorityPath, ...clientFlags]
    const { code, out } = await program(argv, { HTTPS_PROXY: address })
    assert.match(out, /Note: requests were sent through the proxy http:\/\/127\.0\.0\.1:\d+\n/)
    assert.equal(code, 0)
    assert.ok(!out.includes('s3cret'))
    const tunnelCount = proxy.tunnels.length
    assert.ok(tunnelCount > 0)
    await program(argv, { HTTPS_PROXY: address, no_proxy: 'localhost' })
    assert.equal(proxy.tunnels.length, tunnelCount)
  })
})

describe("a proxy's own error page", () => {
  it('ends the run and is not judged as a response of the deployment', async () => {
    const blockingProxy = await serveProxy({
      page: { status: 403, headers: { 'content-type': 'text/html' } },
    })
    const address = `http://127.0.0.1:${blockingProxy.port}`
    const { code, out } = await program(['http://pets.test/v1', '--format=json'], { HTTP_PROXY: address })
    await blockingProxy.close()
    const { rules, endedEarly } = JSON.parse(out)
    assert.match(endedEarly, /: the proxy http:\/\/127\.0\.0\.1:\d+ rejected the request to pets\.test: 403/)
    assert.deepEqual(listIds({ rules } as Report, 'fail', 'warn'), [])
    assert.equal(code, 3)
  })
})

describe('a run of the suite', () => {
  it('sends a header whose value is an environment variable', async () => {
    const argv = [baseUrl, '--header', 'X-Gate: $GATE', '--format=json']
    const handler = () => Response.json([{ id: 1, name: 'x', categoryId: 'none' }])
    const { out, requests } = await programIn(argv, { env: { ...keys, GATE: 'sesame' }, handler })
    assert.ok(requests.length > 20 && requests.every(({ headers }) => headers.get('x-gate') === 'sesame'))
    const { exchanges, rules } = JSON.parse(out)
    assert.deepEqual(exchanges[0].request.headers.at(-1), ['x-gate', '$GATE'])
    const { curl } = rules.find(({ id }: { id: string }) => id === 'LIST-4')
    assert.ok(curl.includes(process.platform === 'win32' ? '"x-gate: %GATE%"' : `'x-gate: '"$GATE"`))
  })

  it('prints how long it waits for a rate limit', async () => {
    let count = 0
    const handler = () =>
      Response.json([], { status: ++count === 3 ? 429 : 200, headers: { 'retry-after': '7' } })
    const { err } = await programIn([baseUrl], { handler })
    assert.equal(err, 'waiting 8 s for the Retry-After time of a 429\n')
  })
})

describe('--header', () => {
  const env = { PET_ADOPTION_API_KEY: 'key', TENANT: 's3cret-tenant', WORD: 'sesame' }
  const readHeaders = (...texts: readonly string[]) =>
    readRunOptions('http://x/v1', { positionals: [], values: {}, lists: { header: texts } }, env).headers

  const tenant = { value: 's3cret-tenant', placeholder: '$TENANT' }
  const secretWord = { value: 'sesame', placeholder: `\${WORD}` }

  for (const [text, value, shown, part] of [
    ['X-Tenant: $TENANT', 's3cret-tenant', '$TENANT', tenant],
    [`X-Gate:open \${WORD}s`, 'open sesames', `open \${WORD}s`, secretWord],
    ['X-Team: a:b', 'a:b', '$X_TEAM'],
    ['X-Price: 5$$', '5$', '$X_PRICE'],
    ['X-Price: $$TENANT', '$TENANT', '$X_PRICE'],
  ] as const)
    it(`resolves ${text} to ${value}, and reports show ${shown}`, () => {
      const expectedSecret = { value, shown, ...(part && { parts: [part] }) }
      assert.deepEqual(Object.values(readHeaders(text) ?? {}), [expectedSecret])
    })
})

describe('the proxy environment', () => {
  const http = 'http://api.test/v1'
  const https = 'https://api.test/v1'

  it("selects the proxy by the URL's scheme", () => {
    const env = { HTTP_PROXY: 'http://one.test', HTTPS_PROXY: 'http://two.test' }
    for (const [url, variables, expected] of [
      [http, env, { proxy: 'http://one.test' }],
      [https, env, { proxy: 'http://two.test' }],
      [https, {}, {}],
      [https, { ...env, https_proxy: 'http://three.test' }, { proxy: 'http://three.test' }],
      [https, { ...env, https_proxy: '' }, {}],
    ] as const)
      assert.deepEqual(selectProxy(url, variables), expected)
  })

  const proxy = 'http://proxy.test'
  const proxyVariables = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }

  const cases: readonly (readonly [list: string, with_: readonly string[], without: readonly string[]])[] = [
    ['', [], ['http://a.test']],
    ['*', ['http://a.test', 'http://[::1]'], []],
    [
      'example.com',
      ['http://example.com', 'https://api.Example.com', 'http://example.com.'],
      ['http://notexample.com', 'http://example.com.au'],
    ],
    ['.example.com', ['http://example.com', 'http://api.example.com'], ['http://badexample.com']],
    [' a.test ,  B.test c.test', ['http://a.test', 'http://b.test', 'http://c.test'], ['http://d.test']],
    [
      '127.0.0.1',
      ['http://127.0.0.1:9'],
      ['http://127.0.0.2', 'http://localhost', 'http://1.127.0.0.1.test'],
    ],
    ['::1', ['http://[::1]:3'], ['http://[::2]', 'http://127.0.0.1']],
    ['[fd00::]', ['http://[fd00:0:0::0]'], []],
    [',.,', [], ['http://a.test']],
    ['10.0.0.0/8', ['http://10.1.2.3', 'https://10.255.0.1'], ['http://11.0.0.1', 'http://a10.test']],
    ['192.168.1.7/32', ['http://192.168.1.7'], ['http://192.168.1.8']],
    ['fd00::/8', ['http://[fd12::1]'], ['http://[fe80::1]', 'http://253.0.0.1']],
    ['10.0.0.0/33,10.0.0.0/x,a.test/8', [], ['http://10.0.0.0', 'http://a.test']],
    ['a.test:8080', ['http://a.test:8080', 'http://b.a.test:8080'], ['http://a.test', 'http://a.test:8081']],
    ['a.test:443', ['https://a.test'], ['http://a.test']],
    ['[::1]:3', ['http://[::1]:3'], ['http://[::1]']],
    ['127.0.0.1:9', ['http://127.0.0.1:9'], ['http://127.0.0.1:8']],
  ]

  for (const [list, bypassing, proxied] of cases) {
    it(`bypasses the proxy for NO_PROXY=${JSON.stringify(list)}`, () => {
      for (const url of bypassing)
        assert.deepEqual(selectProxy(url, { ...proxyVariables, NO_PROXY: list }), {}, url)
      for (const url of proxied)
        assert.deepEqual(selectProxy(url, { ...proxyVariables, no_proxy: list }), { proxy }, url)
    })
  }
})
