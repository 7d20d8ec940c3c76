import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { base, file, folder, program } from '../testing/program.ts'
import { readCommandLine } from './command-line.ts'
import { proxyFor } from './proxy-environment.ts'
import { runOptions } from './run-options.ts'
import { integer, isoTime, ruleIds, suggest } from './values.ts'

describe('the command line', () => {
  it('a value follows its flag after an equals sign or a space', () => {
    const joined = readCommandLine(['http://x/v1', '--key=abc', '--dry-run'])
    assert.deepEqual(joined, readCommandLine(['--key', 'abc', '--dry-run', 'http://x/v1']))
    assert.deepEqual(joined.positionals, ['http://x/v1'])
    assert.deepEqual({ ...joined.values }, { key: 'abc', 'dry-run': '' })
  })

  it('a value after an equals sign may begin with a dash', () => {
    assert.equal(readCommandLine(['--category-id=-7']).values['category-id'], '-7')
  })

  it('no argument after -- is a flag', () => {
    assert.deepEqual(readCommandLine(['judge', '--', '--odd.json']).positionals, ['judge', '--odd.json'])
  })

  for (const [word, suggestion] of [
    ['kye', 'key'],
    ['profil', 'profile'],
    ['skipp', 'skip'],
    ['pla', 'plan'],
    ['plain', 'plan'],
    ['frobnicate', undefined],
    ['', undefined],
  ] as const) {
    it(`the suggestion for ${JSON.stringify(word)} is ${suggestion ?? 'none'}`, () => {
      assert.equal(suggest(word, ['key', 'skip', 'profile', 'plan']), suggestion)
    })
  }
})

describe('values of flags', () => {
  it('a value may be an integer of any size', () => {
    assert.equal(integer('category-id', '9007199254740993'), 9007199254740993n)
    assert.equal(integer('category-id', '-7'), -7n)
    for (const text of ['7.0', '', '0x7', '7 '])
      assert.throws(() => integer('category-id', text), /^UsageError: --category-id must be a whole number/)
  })

  it('a value may be an ISO date, or a time with its zone', () => {
    assert.equal(isoTime('2030-12-07'), Date.UTC(2030, 11, 7))
    assert.equal(isoTime('2030-12-07T10:00Z'), Date.UTC(2030, 11, 7, 10))
    assert.equal(isoTime('2030-12-07T10:00:00.5+02:00'), Date.UTC(2030, 11, 7, 8, 0, 0, 500))
    for (const text of ['2030-12-07T10:00:00', '7.12.2030', '2030-02-30', '2030-13-01', '2030', ''])
      assert.equal(isoTime(text), undefined, text)
  })

  it('a value may be a list of rules by id or family, in any case', () => {
    const rules = ['LIST-1', 'LIST-10', 'AUTH-1', 'AUTH-2']
    assert.deepEqual(ruleIds('only', 'list-1, AUTH', rules), ['LIST-1', 'AUTH-1', 'AUTH-2'])
    assert.throws(() => ruleIds('only', 'LIST-', rules), /names the unknown rule "LIST-"/)
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
    [
      '10.0.0.0/8,192.168.7.0/25',
      ['http://10.9.8.7', 'http://192.168.7.100'],
      ['http://11.0.0.1', 'http://192.168.7.200'],
    ],
    ['10.0.0.1:8080', ['http://10.0.0.1:8080'], ['http://10.0.0.1']],
    ['::1', ['http://[::1]:3'], ['http://[::2]', 'http://127.0.0.1']],
    ['[fd00::]', ['http://[fd00:0:0::0]'], []],
    ['[::1]:8080', ['http://[::1]:8080'], ['http://[::1]']],
    ['fd00::/8', ['http://[fd12:3456::1]'], ['http://[fe80::1]']],
    ['10.0.0.0/x,10.0.0.0/999', [], ['http://11.0.0.1']],
    [',.,:80', [], ['http://a.test']],
  ]

  for (const [list, bypassing, proxied] of cases) {
    it(`NO_PROXY=${JSON.stringify(list)} is for ${bypassing.join(' ') || 'nothing'}, not for ${proxied.join(' ') || 'anything else'}`, () => {
      for (const url of bypassing) assert.deepEqual(proxyFor(url, { ...both, NO_PROXY: list }), {}, url)
      for (const url of proxied) assert.deepEqual(proxyFor(url, { ...both, no_proxy: list }), { proxy }, url)
    })
  }
})

describe('cli --config', () => {
  it('a file has the base URL and the flags by their names', async () => {
    const out = join(folder, 'of-config.json')
    const config = file('ci.json', {
      'base-url': base,
      only: ['LIST', 'GET-1'],
      skip: 'LIST-2',
      timeout: 5000,
      'max-requests': '40',
      format: ['tap', `json=${out}`],
      header: ['X-Team: $TEAM'],
      insecure: false,
      'allow-inconclusive': true,
    })
    const env = { PET_ADOPTION_API_KEY: 'a-key', TEAM: 'rex' }
    const { out: tap, requests } = await program(['--config', config], { env })
    assert.match(tap, /^TAP version 14/)
    const judged = JSON.parse(readFileSync(out, 'utf8')).rules.filter(
      (rule: { deselected?: string }) => rule.deselected === undefined,
    )
    assert.ok(judged.every(({ id }: { id: string }) => /^(LIST-(?!2$)|GET-1$)/.test(id)))
    assert.equal(requests[0]?.headers.get('x-team'), 'rex')
  })

  it('the command line overrides a file', async () => {
    const config = file('over.json', {
      'base-url': 'http://other.test/v1',
      profile: 'create',
      format: ['tap'],
      quiet: true,
    })
    const { out, requests, err } = await program([
      base,
      '--config',
      config,
      '--profile=read',
      '--format=json',
      '--verbose',
    ])
    assert.equal(JSON.parse(out).profile, 'read')
    assert.ok(requests.every(({ url, method }) => url.startsWith(base) && method === 'GET'))
    assert.match(err, /GET {2}\/pets /)
  })

  it('judge uses the flags of a file that it has, and checks the others', async () => {
    const transcript = join(folder, 'saved.json')
    await program([base, '--save-transcript', transcript])
    const config = file('both.json', { 'base-url': base, profile: 'read', format: 'tap', only: 'LIST' })
    assert.match((await program(['judge', transcript, '--config', config])).out, /^TAP version 14/)
    const wrong = file('wrong.json', { profil: 'read' })
    assert.equal((await program(['judge', transcript, '--config', wrong])).code, 2)
  })
})
