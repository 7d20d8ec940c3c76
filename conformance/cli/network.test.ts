import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { authority, clientPair } from '../testing/certificates.ts'
import { base, file, folder, keys, type Outcome, program as programIn } from '../testing/program.ts'
import { serveHttps, serveProxy, type TestProxy, type TestServer } from '../testing/servers.ts'
import { selectProxy } from './proxy-environment.ts'
import { runOptions } from './run-options.ts'

const ca = file('ca.pem', authority)
const cert = file('client.pem', clientPair.cert)
const key = file('client-key.pem', clientPair.key)

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

/** Runs the program in this process, over the network. */
const program = (argv: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  programIn(argv, { env: { PET_ADOPTION_API_KEY: 'key-of-the-tests', ...env }, handler: 'network' })

const https = (): string => `https://localhost:${secure.port}/v1`
const listRule = '--only=LIST-1'

describe('the program in a network', () => {
  it('connects with a private authority and a client certificate', async () => {
    const { code, out } = await program([https(), listRule, '--ca', ca, '--cert', cert, '--key-file', key])
    assert.equal(code, 0, out)
  })

  it('exits with 3 and names the missing flag', async () => {
    const { code, out } = await program([https(), listRule])
    assert.match(out, /The run ended early: .*--ca FILE/)
    assert.equal(code, 3)
    assert.match((await program([https(), listRule, '--ca', ca])).out, /--cert FILE and --key-file FILE/)
  })

  it('records --insecure in the report and the transcript', async () => {
    const path = join(folder, 'transcript.json')
    const files = ['--cert', cert, '--key-file', key, '--save-transcript', path]
    const { code, out } = await program([https(), listRule, '--insecure', ...files])
    assert.match(out, /Note: certificates were not verified \(--insecure\)/)
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')).network, { insecure: true })
    assert.ok(!readFileSync(path, 'utf8').includes('PRIVATE KEY'))
  })

  it('goes through the proxy of the environment, unless NO_PROXY has the host', async () => {
    const address = `http://me:pr0xy-s3cret@127.0.0.1:${proxy.port}`
    const argv = [https(), listRule, '--ca', ca, '--cert', cert, '--key-file', key]
    const { code, out } = await program(argv, { HTTPS_PROXY: address })
    assert.match(out, /Note: the deployment was reached through the proxy http:\/\/127\.0\.0\.1:\d+\n/)
    assert.equal(code, 0)
    assert.ok(!out.includes('s3cret'))
    const tunnels = proxy.tunnels.length
    assert.ok(tunnels > 0)
    await program(argv, { HTTPS_PROXY: address, no_proxy: 'localhost' })
    assert.equal(proxy.tunnels.length, tunnels)
  })
})

describe('a run', () => {
  it('sends its headers and shows their variables', async () => {
    const argv = [base, '--header', 'X-Gate: $GATE', '--format=json']
    const handler = () => Response.json([{ id: 1, name: 'x', categoryId: 'none' }])
    const { out, requests } = await programIn(argv, { env: { ...keys, GATE: 'sesame' }, handler })
    assert.ok(requests.length > 20 && requests.every(({ headers }) => headers.get('x-gate') === 'sesame'))
    const { exchanges, rules } = JSON.parse(out)
    assert.deepEqual(exchanges[0].request.headers.at(-1), ['x-gate', '$GATE'])
    const { curl } = rules.find(({ id }: { id: string }) => id === 'LIST-4')
    assert.ok(curl.includes(process.platform === 'win32' ? '"x-gate: %GATE%"' : `'x-gate: '"$GATE"`))
  })

  it('has a line for each wait for a limit', async () => {
    let count = 0
    const handler = () =>
      Response.json([], { status: ++count === 3 ? 429 : 200, headers: { 'retry-after': '7' } })
    const { err } = await programIn([base], { handler })
    assert.equal(err, 'waiting 8 s for the Retry-After of a 429\n')
  })
})

describe('--header', () => {
  const env = { PET_ADOPTION_API_KEY: 'key', TENANT: 's3cret-tenant', WORD: 'sesame' }
  const readHeaders = (...texts: readonly string[]) =>
    runOptions('http://x/v1', { positionals: [], values: {}, lists: { header: texts } }, env).headers

  const tenant = { value: 's3cret-tenant', placeholder: '$TENANT' }
  const word = { value: 'sesame', placeholder: `\${WORD}` }

  for (const [text, value, shown, part] of [
    ['X-Tenant: $TENANT', 's3cret-tenant', '$TENANT', tenant],
    [`X-Gate:open \${WORD}s`, 'open sesames', `open \${WORD}s`, word],
    ['X-Team: a:b', 'a:b', '$X_TEAM'],
    ['X-Price: 5$$', '5$', '$X_PRICE'],
    ['X-Price: $$TENANT', '$TENANT', '$X_PRICE'],
  ] as const)
    it(`${text} has the value ${value}, and shows ${shown}`, () => {
      const expected = { value, shown, ...(part && { parts: [part] }) }
      assert.deepEqual(Object.values(readHeaders(text) ?? {}), [expected])
    })
})

describe('the proxy of the environment', () => {
  const http = 'http://api.test/v1'
  const https = 'https://api.test/v1'

  it('depends on the scheme; lower case wins, empty means none', () => {
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
  const both = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }

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
    it(`obeys NO_PROXY=${JSON.stringify(list)}`, () => {
      for (const url of bypassing) assert.deepEqual(selectProxy(url, { ...both, NO_PROXY: list }), {}, url)
      for (const url of proxied)
        assert.deepEqual(selectProxy(url, { ...both, no_proxy: list }), { proxy }, url)
    })
  }
})
