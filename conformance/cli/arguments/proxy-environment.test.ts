import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proxyFor } from './proxy-environment.ts'

const http = 'http://api.test/v1'
const https = 'https://api.test/v1'

test('a proxy is that of the scheme', () => {
  const env = { HTTP_PROXY: 'http://one.test', HTTPS_PROXY: 'http://two.test' }
  assert.deepEqual(proxyFor(http, env), { proxy: 'http://one.test' })
  assert.deepEqual(proxyFor(https, env), { proxy: 'http://two.test' })
  assert.deepEqual(proxyFor(https, {}), {})
})

test('a name in lower case wins, and an empty one is no proxy', () => {
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
  ['127.0.0.1', ['http://127.0.0.1:9'], ['http://127.0.0.2', 'http://localhost', 'http://1.127.0.0.1.test']],
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
  test(`NO_PROXY=${JSON.stringify(list)} is for ${bypassing.join(' ') || 'nothing'}, not for ${proxied.join(' ') || 'anything else'}`, () => {
    for (const url of bypassing) assert.deepEqual(proxyFor(url, { ...both, NO_PROXY: list }), {}, url)
    for (const url of proxied) assert.deepEqual(proxyFor(url, { ...both, no_proxy: list }), { proxy }, url)
  })
}
