import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bypassesProxy } from './no-proxy.ts'

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
    for (const url of bypassing) assert.equal(bypassesProxy(new URL(url), list), true, url)
    for (const url of proxied) assert.equal(bypassesProxy(new URL(url), list), false, url)
  })
}
