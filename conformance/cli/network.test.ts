import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { authority, clientPair } from '../network/testing/certificates.ts'
import {
  serveHttp,
  serveHttps,
  serveProxy,
  type TestProxy,
  type TestServer,
} from '../network/testing/servers.ts'
import { file, folder, type Outcome, program as programIn } from '../testing/program.ts'
import { proxyFor } from './proxy-environment.ts'
import { runOptions } from './run-options.ts'

const ca = file('ca.pem', authority)
const cert = file('client.pem', clientPair.cert)
const key = file('client-key.pem', clientPair.key)

let secure: TestServer
let gated: TestServer
let proxy: TestProxy
const seen: (string | undefined)[] = []
const gate = 'open-s3cret-sesame'
before(async () => {
  secure = await serveHttps(
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
    true,
  )
  gated = await serveHttp((request, response) => {
    // a header twice has an array
    const value = request.headers['x-gate']?.toString()
    seen.push(value)
    response
      .writeHead(value === gate ? 200 : 403, { 'content-type': 'application/json', 'x-echo': `${value}` })
      .end(JSON.stringify([{ id: 1, name: `${value}`, categoryId: 'none' }]))
  })
  proxy = await serveProxy({ authorization: `Basic ${btoa('me:pr0xy-s3cret')}` })
})
after(async () => {
  for (const server of [secure, gated, proxy]) await server.close()
})

/** Runs the program in this process, over the network. */
const program = (argv: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  programIn(argv, { env: { PET_ADOPTION_API_KEY: 'key-of-the-tests', ...env }, handler: 'network' })

const https = (): string => `https://localhost:${secure.port}/v1`
const listRule = '--only=LIST-1'

describe('the program in a network', () => {
  it('reaches a deployment with certificates of a company, and a client certificate', async () => {
    const { code, out } = await program([https(), listRule, '--ca', ca, '--cert', cert, '--key-file', key])
    assert.equal(code, 0, out)
  })

  it('without them exits with 3 and says which flag to use, as this is no verdict', async () => {
    const { code, out } = await program([https(), listRule])
    assert.match(out, /The run ended early: .*--ca FILE/)
    assert.equal(code, 3)
    assert.match((await program([https(), listRule, '--ca', ca])).out, /--cert FILE and --key-file FILE/)
  })

  it('with --insecure says in the report and in the transcript that certificates were not verified', async () => {
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

  it('whose proxy refuses exits with 3 and names the proxy', async () => {
    const { code, out } = await program([https(), listRule], { https_proxy: `127.0.0.1:${proxy.port}` })
    assert.match(out, /the proxy http:\/\/127\.0\.0\.1:\d+ refuses the connection to localhost:\d+: 407/)
    assert.equal(code, 3)
  })
})

describe('the headers of a run', () => {
  it('are sent with each request, and their values are in no output', async () => {
    const path = join(folder, 'gated.json')
    for (const format of ['pretty', 'json', 'html']) {
      const argv = [`http://127.0.0.1:${gated.port}/v1`, '--header', 'X-Gate: $GATE', `--format=${format}`]
      const { out, err } = await program([...argv, '--save-transcript', path], { GATE: gate })
      assert.ok(!/s3cret/.test(out + err + readFileSync(path, 'utf8')), format)
    }
    assert.ok(seen.length > 60 && seen.every((value) => value === gate))
    const { exchanges } = JSON.parse(readFileSync(path, 'utf8'))
    assert.deepEqual(exchanges[0].request.headers.at(-1), ['x-gate', '$GATE'])
  })

  it('are in the curl lines, of which the shell has the variable', async () => {
    const argv = [`http://127.0.0.1:${gated.port}/v1`, '--header', 'X-Gate: $GATE', '--format=json']
    const { out } = await program(argv, { GATE: gate })
    const [{ curl }] = JSON.parse(out).rules.filter(({ id }: { id: string }) => id === 'LIST-4')
    assert.ok(curl.includes(process.platform === 'win32' ? '"x-gate: %GATE%"' : `'x-gate: '"$GATE"`))
  })
})

describe('the waits of a run', () => {
  it('--dry-run tells of the waits and of the pace', async () => {
    const { out } = await program(['http://pets.test/v1', '--dry-run', '--pace', '0.5'])
    assert.match(out, /Up to 5 more GETs may repeat/)
    assert.match(out, /130 s in all at the most/)
    assert.match(out, /At 0\.5 requests a second, /)
  })

  it('the progress has a line for each wait for a limit, also where there is no terminal', async () => {
    let count = 0
    const server = await serveHttp((_, response) => {
      count += 1
      response
        .writeHead(count === 3 ? 429 : 200, { 'retry-after': '7', 'content-type': 'application/json' })
        .end('[]')
    })
    const { err } = await program([`http://127.0.0.1:${server.port}/v1`, listRule])
    await server.close()
    assert.equal(err, 'waiting 8 s for the Retry-After of a 429\n')
  })
})

describe('--header', () => {
  const env = { PET_ADOPTION_API_KEY: 'key', TENANT: 's3cret-tenant', WORD: 'sesame', EMPTY: '' }
  const headersOf = (...texts: readonly string[]) =>
    runOptions('http://x/v1', { positionals: [], values: {}, lists: { header: texts } }, env).headers

  it('takes a value from the environment, and shows the variable', () => {
    assert.deepEqual(headersOf('X-Tenant: $TENANT', `X-Gate:open \${WORD}s`), {
      'X-Tenant': {
        value: 's3cret-tenant',
        shown: '$TENANT',
        parts: [{ value: 's3cret-tenant', placeholder: '$TENANT' }],
      },
      'X-Gate': {
        value: 'open sesames',
        shown: `open \${WORD}s`,
        parts: [{ value: 'sesame', placeholder: `\${WORD}` }],
      },
    })
  })

  it('takes a value that is written out, and shows a variable that is named for the header', () => {
    assert.deepEqual(headersOf('X-Team: a:b'), { 'X-Team': { value: 'a:b', shown: '$X_TEAM' } })
  })

  it('takes two dollar signs for one', () => {
    assert.deepEqual(headersOf('X-Price: 5$$'), { 'X-Price': { value: '5$', shown: '$X_PRICE' } })
    assert.deepEqual(headersOf('X-Price: $$TENANT'), { 'X-Price': { value: '$TENANT', shown: '$X_PRICE' } })
  })

  it('takes no value from a variable that is empty', () => {
    assert.throws(() => headersOf(`X-A: \${EMPTY}`), /^UsageError: .*EMPTY, which is not set/)
  })
})

describe('the proxy of the environment', () => {
  const http = 'http://api.test/v1'
  const https = 'https://api.test/v1'

  it('a proxy is that of the scheme', () => {
    const env = { HTTP_PROXY: 'http://one.test', HTTPS_PROXY: 'http://two.test' }
    assert.deepEqual(proxyFor(http, env), { proxy: 'http://one.test' })
    assert.deepEqual(proxyFor(https, env), { proxy: 'http://two.test' })
    assert.deepEqual(proxyFor(https, {}), {})
  })

  it('a name in lower case wins, and an empty one is no proxy', () => {
    assert.deepEqual(proxyFor(https, { HTTPS_PROXY: 'http://two.test', https_proxy: 'http://three.test' }), {
      proxy: 'http://three.test',
    })
    assert.deepEqual(proxyFor(https, { HTTPS_PROXY: 'http://two.test', https_proxy: '' }), {})
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
    [' a.test ,  B.test', ['http://a.test', 'http://b.test'], ['http://c.test']],
    ['a.test b.test', ['http://b.test'], []],
    ['a.test:8080', ['http://a.test:8080', 'http://x.a.test:8080'], ['http://a.test', 'http://a.test:808']],
    ['a.test:443', ['https://a.test'], ['http://a.test']],
    [
      '127.0.0.1',
      ['http://127.0.0.1:9'],
      ['http://127.0.0.2', 'http://localhost', 'http://1.127.0.0.1.test'],
    ],
    ['10.0.0.1:8080', ['http://10.0.0.1:8080'], ['http://10.0.0.1']],
    ['::1', ['http://[::1]:3'], ['http://[::2]', 'http://127.0.0.1']],
    ['[fd00::]', ['http://[fd00:0:0::0]'], []],
    ['[::1]:8080', ['http://[::1]:8080'], ['http://[::1]']],
    [',.,:80', [], ['http://a.test']],
  ]

  for (const [list, bypassing, proxied] of cases) {
    it(`NO_PROXY=${JSON.stringify(list)} is for ${bypassing.join(' ') || 'nothing'}, not for ${proxied.join(' ') || 'anything else'}`, () => {
      for (const url of bypassing) assert.deepEqual(proxyFor(url, { ...both, NO_PROXY: list }), {}, url)
      for (const url of proxied) assert.deepEqual(proxyFor(url, { ...both, no_proxy: list }), { proxy }, url)
    })
  }
})
